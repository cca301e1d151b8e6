#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads a body into any `Decodable` type.
///
/// Decided when it runs, not by overloads: in generic code the compiler would pick the unspecialised one.
enum BodyDecoding {
    /// `Data` and `String` as they are, `nil` for an empty body where the type is optional, everything else through
    /// the decoder.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from response: DataResponse, using decoder: any DataDecoder
    ) throws -> Value {
        if type == Data.self, let data = response.body as? Value { return data }
        if type == String.self, let text = try text(of: response) as? Value { return text }
        if let optional = type as? any OptionalValue.Type {
            if response.body.isEmpty, let none = optional.none as? Value { return none }
            if let wrapped = optional.wrappedDecodable, wrapped == Data.self || wrapped == String.self,
                let value = try decode(wrapped, from: response, using: decoder) as? Value
            {
                return value
            }
        }
        guard !response.body.isEmpty else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "the body is empty"))
        }
        return try decoder.decode(type, from: response.body)
    }

    /// The body as text: UTF-8 unless the media type names ISO 8859-1 (RFC 9110 section 8.3.2).
    private static func text(of response: DataResponse) throws -> String {
        let charset = response.headers[.contentType].flatMap { MediaType($0) }?["charset"]?.lowercased()
        if charset == "iso-8859-1" || charset == "latin1" {
            var text = ""
            for byte in response.body { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            return text
        }
        if let charset, charset != "utf-8", charset != "utf8", charset != "us-ascii" {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "unknown charset \(charset.debugDescription)"))
        }
        guard let text = String(validating: response.body, as: UTF8.self) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "the body is not UTF-8"))
        }
        return text
    }
}
