import Foundation
import Testing

@testable import JSONCoding

/// Options that both families of coders have.
struct CoderOptions: Sendable, CustomStringConvertible {
    enum Keys: Sendable { case plain, snakeCase, upperCased }
    enum Dates: Sendable { case deferred, seconds, milliseconds, iso8601, custom }
    enum DataForm: Sendable { case deferred, base64 }

    var keys = Keys.plain
    var dates = Dates.deferred
    var data = DataForm.base64
    var convertsFloats = false

    static let plain = CoderOptions()
    static let snakeCase = CoderOptions(keys: .snakeCase)

    var description: String { "\(keys), dates \(dates), data \(data)\(convertsFloats ? ", floats as strings" : "")" }

    @Sendable static func upperCased(_ path: [any CodingKey]) -> any CodingKey {
        guard let last = path.last else { return AnyKey("") }
        return last.intValue == nil ? AnyKey(last.stringValue.uppercased()) : last
    }

    var fastDecoder: FastJSONDecoder {
        var decoder = FastJSONDecoder()
        switch keys {
        case .plain: break
        case .snakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
        case .upperCased: decoder.keyDecodingStrategy = .custom(Self.upperCased)
        }
        switch dates {
        case .deferred: break
        case .seconds: decoder.dateDecodingStrategy = .secondsSince1970
        case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        case .custom: decoder.dateDecodingStrategy = .custom { try dateFromString($0) }
        }
        if data == .deferred { decoder.dataDecodingStrategy = .deferredToData }
        if convertsFloats {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return decoder
    }

    var foundationDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        switch keys {
        case .plain: break
        case .snakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
        case .upperCased: decoder.keyDecodingStrategy = .custom(Self.upperCased)
        }
        switch dates {
        case .deferred: break
        case .seconds: decoder.dateDecodingStrategy = .secondsSince1970
        case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        case .custom: decoder.dateDecodingStrategy = .custom { try dateFromString($0) }
        }
        if data == .deferred { decoder.dataDecodingStrategy = .deferredToData }
        if convertsFloats {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return decoder
    }
}

private func dateFromString(_ decoder: any Decoder) throws -> Date {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let seconds = Double(text) else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no date"))
    }
    return Date(timeIntervalSince1970: seconds)
}

/// A key with any name.
struct AnyKey: CodingKey, Hashable {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// What an attempt to decode came to, in a form that can be compared.
enum Outcome: Equatable, CustomStringConvertible {
    case value(String)
    case failure(String)

    var description: String {
        switch self {
        case .value(let text): "value \(text)"
        case .failure(let text): "failure \(text)"
        }
    }

    init<T>(_ attempt: () throws -> T) {
        do {
            self = .value(String(reflecting: try attempt()))
        } catch {
            self = .failure(Self.describe(error))
        }
    }

    /// The case of the error, its type or key, and its coding path.
    static func describe(_ error: any Error) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        }
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(let type, let context): return "typeMismatch \(type) at \(path(context))"
        case .valueNotFound(let type, let context): return "valueNotFound \(type) at \(path(context))"
        case .keyNotFound(let key, let context): return "keyNotFound \(key.stringValue) at \(path(context))"
        case .dataCorrupted(let context): return "dataCorrupted at \(path(context))"
        @unknown default: return "unknown"
        }
    }
}

/// Both decoders come to the same value, or the same error at the same path.
func expectSameDecoding<T: Decodable>(
    _ type: T.Type, _ json: String, _ options: CoderOptions = .plain, sourceLocation: SourceLocation = #_sourceLocation
) {
    let data = Data(json.utf8)
    let fast = Outcome { try options.fastDecoder.decode(type, from: data) }
    let foundation = Outcome { try options.foundationDecoder.decode(type, from: data) }
    #expect(fast == foundation, "\(type) from \(json.prefix(300)) with \(options)", sourceLocation: sourceLocation)
}

/// The same, for values whose description is not the same every time, as dictionaries' is not.
func expectEqualDecoding<T: Decodable & Equatable>(
    _ type: T.Type, _ json: String, _ options: CoderOptions = .plain, sourceLocation: SourceLocation = #_sourceLocation
) {
    let data = Data(json.utf8)
    let fast = Result { try options.fastDecoder.decode(type, from: data) }.mapError { Described($0) }
    let foundation = Result { try options.foundationDecoder.decode(type, from: data) }.mapError { Described($0) }
    #expect(fast == foundation, "\(type) from \(json.prefix(300)) with \(options)", sourceLocation: sourceLocation)
}

struct Described: Error, Equatable {
    var description: String

    init(_ error: any Error) { description = Outcome.describe(error) }
}
