/// The ASCII form of an international host label (RFC 3492, and RFC 5891 for its use in host names).
enum Punycode {
    private static let base: UInt32 = 36
    private static let tMin: UInt32 = 1
    private static let tMax: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damp: UInt32 = 700
    private static let initialBias: UInt32 = 72
    private static let initialN: UInt32 = 128

    /// `xn--` and the encoded label, or `nil` when it does not fit the algorithm's range or the 63 bytes of a label
    /// (RFC 1035 section 2.3.4). A label of ASCII only comes back as it is.
    static func asciiLabel(_ label: some StringProtocol) -> String? {
        let scalars = label.unicodeScalars.map(\.value)
        if scalars.allSatisfy({ $0 < 128 }) { return scalars.count <= 63 ? String(label) : nil }
        // The bound also keeps every sum below inside 32 bits: 64 * 0x10FFFF < 2^32.
        guard scalars.count <= 63, let encoded = encode(scalars), encoded.utf8.count <= 59 else { return nil }
        return "xn--" + encoded
    }

    /// RFC 3492 section 6.3.
    private static func encode(_ input: [UInt32]) -> String? {
        var output = input.filter { $0 < 128 }.map { UInt8($0) }
        let basicCount = UInt32(output.count)
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var n = initialN
        var delta: UInt32 = 0
        var bias = initialBias
        while handled < UInt32(input.count) {
            guard let m = input.lazy.filter({ $0 >= n }).min() else { return nil }
            let (step, overflow) = (m - n).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflowed) = delta.addingReportingOverflow(step)
            guard !overflow, !overflowed else { return nil }
            delta = sum
            n = m
            for scalar in input {
                if scalar < n { delta += 1 }
                guard scalar == n else { continue }
                var q = delta
                var k = base
                while true {
                    let threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
                    if q < threshold { break }
                    output.append(digit(threshold + (q - threshold) % (base - threshold)))
                    q = (q - threshold) / (base - threshold)
                    k += base
                }
                output.append(digit(q))
                bias = adapt(delta, points: handled + 1, first: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        value < 26 ? UInt8(value) + UInt8(ascii: "a") : UInt8(value - 26) + UInt8(ascii: "0")
    }

    /// RFC 3492 section 6.1.
    private static func adapt(_ delta: UInt32, points: UInt32, first: Bool) -> UInt32 {
        var delta = first ? delta / damp : delta / 2
        delta += delta / points
        var k: UInt32 = 0
        while delta > ((base - tMin) * tMax) / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }
}
