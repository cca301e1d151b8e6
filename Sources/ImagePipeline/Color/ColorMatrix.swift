/// A 3x3 matrix acting on linear RGB, by rows.
struct ColorMatrix: Equatable {
    var rows: [SIMD3<Double>]

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) { rows = [first, second, third] }

    static let identity = ColorMatrix([1, 0, 0], [0, 1, 0], [0, 0, 1])

    /// sRGB's primaries in the profile connection space, adapted to D50 (as in every sRGB profile).
    static let sRGBToPCS = ColorMatrix(
        [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733])
    static let pcsToSRGB = ColorMatrix(
        [3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540], [0.0719453, -0.2289914, 1.4052427])

    func multiplied(by other: ColorMatrix) -> ColorMatrix {
        var result = Self.identity
        for row in 0..<3 {
            result.rows[row] =
                other.rows[0] * rows[row].x + other.rows[1] * rows[row].y + other.rows[2] * rows[row].z
        }
        return result
    }

    func isClose(to other: ColorMatrix, within tolerance: Double) -> Bool {
        (0..<3).allSatisfy { row in
            (0..<3).allSatisfy { abs(rows[row][$0] - other.rows[row][$0]) <= tolerance }
        }
    }
}
