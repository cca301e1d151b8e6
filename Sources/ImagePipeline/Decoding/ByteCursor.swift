/// Reads big- or little-endian integers from bytes of unknown origin; past the end everything is nil.
struct ByteCursor {
    let bytes: UnsafeRawBufferPointer
    var offset: Int
    var isBigEndian: Bool

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, bigEndian: Bool = true) {
        self.bytes = bytes
        self.offset = offset
        isBigEndian = bigEndian
    }

    var remaining: Int { max(0, bytes.count - offset) }

    mutating func byte() -> UInt8? {
        guard offset >= 0, offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func uint16() -> Int? {
        guard remaining >= 2, let a = byte(), let b = byte() else { return nil }
        return isBigEndian ? Int(a) << 8 | Int(b) : Int(b) << 8 | Int(a)
    }

    mutating func uint32() -> Int? {
        guard remaining >= 4, let a = uint16(), let b = uint16() else { return nil }
        return isBigEndian ? a << 16 | b : b << 16 | a
    }

    /// A slice without copying; nil when it would pass the end.
    mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, offset >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }
}
