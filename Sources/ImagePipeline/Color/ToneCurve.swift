#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// From 8-bit code values to linear light of 0 to 1, as 256 entries.
struct ToneCurve: Equatable {
    let values: [Float]

    init(_ function: (Double) -> Double) {
        values = (0..<256).map { code in
            let value = function(Double(code) / 255)
            return Float(value.isNaN ? 0 : min(max(value, 0), 1))
        }
    }

    /// IEC 61966-2-1.
    static let sRGB = ToneCurve { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }

    /// A power function.
    static func gamma(_ exponent: Double) -> ToneCurve { ToneCurve { pow($0, exponent) } }

    /// The same light in sRGB's code values, 0 to 1.
    static func encodeSRGB(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// Whether pixels of this curve, taken for sRGB, would be off by less than a code value anywhere.
    var isNearlySRGB: Bool {
        (0..<256).allSatisfy { abs(Self.encodeSRGB(Double(values[$0])) * 255 - Double($0)) < 1 }
    }
}
