/// The digits of a number by the grammar of RFC 8259, to decide exactly which integer it is: `1.50e2` is 150.
struct DecimalDigits {
    private let text: UnsafeBufferPointer<UInt8>

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    /// Sign and magnitude of an integer.
    struct Integer {
        var isNegative: Bool
        var magnitude: UInt128

        /// The integer as a type that can hold it.
        func exactly<Target: FixedWidthInteger>(_ type: Target.Type) -> Target? {
            if !isNegative { return Target(exactly: magnitude) }
            let limit = UInt128(1) << 127
            if magnitude > limit { return nil }
            return Target(exactly: magnitude == limit ? Int128.min : -Int128(magnitude))
        }
    }

    /// Whether all digits are zeros.
    var isZero: Bool {
        for byte in text {
            if byte | 0x20 == 0x65 { return true }
            if byte > ASCII.zero && byte <= ASCII.zero + 9 { return false }
        }
        return true
    }

    var isNegative: Bool { text.first == ASCII.minus }

    private var mantissa: Slice<UnsafeBufferPointer<UInt8>> { text.prefix { $0 | 0x20 != 0x65 } }

    /// The digits without the zeros at both ends.
    var significantDigits: [UInt8] {
        let digits = mantissa.filter { $0 &- ASCII.zero <= 9 }.drop { $0 == ASCII.zero }
        return Array(digits.dropLast(digits.reversed().prefix { $0 == ASCII.zero }.count))
    }

    /// The number is `significantDigits` times ten to this power; nil if the power is beyond all sense.
    var exponent: Int? {
        let mantissa = mantissa
        let fraction = mantissa.firstIndex(of: ASCII.dot).map { mantissa.endIndex - $0 - 1 } ?? 0
        let zeros = mantissa.reversed().lazy.filter { $0 != ASCII.dot }.prefix { $0 == ASCII.zero }.count
        return writtenExponent(from: mantissa.endIndex).map { $0 - fraction + zeros }
    }

    /// The integer that the number is; nil if it has a fraction or more than 128 bits.
    var integer: Integer? {
        if isZero { return Integer(isNegative: false, magnitude: 0) }
        guard let power = exponent, power >= 0, power <= 38 else { return nil }
        var magnitude: UInt128 = 0
        for digit in significantDigits {
            guard let next = Self.append(UInt128(digit - ASCII.zero), to: magnitude) else { return nil }
            magnitude = next
        }
        for _ in 0..<power {
            guard let next = Self.append(0, to: magnitude) else { return nil }
            magnitude = next
        }
        return Integer(isNegative: isNegative, magnitude: magnitude)
    }

    private static func append(_ digit: UInt128, to number: UInt128) -> UInt128? {
        let (product, overflows) = number.multipliedReportingOverflow(by: 10)
        let (sum, carries) = product.addingReportingOverflow(digit)
        return overflows || carries ? nil : sum
    }

    /// The exponent after the mantissa, 0 if there is none; nil if it is beyond what any number of digits makes up for.
    private func writtenExponent(from end: Int) -> Int? {
        guard end < text.count else { return 0 }
        var index = end + 1
        let isNegative = text[index] == ASCII.minus
        if isNegative || text[index] == ASCII.plus { index += 1 }
        var exponent = 0
        while index < text.count {
            exponent = exponent * 10 + Int(text[index] - ASCII.zero)
            if exponent > 1 << 32 { return nil }
            index += 1
        }
        return isNegative ? -exponent : exponent
    }
}
