/// A single value container: the value itself.
struct SingleValueContainer: SingleValueDecodingContainer {
    let session: DecodingSession
    let index: Int
    let depth: Int

    private var reader: DocumentReader { session.reader }

    var codingPath: [any CodingKey] { reader.path(to: index, depth: depth) }

    func decodeNil() -> Bool { reader.isNull(at: index) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try reader.value(type, at: index, depth: depth, element: element)
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        try reader.bool(at: index, depth: depth, element: element)
    }

    func decode(_ type: String.Type) throws -> String {
        try reader.string(at: index, depth: depth, element: element)
    }

    func decode(_ type: Double.Type) throws -> Double {
        try reader.double(at: index, depth: depth, element: element)
    }

    func decode(_ type: Float.Type) throws -> Float {
        try reader.float(at: index, depth: depth, element: element)
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>() throws -> Integer {
        try reader.integer(Integer.self, at: index, depth: depth, element: element)
    }

    /// The value's position in its parent, as it was noted when the decoder was made.
    private var element: Int { reader.noted(depth) }

    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }
}
