import CImageCodecs
import Foundation
import Testing

@testable import ImagePipeline

/// Every wider form of a kernel against the portable one.
@Suite struct KernelTests {
    private static let levels: [ci_kernel_level] = [CI_KERNELS_AVX2, CI_KERNELS_AVX512]
    private static let counts = [1, 3, 15, 16, 17, 31, 33, 64, 100, 257]

    private struct Random {
        var state: UInt64 = 88172645463325252
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        mutating func real() -> Float { Float(next() % 20001) / 10000 - 0.5 }
    }

    private func each(_ body: (ci_kernels, ci_kernels, Int) -> Void) {
        guard let portable = ci_kernels_at(CI_KERNELS_PORTABLE)?.pointee else { return }
        for level in Self.levels {
            guard let wide = ci_kernels_at(level)?.pointee else { continue }
            for count in Self.counts { body(portable, wide, count) }
        }
    }

    @Test func linearizeWithinOneUnit() {
        let srgb = KernelTables.sRGB
        let other = KernelTables(.gamma(1.8))
        let source = (0..<512).map { UInt8($0 & 255) }
        each { portable, wide, count in
            for (tables, tolerance) in [(srgb, 1), (other, 0)] {
                var a = [Int16](repeating: 0, count: count + 64)
                var b = a
                portable.linearize(source, &a, count, tables.curve)
                wide.linearize(source, &b, count, tables.curve)
                for i in 0..<count { #expect(abs(Int(a[i]) - Int(b[i])) <= tolerance) }
            }
        }
    }

    @Test func premultiplyAndBack() {
        var random = Random()
        let source = (0..<4096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        each { portable, wide, count in
            for (curve, table) in [(KernelTables.sRGB, KernelTables.encodeSRGB as [UInt8]?), (.identity, nil)] {
                var a = [Float](repeating: 0, count: count * 4 + 64)
                var b = a
                portable.premultiply(source, &a, count, curve.curve)
                wide.premultiply(source, &b, count, curve.curve)
                for i in 0..<(count * 4) { #expect(abs(a[i] - b[i]) < 2e-5) }
                var back = [UInt8](repeating: 0, count: count * 4 + 64)
                var wideBack = back
                if let table {
                    portable.unpremultiply(a, &back, count, table)
                    wide.unpremultiply(a, &wideBack, count, table)
                } else {
                    portable.unpremultiply(a, &back, count, nil)
                    wide.unpremultiply(a, &wideBack, count, nil)
                }
                for i in 0..<(count * 4) { #expect(abs(Int(back[i]) - Int(wideBack[i])) <= 1) }
                for pixel in 0..<count where source[pixel * 4 + 3] > 0 {
                    for c in 0..<4 { #expect(back[pixel * 4 + c] == source[pixel * 4 + c]) }
                }
            }
        }
    }

    @Test func verticalIntegersAreExact() {
        var random = Random()
        let rows = (0..<6).map { _ in (0..<400).map { _ in Int16(random.next() % 32768) } }
        let bytes = (0..<6).map { _ in (0..<400).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
        let weights0: [Int16] = [-800, 9000, 17000, 8000, -432, 0]
        let weights1: [Int16] = [0, -700, 8500, 17500, 8400, -932]
        each { portable, wide, count in
            withPointers(rows) { pointers in
                var (a0, a1) = ([Float](repeating: 0, count: count + 64), [Float](repeating: 0, count: count + 64))
                var (b0, b1) = (a0, a1)
                portable.vertical_i16(pointers, weights0, weights1, 6, &a0, &a1, count, 1e-9)
                wide.vertical_i16(pointers, weights0, weights1, 6, &b0, &b1, count, 1e-9)
                #expect(a0[..<count] == b0[..<count] && a1[..<count] == b1[..<count])
            }
            withPointers(bytes) { pointers in
                var (a0, a1) = ([Float](repeating: 0, count: count + 64), [Float](repeating: 0, count: count + 64))
                var (b0, b1) = (a0, a1)
                portable.vertical_u8(pointers, weights0, weights1, 6, &a0, &a1, count, 1 / 32768)
                wide.vertical_u8(pointers, weights0, weights1, 6, &b0, &b1, count, 1 / 32768)
                #expect(a0[..<count] == b0[..<count] && a1[..<count] == b1[..<count])
            }
        }
    }

    @Test func floatPassesWithinRounding() {
        var random = Random()
        let rows = (0..<5).map { _ in (0..<400).map { _ in random.real() } }
        let weights: [Float] = [-0.1, 0.3, 0.6, 0.3, -0.1]
        each { portable, wide, count in
            withPointers(rows) { pointers in
                var (a0, a1) = ([Float](repeating: 0, count: count + 64), [Float](repeating: 0, count: count + 64))
                var (b0, b1) = (a0, a1)
                portable.vertical_f32(pointers, weights, weights.reversed(), 5, &a0, &a1, count)
                wide.vertical_f32(pointers, weights, weights.reversed(), 5, &b0, &b1, count)
                for i in 0..<count { #expect(abs(a0[i] - b0[i]) < 1e-5 && abs(a1[i] - b1[i]) < 1e-5) }
            }
        }
        let source = (0..<2000).map { _ in random.real() }
        let other = (0..<2000).map { _ in random.real() }
        for channels in [1, 3, 4] {
            each { portable, wide, count in
                let groups = 2
                let offsets = (0..<count).map { Int32($0 % 90) }
                let weights = (0..<(count * groups * 8)).map { _ in random.real() / 8 }
                var (a0, a1) = (
                    [Float](repeating: 0, count: count * 4 + 64), [Float](repeating: 0, count: count * 4 + 64)
                )
                var (b0, b1) = (a0, a1)
                let p =
                    channels == 1
                    ? portable.horizontal_1 : channels == 3 ? portable.horizontal_3 : portable.horizontal_4
                let w = channels == 1 ? wide.horizontal_1 : channels == 3 ? wide.horizontal_3 : wide.horizontal_4
                p?(source, other, weights, offsets, Int32(groups), &a0, &a1, count)
                w?(source, other, weights, offsets, Int32(groups), &b0, &b1, count)
                for i in 0..<(count * channels) { #expect(abs(a0[i] - b0[i]) < 1e-5 && abs(a1[i] - b1[i]) < 1e-5) }
            }
        }
    }

    @Test func encodingClampsAndRoundsAlike() {
        var random = Random()
        var source = (0..<400).map { _ in random.real() }
        source[0] = .nan
        source[1] = .infinity
        source[2] = -.infinity
        let wideRange = source.map { $0 * 255 }
        each { portable, wide, count in
            var a = [UInt8](repeating: 0, count: count + 64)
            var b = a
            portable.encode_table(source, &a, count, KernelTables.encodeSRGB)
            wide.encode_table(source, &b, count, KernelTables.encodeSRGB)
            for i in 0..<count { #expect(abs(Int(a[i]) - Int(b[i])) <= 1) }
            #expect(a[0] == b[0])
            portable.encode_round(wideRange, &a, count)
            wide.encode_round(wideRange, &b, count)
            for i in 0..<count { #expect(abs(Int(a[i]) - Int(b[i])) <= 1) }
        }
    }

    @Test func aWholeResizeIsTheSameOnEveryLevel() throws {
        let image = TestImages.rgb(301, 203) { x, y in ((x * y) & 255, (x * 3) & 255, (y * 5) & 255) }
        let withAlpha = TestImages.rgba(301, 203) { x, y in ((x * y) & 255, (x * 3) & 255, 9, (x + y) & 255) }
        for bitmap in [image, withAlpha, image.oriented(.down)] {
            for light in LightSpace.allCases {
                var results: [Bitmap] = []
                for level in [CI_KERNELS_PORTABLE] + Self.levels {
                    guard let kernels = ci_kernels_at(level)?.pointee else { continue }
                    let sink = BitmapSink()
                    try RowResizer(
                        source: BitmapSource(bitmap), color: .sRGB,
                        region: PixelRegion(x: 0, y: 0, width: 301, height: 203), extent: bitmap.size,
                        target: PixelSize(width: 77, height: 51), filter: .lanczos3, light: light, kernels: kernels
                    ).run(into: sink, isCancelled: { false })
                    results.append(sink.bitmap())
                }
                for other in results.dropFirst() {
                    for i in other.bytes.indices {
                        // Straight colour under an alpha of a few units is coarse.
                        let alpha = other.format == .rgba ? other.bytes[i / 4 * 4 + 3] : 255
                        if alpha > 16 { #expect(abs(Int(other.bytes[i]) - Int(results[0].bytes[i])) <= 1) }
                    }
                }
            }
        }
    }

    private func withPointers<Element>(_ rows: [[Element]], _ body: ([UnsafePointer<Element>?]) -> Void) {
        let flat = UnsafeMutablePointer<Element>.allocate(capacity: rows.count * 400)
        defer { flat.deallocate() }
        for (index, row) in rows.enumerated() {
            row.withUnsafeBufferPointer { source in
                if let start = source.baseAddress { (flat + index * 400).initialize(from: start, count: 400) }
            }
        }
        body((0..<rows.count).map { UnsafePointer(flat + $0 * 400) })
    }
}
