#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The kernel that weighs source pixels by their distance from a target pixel. When shrinking it is widened by the
/// factor, so that nothing is left out.
public enum ResampleFilter: String, Sendable, Hashable, CaseIterable {
    /// Windowed sinc over three lobes: the sharpest, with slight halos. The default.
    case lanczos3
    /// The cubic with B = 0, C = 1/2.
    case catmullRom
    /// The cubic with B = C = 1/3 (Mitchell and Netravali, 1988): softer, nearly without halos.
    case mitchell
    /// The plain average of the area a target pixel covers.
    case box

    /// Half the width, in target pixels when shrinking.
    var support: Double {
        switch self {
        case .lanczos3: 3
        case .catmullRom, .mitchell: 2
        case .box: 0.5
        }
    }

    func weight(_ distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .lanczos3:
            if x >= 3 { return 0 }
            if x < 1e-9 { return 1 }
            let angle = Double.pi * x
            return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
        case .catmullRom: return Self.cubic(x, b: 0, c: 0.5)
        case .mitchell: return Self.cubic(x, b: 1.0 / 3, c: 1.0 / 3)
        case .box: return x < 0.5 || distance == -0.5 ? 1 : 0
        }
    }

    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6 }
        if x < 2 {
            return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
        }
        return 0
    }
}
