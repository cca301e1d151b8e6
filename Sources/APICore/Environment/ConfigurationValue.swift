/// A value in a configuration file.
public enum ConfigurationValue: Sendable, Hashable, Codable, CustomStringConvertible {
    /// `null`.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// Text, its `${VARIABLE}`s replaced.
    case string(String)
    /// A list.
    case array([ConfigurationValue])
    /// Named values.
    case object([String: ConfigurationValue])

    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([ConfigurationValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: ConfigurationValue].self))
        }
    }

    /// Writes the JSON value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The text, if it is one.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, if it is one.
    public var numberValue: Double? { if case .number(let value) = self { value } else { nil } }
    /// The truth value, if it is one.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// What kind of value it is, for error messages: the value itself may be secret.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
