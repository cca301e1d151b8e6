/// An unkeyed container: the elements of an array being written.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { node.count }

    private var indexKey: JSONKey { JSONKey(index: node.count) }

    @inline(__always)
    private func beginElement(_ value: @autoclosure () -> Any) throws {
        if !node.isWritable { try node.check(value(), codingPath + [indexKey]) }
        node.beginMember()
    }

    /// Writes an element whose value may be refused; then it is taken back.
    @inline(__always)
    private func element(_ value: @autoclosure () -> Any, _ write: (JSONKey) throws -> Void) throws {
        let mark = node.mark
        let key = indexKey
        try beginElement(value())
        do {
            try write(key)
        } catch {
            node.abandonMember(mark)
            throw error
        }
    }

    mutating func encodeNil() throws {
        try beginElement(Int?.none as Any)
        node.buffer.append("null")
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try element(value) { try node.encodeChild(value, key: $0) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(KeyedEncoding<NestedKey>(node: insertNode(.object)))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(node: insertNode(.array))
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(node: insertNode(.nothing))
    }

    private func insertNode(_ kind: EncodingNode.Kind) -> EncodingNode {
        let key = indexKey
        guard node.isWritable else { return node.detachedNode(key: key) }
        node.beginMember()
        return node.insertNode(key: key, kind: kind)
    }
}

// The protocol has a method per type.
extension UnkeyedEncoding {
    mutating func encode(_ value: Bool) throws {
        try beginElement(value)
        node.write(value)
    }

    mutating func encode(_ value: String) throws {
        try beginElement(value)
        node.write(value)
    }

    mutating func encode(_ value: Double) throws {
        try element(value) { try node.write(value, path: codingPath + [$0]) }
    }

    mutating func encode(_ value: Float) throws {
        try element(value) { try node.write(value, path: codingPath + [$0]) }
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ value: Integer) throws {
        try beginElement(value)
        node.buffer.append(value)
    }

    mutating func encode(_ value: Int) throws { try integer(value) }
    mutating func encode(_ value: Int8) throws { try integer(value) }
    mutating func encode(_ value: Int16) throws { try integer(value) }
    mutating func encode(_ value: Int32) throws { try integer(value) }
    mutating func encode(_ value: Int64) throws { try integer(value) }
    mutating func encode(_ value: Int128) throws { try integer(value) }
    mutating func encode(_ value: UInt) throws { try integer(value) }
    mutating func encode(_ value: UInt8) throws { try integer(value) }
    mutating func encode(_ value: UInt16) throws { try integer(value) }
    mutating func encode(_ value: UInt32) throws { try integer(value) }
    mutating func encode(_ value: UInt64) throws { try integer(value) }
    mutating func encode(_ value: UInt128) throws { try integer(value) }
}
