/// Finds the end of string literals and checks what is in them: escapes, control characters and UTF-8
/// (RFC 8259 sections 7 and 8.1, RFC 3629).
enum StringScanner {
    /// A literal that was read to its closing quote.
    struct Literal {
        /// The closing quote.
        var end: BytePointer
        var hasEscapes: Bool
        var isASCII: Bool
    }

    /// Why a literal was refused, and the offset of the byte that is wrong from the start given.
    struct Failure: Error {
        var reason: JSONSyntaxError.Reason
        var offset: Int
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The first byte from `start` on that is a quote, a backslash, a control character or not ASCII.
    ///
    /// Eight bytes at a time: the high bit of each byte that may be one of those is set; borrows only travel upwards, so
    /// the lowest bit set is exact.
    @inline(__always) static func firstSpecialByte(from start: BytePointer) -> BytePointer {
        var position = start
        while true {
            let word = position.word()
            let quotes = (word ^ (ones &* 0x22)) &- ones
            let backslashes = (word ^ (ones &* 0x5C)) &- ones
            let controls = word &- (ones &* 0x20)
            let special = (quotes | backslashes | controls | word) & highBits
            if special != 0 { return position + (special.trailingZeroBitCount &>> 3) }
            position += 8
        }
    }

    /// Reads the rest of a literal of which a part may be escaped or not ASCII. `start` follows the opening quote.
    @inline(never) static func scan(from start: BytePointer) throws(Failure) -> Literal {
        var literal = Literal(end: start, hasEscapes: false, isASCII: true)
        var position = start
        while true {
            position = firstSpecialByte(from: position)
            let byte = position.pointee
            if byte == ASCII.quote {
                literal.end = position
                return literal
            }
            if byte == ASCII.backslash {
                literal.hasEscapes = true
                guard let reason = skipEscape(at: &position) else { continue }
                throw Failure(reason: reason, offset: position - start)
            } else if byte < ASCII.space {
                throw Failure(reason: .controlCharacter, offset: position - start)
            } else {
                literal.isASCII = false
                while position.pointee >= 0x80 {
                    let length = sequenceLength(at: position)
                    if length == 0 { throw Failure(reason: .invalidUTF8, offset: position - start) }
                    position += length
                }
            }
        }
    }

    /// Moves past one escape sequence, or says what is wrong with it. A surrogate must be half of a pair: a lone one stands
    /// for no character, and could not be kept in a `String`.
    private static func skipEscape(at position: inout BytePointer) -> JSONSyntaxError.Reason? {
        switch position[1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74:
            position += 2
        case 0x75:
            guard let unit = codeUnit(at: position + 2) else { return .invalidEscape }
            if unit & 0xF800 != 0xD800 {
                position += 6
                return nil
            }
            guard unit < 0xDC00, position[6] == ASCII.backslash, position[7] == 0x75,
                let low = codeUnit(at: position + 8), low & 0xFC00 == 0xDC00
            else { return .loneSurrogate }
            position += 12
        default:
            return .invalidEscape
        }
        return nil
    }

    /// The code unit that four hexadecimal digits spell, or nil if they are not that.
    ///
    /// Reads on only while the bytes are digits, so it never passes the zero bytes after the document.
    @inline(__always) static func codeUnit(at position: BytePointer) -> UInt32? {
        var unit: UInt32 = 0
        for offset in 0..<4 {
            let value = ASCII.hexadecimalValue(position[offset])
            if value > 15 { return nil }
            unit = unit &<< 4 | value
        }
        return unit
    }

    /// The length of the UTF-8 sequence at `position`, whose first byte is not ASCII; 0 if it is malformed, overlong, a
    /// surrogate or past U+10FFFF (RFC 3629 section 4).
    @inline(__always) static func sequenceLength(at position: BytePointer) -> Int {
        let first = position[0]
        if first < 0xC2 { return 0 }
        let second = position[1]
        if second & 0xC0 != 0x80 { return 0 }
        if first < 0xE0 { return 2 }
        if position[2] & 0xC0 != 0x80 { return 0 }
        if first < 0xF0 {
            if first == 0xE0 && second < 0xA0 { return 0 }
            if first == 0xED && second > 0x9F { return 0 }
            return 3
        }
        if first > 0xF4 || position[3] & 0xC0 != 0x80 { return 0 }
        if first == 0xF0 && second < 0x90 { return 0 }
        if first == 0xF4 && second > 0x8F { return 0 }
        return 4
    }
}
