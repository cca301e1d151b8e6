/// A keyed container: the members of an object being written.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: EncodingNode
    private let table: EncodingKeyTable?

    init(node: EncodingNode) {
        self.node = node
        table = node.isWritable ? node.session.tables.table(for: Key.self) : nil
    }

    var codingPath: [any CodingKey] { node.codingPath }

    /// Writes the name of a member.
    @inline(__always)
    private func beginMember(_ key: Key, _ value: @autoclosure () -> Any) throws {
        if !node.isWritable { try node.check(value(), codingPath + [key]) }
        node.beginMember()
        if let table {
            let tag = KeyTag.tag(of: key)
            node.note(tag: tag, of: ObjectIdentifier(table))
            table.append(tag: tag, to: node.buffer) { Self.quoted(name(for: key)) }
        } else {
            node.noteUntaggedName()
            node.write(name(for: key))
        }
        node.writeColon()
    }

    private func name(for key: any CodingKey) -> String {
        node.session.tables.name(for: key, path: codingPath)
    }

    private static func quoted(_ name: String) -> [UInt8] {
        // The table outlives the encode and its slashes option, so names with slashes are written the safe way.
        let buffer = JSONTextBuffer(capacity: name.utf8.count + 16)
        defer { buffer.deallocate() }
        buffer.append(quoted: name, escapingSlashes: false)
        return Array(buffer.bytes)
    }

    /// Writes a member whose value may be refused; then it is taken back.
    @inline(__always)
    private func member(_ key: Key, _ value: @autoclosure () -> Any, _ write: () throws -> Void) throws {
        let mark = node.mark
        try beginMember(key, value())
        do {
            try write()
        } catch {
            node.abandonMember(mark)
            throw error
        }
    }

    mutating func encodeNil(forKey key: Key) throws {
        try beginMember(key, Int?.none as Any)
        node.buffer.append("null")
    }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try member(key, value) { try node.encodeChild(value, key: key) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(KeyedEncoding<NestedKey>(node: nestedNode(.object, key)))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(node: nestedNode(.array, key))
    }

    private func nestedNode(_ kind: EncodingNode.Kind, _ key: Key) -> EncodingNode {
        guard node.isWritable else { return node.detachedNode(key: key) }
        let name = name(for: key)
        if let known = node.session.nestedNode(of: node, named: name), known.begin(kind) { return known }
        let nested = insertNode(kind, key, name)
        node.session.setNestedNode(nested, of: node, named: name)
        return nested
    }

    private func insertNode(_ kind: EncodingNode.Kind, _ key: any CodingKey, _ name: String) -> EncodingNode {
        node.beginMember()
        node.noteUntaggedName()
        node.write(name)
        node.writeColon()
        return node.insertNode(key: key, kind: kind)
    }

    mutating func superEncoder() -> any Encoder { encoder(JSONKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> any Encoder {
        guard node.isWritable else { return ValueEncoder(node: node.detachedNode(key: key)) }
        return ValueEncoder(node: insertNode(.nothing, key, name(for: key)))
    }
}

// The protocol has a method per type.
extension KeyedEncoding {
    mutating func encode(_ value: Bool, forKey key: Key) throws {
        try beginMember(key, value)
        node.write(value)
    }

    mutating func encode(_ value: String, forKey key: Key) throws {
        try beginMember(key, value)
        node.write(value)
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        try member(key, value) { try node.write(value, path: codingPath + [key]) }
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        try member(key, value) { try node.write(value, path: codingPath + [key]) }
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ value: Integer, _ key: Key) throws {
        try beginMember(key, value)
        node.buffer.append(value)
    }

    mutating func encode(_ value: Int, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }
}
