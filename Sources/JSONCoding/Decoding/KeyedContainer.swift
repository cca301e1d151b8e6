/// A keyed container: the members of an object.
///
/// `Owner` keeps the slot, unless the session's pool does, see `KeyedContainerPool`.
struct KeyedContainer<Key: CodingKey, Owner>: KeyedDecodingContainerProtocol {
    let slot: UnsafeMutablePointer<KeyedSlot.State>
    let owner: Owner

    private var reader: DocumentReader { slot.pointee.reader }
    private var start: Int { slot.pointee.start }
    private var depth: Int { slot.pointee.depth }

    var codingPath: [any CodingKey] { reader.path(to: start, depth: depth) }

    /// The keys in document order, each once.
    var allKeys: [Key] {
        var seen: Set<String> = []
        var keys: [Key] = []
        slot.forEachKey { name, _ in
            if seen.insert(name).inserted, let key = Key(stringValue: name) { keys.append(key) }
        }
        return keys
    }

    func contains(_ key: Key) -> Bool {
        slot.find(key) != 0
    }

    /// The tape index of the value for a key.
    @inline(__always)
    private func find(_ key: Key) throws -> Int {
        let index = slot.find(key)
        if index == 0 { throw reader.keyNotFound(key, in: start, depth: depth) }
        return index
    }

    /// The tape index of the value for a key, or nil if there is none or it is null.
    @inline(__always)
    private func findValue(_ key: Key) -> Int? {
        let index = slot.find(key)
        return index == 0 || reader.isNull(at: index) ? nil : index
    }

    @inline(__always)
    private var childDepth: Int { slot.pointee.depth &+ 1 }

    func decodeNil(forKey key: Key) throws -> Bool {
        reader.isNull(at: try find(key))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reader.value(type, at: try find(key), depth: childDepth, element: element(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = findValue(key) else { return nil }
        return try reader.value(type, at: index, depth: childDepth, element: element(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try reader.keyedContainer(type, at: try enter(find(key), key), depth: childDepth)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader.unkeyedContainer(at: try enter(find(key), key), depth: childDepth)
    }

    func superDecoder() throws -> any Decoder {
        decoder(at: slot.findByString(JSONKey.super.stringValue), JSONKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder(at: slot.find(key), key)
    }

    private func decoder(at index: Int, _ key: any CodingKey) -> any Decoder {
        if index == 0 {
            return AbsentValueDecoder(codingPath: codingPath + [key], userInfo: reader.session.options.userInfo)
        }
        return ValueDecoder(session: reader.session, index: enter(index, key), depth: childDepth)
    }

    /// Notes a child as the value at its depth, for coding paths.
    private func enter(_ index: Int, _ key: any CodingKey) -> Int {
        let element = key.intValue == nil ? PathNode.convertedName : PathNode.integerName
        reader.state.pointee.nodes[childDepth] = PathNode(index: index, element: element)
        return index
    }

    /// What coding paths need to know about a key.
    @inline(__always)
    private func element(_ key: Key) -> Int {
        slot.pointee.usesTags || key.intValue == nil ? PathNode.convertedName : PathNode.integerName
    }
}

// The protocol has a method per type.
extension KeyedContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try reader.bool(at: try find(key), depth: childDepth, element: element(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let index = findValue(key) else { return nil }
        return try reader.bool(at: index, depth: childDepth, element: element(key))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try reader.string(at: try find(key), depth: childDepth, element: element(key))
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = findValue(key) else { return nil }
        return try reader.string(at: index, depth: childDepth, element: element(key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try reader.double(at: try find(key), depth: childDepth, element: element(key))
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let index = findValue(key) else { return nil }
        return try reader.double(at: index, depth: childDepth, element: element(key))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try reader.float(at: try find(key), depth: childDepth, element: element(key))
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let index = findValue(key) else { return nil }
        return try reader.float(at: index, depth: childDepth, element: element(key))
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
        try reader.integer(
            Integer.self, at: try find(key), depth: childDepth, element: element(key))
    }

    @inline(__always)
    private func integerIfPresent<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer? {
        guard let index = findValue(key) else { return nil }
        return try reader.integer(Integer.self, at: index, depth: childDepth, element: element(key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(key) }
}
