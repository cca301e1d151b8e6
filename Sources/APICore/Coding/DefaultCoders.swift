public import JSONCoding

/// The coders a client uses when nobody names others: JSON, keys in snake case, dates as ISO 8601.
public enum DefaultCoders {
    /// Decodes JSON; `user_name` becomes `userName`, dates are ISO 8601.
    public static let decoder: any DataDecoder = {
        var decoder = FastJSONDecoder.snakeCaseConverting
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Decodes JSON with its keys as they are.
    public static let plainDecoder: any DataDecoder = FastJSONDecoder()

    /// Encodes JSON; `userName` becomes `user_name`, dates are ISO 8601.
    public static let encoder: any DataEncoder = {
        var encoder = FastJSONEncoder.snakeCaseConverting
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()
}

extension FastJSONDecoder: DataDecoder {}
extension FastJSONEncoder: DataEncoder {}
