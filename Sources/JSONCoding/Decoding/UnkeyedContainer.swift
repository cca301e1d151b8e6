/// An unkeyed container: the elements of an array.
///
/// As small as an existential's inline buffer, so that making one allocates nothing.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let start: UInt32
    private var cursor: UInt32
    private var position: UInt32 = 0
    private let level: UInt32

    init(session: DecodingSession, start: Int, depth: Int) {
        self.session = session
        self.start = UInt32(truncatingIfNeeded: start)
        cursor = UInt32(truncatingIfNeeded: start &+ 1)
        level = UInt32(truncatingIfNeeded: depth)
    }

    private var reader: DocumentReader { session.reader }
    private var entries: UnsafeMutablePointer<TapeEntry> { session.state.pointee.entries }
    private var index: Int { Int(cursor) }
    private var childDepth: Int { Int(level) &+ 1 }

    var codingPath: [any CodingKey] { reader.path(to: Int(start), depth: Int(level)) }
    var count: Int? { entries.memberCount(of: Int(start)) }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { entries[index].kind == Token.end }

    /// Moves past the element that was decoded.
    @inline(__always)
    private mutating func advance() {
        cursor = UInt32(truncatingIfNeeded: entries.next(after: index))
        position &+= 1
    }

    @inline(__always)
    private func checkNotAtEnd(_ type: any Any.Type) throws {
        if isAtEnd { throw atEnd(type) }
    }

    @inline(never)
    private func atEnd(_ type: any Any.Type) -> DecodingError {
        let found = reader.context(
            "Unkeyed container is at end.", at: Int(start), depth: Int(level), element: nil)
        return .valueNotFound(
            type,
            .init(
                codingPath: found.codingPath + [JSONKey(index: currentIndex)],
                debugDescription: found.debugDescription, underlyingError: found.underlyingError))
    }

    /// Whether there is an element that is not null; if not, the element, or the place after the last, is passed.
    @inline(__always)
    private mutating func skipNull() -> Bool {
        if isAtEnd {
            position &+= 1
            return true
        }
        if !reader.isNull(at: index) { return false }
        advance()
        return true
    }

    mutating func decodeNil() throws -> Bool {
        try checkNotAtEnd(Never.self)
        guard reader.isNull(at: index) else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try checkNotAtEnd(type)
        let value = try reader.value(type, at: index, depth: childDepth, element: currentIndex)
        advance()
        return value
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        skipNull() ? nil : try decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try checkNotAtEnd(KeyedDecodingContainer<NestedKey>.self)
        let container = try reader.keyedContainer(type, at: enter(), depth: childDepth)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try checkNotAtEnd((any UnkeyedDecodingContainer).self)
        let container = try reader.unkeyedContainer(at: enter(), depth: childDepth)
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        try checkNotAtEnd((any Decoder).self)
        let decoder = ValueDecoder(session: session, index: enter(), depth: childDepth)
        advance()
        return decoder
    }

    /// Notes the element as the value at its depth, for coding paths.
    private func enter() -> Int {
        session.state.pointee.nodes[childDepth] = PathNode(index: index, element: currentIndex)
        return index
    }
}

// The protocol has a method per type.
extension UnkeyedContainer {
    @inline(__always)
    private mutating func scalar<T>(_ decode: (_ index: Int, _ depth: Int, _ element: Int) throws -> T) throws -> T {
        try checkNotAtEnd(T.self)
        let value = try decode(index, childDepth, currentIndex)
        advance()
        return value
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try scalar { [reader] in try reader.bool(at: $0, depth: $1, element: $2) }
    }

    mutating func decode(_ type: String.Type) throws -> String {
        try scalar { [reader] in try reader.string(at: $0, depth: $1, element: $2) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try scalar { [reader] in try reader.double(at: $0, depth: $1, element: $2) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try scalar { [reader] in try reader.float(at: $0, depth: $1, element: $2) }
    }

    @inline(__always)
    private mutating func integer<Integer: FixedWidthInteger>() throws -> Integer {
        try scalar { [reader] in try reader.integer(Integer.self, at: $0, depth: $1, element: $2) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { skipNull() ? nil : try decode(type) }
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { skipNull() ? nil : try decode(type) }
}
