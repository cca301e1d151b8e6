import CImageCodecs

/// Resizes an image as its rows arrive, holding only as many as the filter spans.
///
/// The vertical pass comes first, on whole source rows and two target rows at once, since it is bound by memory and
/// shares what it reads; then the horizontal pass on two rows sharing weights; then the way back to bytes.
final class RowResizer {
    private let source: any RowSource
    private let color: SourceColor
    private let light: LightSpace
    private let target: PixelSize
    private let kernels: ci_kernels
    private let vertical: ResampleWeights
    private let horizontal: ResampleWeights

    /// - Parameter region: The part of the source that is used, in the source's pixels; its edges need not be whole.
    init(
        source: any RowSource, color: SourceColor, region: PixelRegion, extent: PixelSize, target: PixelSize,
        filter: ResampleFilter, light: LightSpace, kernels: ci_kernels = ci_kernels_best().pointee
    ) {
        self.source = source
        self.color = color
        self.light = light
        self.target = target
        self.kernels = kernels
        vertical = ResampleWeights(
            sourceCount: extent.height, start: region.y, length: region.height, count: target.height, filter: filter)
        horizontal = ResampleWeights(
            sourceCount: extent.width, start: region.x, length: region.width, count: target.width, filter: filter)
    }

    /// Bytes that `run` takes for rows.
    static func workingBytes(width: Int, channels: Int, target: PixelSize, shrink: Double, filter: ResampleFilter)
        -> Int
    {
        let rows = Int(2 * filter.support * max(shrink, 1)) + Int(shrink) + 4
        let sample = channels == 4 ? 4 : 2
        return width * channels * (rows * sample + 9) + target.width * channels * 10
    }

    func run(into sink: any RowSink, isCancelled: () -> Bool) throws(ImageError) {
        let channels = source.channels
        let samples = source.size.width * channels
        let padding = Int(CI_ROW_PADDING)
        let tapGroup = Int(CI_TAP_GROUP)
        let element: RowRing.Element = channels == 4 ? .real : light == .linear ? .fixed : .bytes
        let spans = rowSpans()
        let ring = try RowRing(element: element, samples: samples, capacity: spans.longest + 1)
        let scratch = try AlignedBuffer(byteCount: samples + padding + 64)
        let scratchRow = scratch.bound(to: UInt8.self) + 16

        let (fixedWeights, fixedBits) = element == .real ? ([], 15) : vertical.fixedPoint()
        let grouped = horizontal.grouped(by: tapGroup)
        let offsets = horizontal.first.map { Int32($0) }
        let wideBytes = (max(samples, grouped.groups * tapGroup * channels) + padding) * 4
        let wide0 = try AlignedBuffer(byteCount: wideBytes)
        let wide1 = try AlignedBuffer(byteCount: wideBytes)
        let narrowBytes = (target.width * channels + padding) * 4
        let narrow0 = try AlignedBuffer(byteCount: narrowBytes)
        let narrow1 = try AlignedBuffer(byteCount: narrowBytes)
        let output = try AlignedBuffer(byteCount: target.width * channels + padding)
        let taps = spans.longest + 2
        let weights0 = try AlignedBuffer(byteCount: taps * 4)
        let weights1 = try AlignedBuffer(byteCount: taps * 4)
        let rowPointers = try AlignedBuffer(byteCount: taps * 8)
        let rows = rowPointers.bound(to: UnsafeRawPointer?.self)

        let encoder = RowEncoder(color: color, light: light, channels: channels, width: target.width, kernels: kernels)
        try sink.begin(size: target, format: Bitmap.PixelFormat(rawValue: channels) ?? .rgb)
        let horizontalPass =
            channels == 1 ? kernels.horizontal_1 : channels == 3 ? kernels.horizontal_3 : kernels.horizontal_4

        var read = 0
        for y in stride(from: 0, to: target.height, by: 2) {
            if isCancelled() { throw .cancelled }
            let second = min(y + 1, target.height - 1)
            let low = min(vertical.first[y], vertical.first[second])
            let high = max(vertical.first[y], vertical.first[second]) + vertical.taps
            while read < high {
                if read < spans.first {
                    try source.readRow(into: scratchRow)
                } else {
                    try fill(ring.row(read), element: element, samples: samples, scratch: scratchRow)
                }
                read += 1
                // Cheap, and a tall source may need thousands of rows before the next target row.
                if read & 63 == 0, isCancelled() { throw .cancelled }
            }
            var count = high - low
            for index in 0..<count {
                rows[index] = UnsafeRawPointer(ring.row(low + index))
                let tap0 = low + index - vertical.first[y]
                let tap1 = low + index - vertical.first[second]
                let inside0 = tap0 >= 0 && tap0 < vertical.taps
                let inside1 = tap1 >= 0 && tap1 < vertical.taps
                if element == .real {
                    weights0.bound(to: Float.self)[index] =
                        inside0 ? Float(vertical.values[y * vertical.taps + tap0]) : 0
                    weights1.bound(to: Float.self)[index] =
                        inside1 ? Float(vertical.values[second * vertical.taps + tap1]) : 0
                } else {
                    weights0.bound(to: Int16.self)[index] = inside0 ? fixedWeights[y * vertical.taps + tap0] : 0
                    weights1.bound(to: Int16.self)[index] = inside1 ? fixedWeights[second * vertical.taps + tap1] : 0
                }
            }
            if element != .real, count & 1 == 1 {
                // The integer kernels take rows in pairs.
                rows[count] = rows[count - 1]
                weights0.bound(to: Int16.self)[count] = 0
                weights1.bound(to: Int16.self)[count] = 0
                count += 1
            }
            verticalPass(
                element, rowPointers.start, weights0.start, weights1.start, count, wide0.bound(to: Float.self),
                wide1.bound(to: Float.self), samples, fixedBits)
            horizontalPass?(
                wide0.bound(to: Float.self), wide1.bound(to: Float.self), grouped.values, offsets,
                Int32(grouped.groups), narrow0.bound(to: Float.self), narrow1.bound(to: Float.self), target.width)
            encoder.encode(narrow0.bound(to: Float.self), into: output.bound(to: UInt8.self))
            try sink.write(row: output.bound(to: UInt8.self))
            if second != y {
                encoder.encode(narrow1.bound(to: Float.self), into: output.bound(to: UInt8.self))
                try sink.write(row: output.bound(to: UInt8.self))
            }
        }
        try source.finish()
    }

