/// Checks number literals against the grammar of RFC 8259 section 6.
enum NumberScanner {
    /// What follows the number at `position`, and whether it has a fraction or an exponent; nil if it is malformed.
    @inline(__always) static func scan(from start: BytePointer) -> (end: BytePointer, isInteger: Bool)? {
        var position = start
        if position.pointee == ASCII.minus { position += 1 }
        let first = position.pointee &- ASCII.zero
        if first > 9 { return nil }
        position += 1
        // A zero stands alone: 01 is not a number.
        if first != 0 { position = skipDigits(position) } else if isDigit(position.pointee) { return nil }
        let next = position.pointee
        if next != ASCII.dot && next | 0x20 != 0x65 { return (position, true) }
        guard let end = skipFractionAndExponent(from: position) else { return nil }
        return (end, false)
    }

    private static func skipFractionAndExponent(from start: BytePointer) -> BytePointer? {
        var position = start
        if position.pointee == ASCII.dot {
            position += 1
            if !isDigit(position.pointee) { return nil }
            position = skipDigits(position)
        }
        if position.pointee | 0x20 == 0x65 {
            position += 1
            if position.pointee == ASCII.plus || position.pointee == ASCII.minus { position += 1 }
            if !isDigit(position.pointee) { return nil }
            position = skipDigits(position)
        }
        return position
    }

    @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- ASCII.zero <= 9
    }

    @inline(__always) private static func skipDigits(_ start: BytePointer) -> BytePointer {
        var position = start
        while isDigit(position.pointee) { position += 1 }
        return position
    }
}
