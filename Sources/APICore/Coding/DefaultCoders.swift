#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The coders a client uses when nobody names others: JSON, keys in snake case, dates as ISO 8601.
public enum DefaultCoders {
    /// Decodes JSON; `user_name` becomes `userName`, dates are ISO 8601.
    public static let decoder: any DataDecoder = {
        let decoder = JSONDecoder.snakeCaseConverting
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Decodes JSON with its keys as they are.
    public static let plainDecoder: any DataDecoder = JSONDecoder()

    /// Encodes JSON; `userName` becomes `user_name`, dates are ISO 8601.
    public static let encoder: any DataEncoder = {
        let encoder = JSONEncoder.snakeCaseConverting
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()
}
