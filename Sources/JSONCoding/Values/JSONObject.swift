/// The members of a JSON object in their order.
///
/// Equality and hash values do not depend on the order (RFC 8259 section 4).
public struct JSONObject: Sendable {
    /// The names in order.
    public private(set) var names: [String] = []
    private var values: [String: JSONValue] = [:]

    /// An empty object.
    public init() {}

    /// An object with members in this order; of several with the same name the last counts, in the place of the first.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The number of members.
    public var count: Int { names.count }

    /// Whether there are no members.
    public var isEmpty: Bool { names.isEmpty }

    /// The member with a name. A new one is added at the end; setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set {
            if values[name] == nil {
                if newValue != nil { names.append(name) }
            } else if newValue == nil {
                names.removeAll { $0 == name }
            }
            values[name] = newValue
        }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool { left.values == right.values }

    /// Hashes the members without their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension JSONObject: Sequence {
    /// Goes over the members in order.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: JSONValue)> {
        names.lazy.map { (name: $0, value: values[$0] ?? .null) }.makeIterator()
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object with members in this order; of several with the same name the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: Codable {
    /// Decodes an object.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard case .object(let object) = value else {
            let message = "Expected to decode an object but found something else instead."
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: decoder.codingPath, debugDescription: message))
        }
        self = object
    }

    /// Encodes the members in order.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.object(self).encode(to: encoder)
    }
}
