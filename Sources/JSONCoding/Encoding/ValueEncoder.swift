/// The encoder that types get: a value being written.
struct ValueEncoder: Encoder {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { node.session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let target = node.begin(.object) ? node : node.detachedNode(key: nil)
        return KeyedEncodingContainer(KeyedEncoding<Key>(node: target))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(node: node.begin(.array) ? node : node.detachedNode(key: nil))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoding(node: node)
    }
}

/// A single value container: the value itself.
struct SingleValueEncoding: SingleValueEncodingContainer {
    let node: EncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    mutating func encodeNil() throws {
        try node.beginScalar(Int?.none as Any)
        node.buffer.append("null")
    }

    mutating func encode(_ value: Bool) throws {
        try node.beginScalar(value)
        node.write(value)
    }

    mutating func encode(_ value: String) throws {
        try node.beginScalar(value)
        node.write(value)
    }

    mutating func encode(_ value: Double) throws {
        try node.beginScalar(value)
        try node.write(value, path: node.codingPath)
    }

    mutating func encode(_ value: Float) throws {
        try node.beginScalar(value)
        try node.write(value, path: node.codingPath)
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try node.check(value, node.codingPath)
        try node.encodeContents(value)
    }

    private func integer<Integer: FixedWidthInteger>(_ value: Integer) throws {
        try node.beginScalar(value)
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
