#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Turns bytes into values: `FastJSONDecoder` and Foundation's `JSONDecoder` do, and so does any decoder a caller plugs in.
public protocol DataDecoder: Sendable {
    /// Decodes a value.
    ///
    /// - Throws: A `DecodingError`, or whatever the format reports.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// Turns values into bytes: `FastJSONEncoder` and Foundation's `JSONEncoder` do, and so does any encoder a caller plugs in.
public protocol DataEncoder: Sendable {
    /// Encodes a value.
    ///
    /// - Throws: An `EncodingError`, or whatever the format reports.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONDecoder: DataDecoder {}
extension JSONEncoder: DataEncoder {}

extension JSONDecoder {
    /// Foundation's decoder that turns `user_name` into `userName`.
    public static var snakeCaseConverting: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

extension JSONEncoder {
    /// Foundation's encoder that turns `userName` into `user_name`.
    public static var snakeCaseConverting: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}
