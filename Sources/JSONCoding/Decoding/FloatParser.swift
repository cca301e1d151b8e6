/// Decimal to binary floating point for the numbers that are easy: those whose digits and power of ten are both exact in
/// the type, where one correctly rounded division or multiplication gives the correctly rounded result (Clinger 1990).
///
/// The texts are numbers by the grammar of RFC 8259, followed by a byte that is no digit.
enum FloatParser {
    /// Digits and power of ten of a number without exponent: `-12.5` is 125 and -1. Nil if there are more digits than 64
    /// bits hold, or an exponent.
    @inline(__always)
    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> (digits: UInt64, decimals: Int, isNegative: Bool)? {
        guard let start = text.baseAddress, text.count <= 20 else { return nil }
        var position = start
        let end = start + text.count
        let isNegative = position.pointee == ASCII.minus
        if isNegative { position += 1 }
        if end - position > 19 { return nil }
        var digits: UInt64 = 0
        while position < end && position.pointee &- ASCII.zero <= 9 {
            digits = digits &* 10 &+ UInt64(position.pointee &- ASCII.zero)
            position += 1
        }
        if position == end { return (digits, 0, isNegative) }
        if position.pointee != ASCII.dot { return nil }
        position += 1
        let fraction = position
        while position < end && position.pointee &- ASCII.zero <= 9 {
            digits = digits &* 10 &+ UInt64(position.pointee &- ASCII.zero)
            position += 1
        }
        return position == end ? (digits, end - fraction, isNegative) : nil
    }

    @inline(__always)
    static func fastDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let number = parse(text), number.digits <= 1 &<< 53 else { return nil }
        let magnitude = Double(number.digits) / doublePower(number.decimals)
        return number.isNegative ? -magnitude : magnitude
    }

    @inline(__always)
    static func fastFloat(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
        guard let number = parse(text), number.digits <= 1 &<< 24, number.decimals <= 10 else { return nil }
        let magnitude = Float(number.digits) / Float(doublePower(number.decimals))
        return number.isNegative ? -magnitude : magnitude
    }

    /// Ten to the power of 0 to 18: exact.
    @inline(__always)
    private static func doublePower(_ exponent: Int) -> Double {
        switch exponent {
        case 0: 1
        case 1: 1e1
        case 2: 1e2
        case 3: 1e3
        case 4: 1e4
        case 5: 1e5
        case 6: 1e6
        case 7: 1e7
        case 8: 1e8
        case 9: 1e9
        case 10: 1e10
        case 11: 1e11
        case 12: 1e12
        case 13: 1e13
        case 14: 1e14
        case 15: 1e15
        case 16: 1e16
        case 17: 1e17
        default: 1e18
        }
    }
}
