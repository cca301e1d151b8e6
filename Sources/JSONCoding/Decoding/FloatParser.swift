/// Decimal to binary floating point, correctly rounded, for numbers of up to 19 digits without exponent: nearly all there
/// are.
///
/// If digits and power of ten are both exact in the type, one division gives the correctly rounded quotient (Clinger 1990).
/// Otherwise the integers are divided to 63 bits or more, the remainder is noted in the last bit (rounding to odd), and
/// the conversion to the type rounds once (Boldo and Melquiond 2008).
///
/// The texts are numbers by the grammar of RFC 8259.
enum FloatParser {
    private struct Number {
        /// All digits as one integer.
        var digits: UInt64
        /// How many of them are decimals: `12.5` is 125 and 1.
        var decimals: Int
        var isNegative: Bool
    }

    /// Nil if there is an exponent, or more than 19 digits.
    @inline(__always)
    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Number? {
        guard let start = text.baseAddress else { return nil }
        var position = start
        let end = start + text.count
        let isNegative = position.pointee == ASCII.minus
        if isNegative { position += 1 }
        if end - position > 20 { return nil }
        var digits: UInt64 = 0
        let first = position
        while position < end && position.pointee &- ASCII.zero <= 9 {
            digits = digits &* 10 &+ UInt64(position.pointee &- ASCII.zero)
            position += 1
        }
        if position == end {
            return position - first <= 19 ? Number(digits: digits, decimals: 0, isNegative: isNegative) : nil
        }
        if position.pointee != ASCII.dot { return nil }
        position += 1
        let fraction = position
        while position < end && position.pointee &- ASCII.zero <= 9 {
            digits = digits &* 10 &+ UInt64(position.pointee &- ASCII.zero)
            position += 1
        }
        return position == end ? Number(digits: digits, decimals: end - fraction, isNegative: isNegative) : nil
    }

    @inline(__always)
    static func fastDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let number = parse(text) else { return nil }
        let magnitude =
            number.digits <= 1 &<< 53
            ? Double(number.digits) / exactPower(number.decimals) : quotient(Double.self, number)
        return number.isNegative ? -magnitude : magnitude
    }

    @inline(__always)
    static func fastFloat(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
        guard let number = parse(text) else { return nil }
        let magnitude =
            number.digits <= 1 &<< 24 && number.decimals <= 10
            ? Float(number.digits) / Float(exactPower(number.decimals)) : quotient(Float.self, number)
        return number.isNegative ? -magnitude : magnitude
    }

    /// `digits` through ten to the power of `decimals`. At least 10 to the power of -19, so never subnormal.
    @inline(never)
    private static func quotient<Result: BinaryFloatingPoint>(_ type: Result.Type, _ number: Number) -> Result {
        if number.digits == 0 { return 0 }
        let divisor = integerPower(number.decimals)
        let dividendShift = number.digits.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        let dividend = number.digits << dividendShift
        // The high word is below 2^63 and the divisor not, so that the quotient fits a word, and is at least 2^62.
        let (quotient, remainder) = (divisor << divisorShift).dividingFullWidth((dividend >> 1, dividend << 63))
        let sticky: UInt64 = remainder == 0 ? 0 : 1
        let exponent = divisorShift - dividendShift - 63
        return Result(sign: .plus, exponent: Result.Exponent(exponent), significand: Result(quotient | sticky))
    }

    /// Ten to the power of 0 to 19.
    private static func integerPower(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    /// Ten to the power of 0 to 19: exact.
    @inline(__always)
    private static func exactPower(_ exponent: Int) -> Double {
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
        case 18: 1e18
        default: 1e19
        }
    }
}
