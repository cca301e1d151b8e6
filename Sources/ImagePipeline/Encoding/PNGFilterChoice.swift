#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PNGEncodingOptions.Filter {
    /// The filter that leaves the fewest bits by the entropy of its output over a sample of rows.
    ///
    /// Entropy does not see repetition, which is what makes flat graphics small; so unfiltered pixels win when
    /// much of the image repeats what is left or above.
    static func choose(for bytes: UnsafeBufferPointer<UInt8>, bytesPerRow: Int, pixelBytes: Int, height: Int) -> Self {
        guard height > 1, bytesPerRow > 0 else { return .sub }
        let candidates: [Self] = [.none, .sub, .up, .average, .paeth]
        var histograms = [[Int32]](repeating: [Int32](repeating: 0, count: 256), count: candidates.count)
        var repeated = 0
        var total = 0
        let step = max(1, height / 24)
        for y in stride(from: step / 2 + 1, to: height, by: step) {
            let row = y * bytesPerRow
            for x in pixelBytes..<max(bytesPerRow, pixelBytes) {
                let value = bytes[row + x]
                let left = bytes[row + x - pixelBytes]
                let above = bytes[row + x - bytesPerRow]
                let corner = bytes[row + x - bytesPerRow - pixelBytes]
                histograms[0][Int(value)] += 1
                histograms[1][Int(value &- left)] += 1
                histograms[2][Int(value &- above)] += 1
                histograms[3][Int(value &- UInt8((Int(left) + Int(above)) / 2))] += 1
                histograms[4][Int(value &- paeth(left, above, corner))] += 1
                if value == left, value == above { repeated += 1 }
                total += 1
            }
        }
        guard total > 0 else { return .sub }
        if repeated * 10 > total * 7 { return .none }
        var best = Self.sub
        var bestBits = Double.infinity
        for (candidate, histogram) in zip(candidates, histograms) {
            let bits = histogram.reduce(0.0) { sum, count in
                count == 0 ? sum : sum - Double(count) * log2(Double(count) / Double(total))
            }
            if bits < bestBits {
                best = candidate
                bestBits = bits
            }
        }
        return best
    }

    private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(above) - Int(corner)
        let toLeft = abs(estimate - Int(left))
        let toAbove = abs(estimate - Int(above))
        let toCorner = abs(estimate - Int(corner))
        if toLeft <= toAbove && toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
