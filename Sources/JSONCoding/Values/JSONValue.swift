/// Any JSON value (RFC 8259 section 3), for payloads whose type is not known.
///
/// ```swift
/// let value = try FastJSONDecoder().decode(JSONValue.self, from: data)
/// let city = value["address"]?["city"]?.stringValue
/// let body: JSONValue = ["name": "Ada", "tags": ["a", "b"], "age": 36, "phone": nil]
/// ```
///
/// Numbers keep all their digits, and objects the order of their members, with `FastJSONDecoder` and `FastJSONEncoder`; with
/// other coders as far as those do. Names are data: key strategies do not touch them.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, exactly as written.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; two are equal if they have the same members in any order.
    case object(JSONObject)
}

extension JSONValue {
    /// A whole number.
    public static func number(_ value: some FixedWidthInteger) -> JSONValue { .number(JSONNumber(value)) }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The boolean, if this is one.
    public var boolValue: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The string, if this is one.
    public var stringValue: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The number, if this is one.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { return value }
        return nil
    }

    /// The number as an `Int`, if this is a whole one that fits.
    public var intValue: Int? { numberValue?.integer(Int.self) }

    /// The number as the nearest `Double`, if this is one.
    public var doubleValue: Double? { numberValue?.double }

    /// The elements, if this is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// The members, if this is an object.
    public var objectValue: JSONObject? {
        if case .object(let members) = self { return members }
        return nil
    }

    /// The member with a name, if this is an object that has one.
    public subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The element at an index, if this is an array that has one.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Decodes a type from the value.
    ///
    /// - Throws: As `FastJSONDecoder.decode(_:from:)`; locations in errors are those in the value's compact text.
    public func decode<T: Decodable>(_ type: T.Type, using decoder: FastJSONDecoder = FastJSONDecoder()) throws -> T {
        var encoder = FastJSONEncoder()
        encoder.maximumDepth = .max
        return try encoder.withEncoded(self) { try decoder.decode(type, from: $0) }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A number; infinities and not-a-number become `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of several members with the same name the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.maximumDepth = .max
        return (try? encoder.withEncoded(self) { String(decoding: $0, as: UTF8.self) }) ?? ""
    }
}
