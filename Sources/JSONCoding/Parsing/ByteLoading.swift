/// A position in a document. Every document is followed by `BytePadding.count` zero bytes, so that a whole word can be
/// loaded at any of its bytes, and so that every scan stops at the end without comparing addresses.
typealias BytePointer = UnsafePointer<UInt8>

enum BytePadding {
    /// Zero bytes kept after a document.
    static let count = 32
}

extension UnsafePointer where Pointee == UInt8 {
    /// The eight bytes from here on; the first one is the least significant.
    @inline(__always) func word() -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self))
    }

    /// The four bytes from here on; the first one is the least significant.
    @inline(__always) func halfWord() -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt32.self))
    }
}

/// ASCII bytes with a meaning in JSON (RFC 8259 section 2).
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let minus: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D

    /// `true`, `alse` (of `false`) and `null` as little-endian half words.
    static let trueWord: UInt32 = 0x6575_7274
    static let alseWord: UInt32 = 0x6573_6C61
    static let nullWord: UInt32 = 0x6C6C_756E

    /// The value of a hexadecimal digit, or a number above 15.
    @inline(__always) static func hexadecimalValue(_ byte: UInt8) -> UInt32 {
        let digit = byte &- zero
        if digit <= 9 { return UInt32(digit) }
        let letter = (byte | 0x20) &- 0x61
        return letter <= 5 ? UInt32(letter) + 10 : 99
    }
}
