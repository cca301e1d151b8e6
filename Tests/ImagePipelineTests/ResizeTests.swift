import Foundation
import Testing

@testable import ImagePipeline

@Suite struct ResizeTests {
    private func resize(
        _ bitmap: Bitmap, _ width: Int, _ height: Int, _ change: (inout ThumbnailRecipe) -> Void = { _ in }
    )
        throws -> Bitmap
    {
        var recipe = ThumbnailRecipe(box: BoundingBox(width: width, height: height), mode: .stretch)
        recipe.allowsEnlarging = true
        change(&recipe)
        return try Thumbnailer().makeBitmap(of: bitmap, recipe: recipe)
    }

    private func checker(_ side: Int) -> Bitmap {
        TestImages.rgb(side, side) { x, y in (x + y) & 1 == 0 ? (255, 255, 255) : (0, 0, 0) }
    }

    @Test func aCheckerBecomesHalfTheLight() throws {
        let linear = try resize(checker(128), 16, 16)
        let gamma = try resize(checker(128), 16, 16) { $0.light = .gamma }
        for y in 2..<14 {
            for x in 2..<14 {
                #expect(linear[x, y].allSatisfy { abs(Int($0) - 188) <= 1 })
                #expect(gamma[x, y].allSatisfy { abs(Int($0) - 128) <= 1 })
            }
        }
    }

    @Test(arguments: ResampleFilter.allCases, LightSpace.allCases)
    func flatStaysFlatUpToTheBorder(filter: ResampleFilter, light: LightSpace) throws {
        for value in [0, 1, 17, 128, 254, 255] {
            for (width, height) in [(7, 5), (100, 3), (3, 100), (1, 1)] {
                let flat = TestImages.rgb(61, 47) { _, _ in (value, value / 2, 255 - value) }
                let result = try resize(flat, width, height) {
                    $0.filter = filter
                    $0.light = light
                }
                let expected = [value, value / 2, 255 - value]
                for start in stride(from: 0, to: result.bytes.count, by: 3) {
                    for c in 0..<3 { #expect(abs(Int(result.bytes[start + c]) - expected[c]) <= 0) }
                }
            }
        }
    }

    @Test(arguments: [(23, 19), (90, 71), (150, 200)], [true, false])
    func agreesWithTheFloatReference(size: (Int, Int), inLight: Bool) throws {
        let zonePlate = TestImages.rgb(90, 71) { x, y in
            let v = 127.5 + 127.5 * cos(Double(x * x + y * y) / 70)
            return (Int(v), Int(255 - v), (x * 7 + y * 3) & 255)
        }
        let target = PixelSize(width: size.0, height: size.1)
        let result = try resize(zonePlate, size.0, size.1) { $0.light = inLight ? .linear : .gamma }
        let reference = Reference.resize(zonePlate, to: target, inLight: inLight)
        var squares = 0.0
        for (ours, exact) in zip(result.bytes, reference) {
            // Dark values are steep in sRGB: a table step of 1/65535 is 0.05 there.
            #expect(abs(Double(ours) - exact) < 1.0)
            squares += (Double(ours) - exact) * (Double(ours) - exact)
        }
        // Rounding to bytes alone is 0.289.
        #expect((squares / Double(reference.count)).squareRoot() < 0.31)
    }

    @Test func grayIsResizedLikeColor() throws {
        let gray = TestImages.gray(67, 45) { x, y in (x * x + y * 5) & 255 }
        let color = gray.converted(to: .rgb)
        let a = try resize(gray, 20, 13)
        let b = try resize(color, 20, 13)
        #expect(a.format == .gray)
        for i in a.bytes.indices { #expect(abs(Int(a.bytes[i]) - Int(b.bytes[i * 3])) <= 1) }
    }

    @Test func mirroringCommutesWithResizing() throws {
        let image = TestImages.smooth(83, 59)
        let turned = try resize(image.oriented(.down), 31, 22)
        let expected = try resize(image, 31, 22).oriented(.down)
        for (a, b) in zip(turned.bytes, expected.bytes) { #expect(abs(Int(a) - Int(b)) <= 1) }
    }

    @Test func aRampIsNotShifted() throws {
        let ramp = TestImages.gray(200, 4) { x, _ in 20 + x }
        let result = try resize(ramp, 50, 1) { $0.light = .gamma }
        for x in 4..<46 {
            let center = 20 + (Double(x) + 0.5) * 4 - 0.5
            #expect(abs(Double(result[x, 0].first ?? 0) - center) <= 0.6)
        }
    }

    @Test func noFringeAroundTransparency() throws {
        // Red disc on transparent green: premultiplied, green never shows.
        let disc = TestImages.rgba(120, 120) { x, y in
            (x - 60) * (x - 60) + (y - 60) * (y - 60) < 2500 ? (255, 0, 0, 255) : (0, 255, 0, 0)
        }
        for light in LightSpace.allCases {
            let result = try resize(disc, 37, 37) { $0.light = light }
            var partly = 0
            for start in stride(from: 0, to: result.bytes.count, by: 4) where result.bytes[start + 3] > 0 {
                #expect(result.bytes[start] >= 253)
                #expect(result.bytes[start + 1] <= 2)
                if result.bytes[start + 3] < 255 { partly += 1 }
            }
            #expect(partly > 20)
            #expect(result[0, 0].elementsEqual([0, 0, 0, 0]))
        }
    }

    @Test func darkColorsSurviveLowAlpha() throws {
        let faint = TestImages.rgba(64, 64) { _, _ in (20, 9, 3, 4) }
        let result = try resize(faint, 9, 9)
        for start in stride(from: 0, to: result.bytes.count, by: 4) {
            #expect(result.bytes[start..<(start + 4)].elementsEqual([20, 9, 3, 4]))
        }
    }

    @Test func sameSizeIsTheSameImage() throws {
        let image = TestImages.rgb(40, 30) { x, y in (x * 6, y * 8, (x * y) & 255) }
        #expect(try resize(image, 40, 30) == image)
        #expect(try resize(image, 40, 30) { $0.light = .gamma } == image)
    }

    @Test(arguments: ResampleFilter.allCases)
    func weightsAreNormalizedAndInside(filter: ResampleFilter) {
        for (source, start, length, count) in [
            (100, 0.0, 100.0, 7), (100, 0, 99.5, 33), (5, 0, 5, 50), (1, 0, 1, 3), (1000, 250.25, 333.3, 10),
            (3, 2.0, 1.0, 1), (7, 0, 7, 7), (2, 0, 2, 1),
        ] {
            let weights = ResampleWeights(
                sourceCount: source, start: start, length: length, count: count, filter: filter)
            let fixed = weights.fixedPoint()
            for index in 0..<count {
                let range = (index * weights.taps)..<((index + 1) * weights.taps)
                #expect(abs(weights.values[range].reduce(0, +) - 1) < 1e-12)
                #expect(fixed.values[range].reduce(0) { $0 + Int($1) } == 1 << fixed.bits)
                #expect(weights.first[index] >= 0 && weights.first[index] + weights.taps <= source)
            }
        }
    }

    @Test func cancellationStopsBetweenRows() throws {
        let counter = Counter()
        #expect(throws: ImageError.cancelled) {
            try Thumbnailer().makeBitmap(of: TestImages.smooth(50, 400), recipe: ThumbnailRecipe(fitting: 20, 160)) {
                counter.value += 1
                return counter.value > 5
            }
        }
        #expect(counter.value == 6)
    }

    final class Counter { var value = 0 }
}
