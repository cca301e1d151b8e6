/// A member of a PATCH body that can be left out, set to null, or set to a value (RFC 7396): an `Optional` cannot tell the
/// first two apart.
///
/// ```swift
/// struct UserPatch: Codable {
///     var name: PatchValue<String> = .absent
///     var phone: PatchValue<String> = .absent
/// }
///
/// UserPatch(name: .value("Ada"), phone: .null)   // {"name":"Ada","phone":null}
/// UserPatch(phone: .null)                        // {"phone":null}
/// ```
///
/// Works in types with synthesised or hand-written `Codable` conformances and with every encoder and decoder, as long as it
/// is encoded and decoded through a keyed container.
public enum PatchValue<Wrapped> {
    /// The member is left out: the resource's value stays.
    case absent
    /// The member is null: the resource's value is removed.
    case null
    /// The member has a value, which replaces the resource's.
    case value(Wrapped)

    /// A value, or null if there is none.
    public init(_ wrapped: Wrapped?) {
        if let wrapped { self = .value(wrapped) } else { self = .null }
    }

    /// The value, if there is one.
    public var wrapped: Wrapped? {
        if case .value(let wrapped) = self { return wrapped }
        return nil
    }

    /// Whether the member is left out.
    public var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    /// Whether the member is null.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The same state with the value transformed.
    public func map<Other>(_ transform: (Wrapped) throws -> Other) rethrows -> PatchValue<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let wrapped): .value(try transform(wrapped))
        }
    }

    /// `current` as it is after the patch.
    public func applied(to current: Wrapped?) -> Wrapped? {
        switch self {
        case .absent: current
        case .null: nil
        case .value(let wrapped): wrapped
        }
    }
}

extension PatchValue: Sendable where Wrapped: Sendable {}
extension PatchValue: Equatable where Wrapped: Equatable {}
extension PatchValue: Hashable where Wrapped: Hashable {}

extension PatchValue: Decodable where Wrapped: Decodable {
    /// Decodes null or a value. That a member is absent is seen by the keyed container.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Wrapped.self))
    }
}

extension PatchValue: Encodable where Wrapped: Encodable {
    /// Encodes null or the value. Throws for `absent`, which only a keyed container can leave out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .absent:
            let message = "An absent PatchValue can only be encoded as a member of an object."
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
        case .null: try container.encodeNil()
        case .value(let wrapped): try container.encode(wrapped)
        }
    }
}

// Synthesised conformances call these, as they are more specific than the methods for any type.
extension KeyedDecodingContainer {
    /// Decodes a member that may be absent, null or a value.
    public func decode<Wrapped: Decodable>(
        _ type: PatchValue<Wrapped>.Type, forKey key: Key
    ) throws -> PatchValue<Wrapped> {
        guard contains(key) else { return .absent }
        if try decodeNil(forKey: key) { return .null }
        return .value(try decode(Wrapped.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a member unless it is absent.
    public mutating func encode<Wrapped: Encodable>(_ value: PatchValue<Wrapped>, forKey key: Key) throws {
        switch value {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let wrapped): try encode(wrapped, forKey: key)
        }
    }
}
