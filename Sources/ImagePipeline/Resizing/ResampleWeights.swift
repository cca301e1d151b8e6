/// Which source samples make each target sample along one axis, and with what weights.
///
/// Pixel centers lie at half: target sample `i` is centered on `start + (i + 0.5) * length / count` of the source,
/// whose sample `j` is centered on `j + 0.5`. Samples beyond the edge are left out and the weights of the others
/// divided by their sum, so that a flat image stays flat up to its border.
struct ResampleWeights {
    /// Target samples.
    let count: Int
    /// The most source samples that one target sample takes.
    let taps: Int
    /// The first source sample of each target sample; `first + taps` is within the source.
    private(set) var first: [Int] = []
    /// `taps` weights for each target sample, summing to 1; those not used are 0.
    private(set) var values: [Double] = []

    /// - Parameters:
    ///   - sourceCount: Samples that exist.
    ///   - start: Where the part that is used begins.
    ///   - length: How long that part is. It need not be whole: half of 2725 pixels is 1362.5.
    init(sourceCount: Int, start: Double, length: Double, count: Int, filter: ResampleFilter) {
        self.count = count
        let step = length / Double(count)
        let widening = max(step, 1)
        let support = filter.support * widening
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        for index in 0..<count {
            let center = start + (Double(index) + 0.5) * step
            let low = min(max(Int((center - support).rounded(.down)), 0), sourceCount - 1)
            let high = min(max(Int((center + support).rounded(.up)), low + 1), sourceCount)
            ranges.append(low..<high)
        }
        let taps = ranges.reduce(1) { max($0, $1.count) }
        self.taps = taps
        first.reserveCapacity(count)
        values.reserveCapacity(count * taps)
        for index in 0..<count {
            let center = start + (Double(index) + 0.5) * step
            // Shifted left where that keeps all taps inside, so that kernels need not read past the edge.
            let low = max(0, min(ranges[index].lowerBound, sourceCount - taps))
            first.append(low)
            let base = values.count
            var sum = 0.0
            for tap in 0..<taps {
                let position = low + tap
                let weight =
                    ranges[index].contains(position)
                    ? filter.weight((Double(position) + 0.5 - center) / widening) : 0
                values.append(weight)
                sum += weight
            }
            if abs(sum) < 1e-9 {
                // Nothing in reach (a box between centers): the nearest sample.
                let nearest = min(max(Int(center), low), low + taps - 1)
                values[base + nearest - low] = 1
            } else {
                for tap in 0..<taps { values[base + tap] /= sum }
            }
        }
    }

    /// The source samples that are used at all.
    var sourceRange: Range<Int> {
        var low = Int.max
        var high = 0
        for index in 0..<count {
            low = min(low, first[index])
            high = max(high, first[index] + taps)
        }
        return low..<max(high, low)
    }

    /// The weights as integers that sum exactly to 2^`bits`: what rounding one takes away the next gets.
    func fixedPoint() -> (values: [Int16], bits: Int) {
        let largest = values.reduce(0) { max($0, abs($1)) }
        // 2^15 itself does not fit 16 bits.
        let bits = largest < 0.99 ? 15 : 14
        let one = Double(1 << bits)
        var result = [Int16](repeating: 0, count: values.count)
        for index in 0..<count {
            var exact = 0.0
            var given = 0
            for tap in (index * taps)..<((index + 1) * taps) where values[tap] != 0 {
                exact += values[tap] * one
                let rounded = Int(exact.rounded()) - given
                result[tap] = Int16(clamping: rounded)
                given += Int(result[tap])
            }
        }
        return (result, bits)
    }

    /// The weights in groups for the horizontal kernels.
    func grouped(by group: Int) -> (values: [Float], groups: Int) {
        let groups = (taps + group - 1) / group
        var result = [Float](repeating: 0, count: count * groups * group)
        for index in 0..<count {
            for tap in 0..<taps { result[index * groups * group + tap] = Float(values[index * taps + tap]) }
        }
        return (result, groups)
    }
}