    /// The first source row used, and the most rows that two neighbouring target rows span.
    private func rowSpans() -> (first: Int, longest: Int) {
        var longest = vertical.taps
        for y in stride(from: 0, to: target.height - 1, by: 2) {
            let low = min(vertical.first[y], vertical.first[y + 1])
            let high = max(vertical.first[y], vertical.first[y + 1]) + vertical.taps
            longest = max(longest, high - low)
        }
        return (vertical.sourceRange.lowerBound, longest)
    }

    private func fill(
        _ slot: UnsafeMutableRawPointer, element: RowRing.Element, samples: Int, scratch: UnsafeMutablePointer<UInt8>
    ) throws(ImageError) {
        if element == .bytes {
            try source.readRow(into: slot.assumingMemoryBound(to: UInt8.self))
            color.mapChannels(slot.assumingMemoryBound(to: UInt8.self), samples: samples, channels: source.channels)
            return
        }
        try source.readRow(into: scratch)
        color.mapChannels(scratch, samples: samples, channels: source.channels)
        if element == .fixed {
            kernels.linearize(scratch, slot.assumingMemoryBound(to: Int16.self), samples, color.curve.curve)
        } else {
            let curve = light == .linear ? color.curve.curve : KernelTables.identity.curve
            kernels.premultiply(scratch, slot.assumingMemoryBound(to: Float.self), samples / 4, curve)
        }
    }

    private func verticalPass(
        _ element: RowRing.Element, _ rows: UnsafeMutableRawPointer, _ weights0: UnsafeMutableRawPointer,
        _ weights1: UnsafeMutableRawPointer, _ taps: Int, _ target0: UnsafeMutablePointer<Float>,
        _ target1: UnsafeMutablePointer<Float>, _ samples: Int, _ bits: Int
    ) {
        let one = Float(1 << bits)
        switch element {
        case .fixed:
            kernels.vertical_i16(
                rows.assumingMemoryBound(to: UnsafePointer<Int16>?.self), weights0.assumingMemoryBound(to: Int16.self),
                weights1.assumingMemoryBound(to: Int16.self), Int32(taps), target0, target1, samples,
                1 / (one * Float(CI_LINEAR_ONE)))
        case .bytes:
            kernels.vertical_u8(
                rows.assumingMemoryBound(to: UnsafePointer<UInt8>?.self), weights0.assumingMemoryBound(to: Int16.self),
                weights1.assumingMemoryBound(to: Int16.self), Int32(taps), target0, target1, samples, 1 / one)
        case .real:
            kernels.vertical_f32(
                rows.assumingMemoryBound(to: UnsafePointer<Float>?.self), weights0.assumingMemoryBound(to: Float.self),
                weights1.assumingMemoryBound(to: Float.self), Int32(taps), target0, target1, samples)
        }
    }
}
