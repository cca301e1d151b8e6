import CImageCodecs
import Foundation
import Testing

@testable import ImagePipeline

@Suite struct JPEGTests {
    @Test(arguments: [JPEGEncodingOptions.ChromaSubsampling.full, .horizontal, .quarter, .automatic], [false, true])
    func roundTrip(subsampling: JPEGEncodingOptions.ChromaSubsampling, progressive: Bool) throws {
        let image = TestImages.smooth(61, 47)
        let file = TestImages.jpeg(image) {
            $0.subsampling = subsampling
            $0.isProgressive = progressive
            $0.optimizesHuffman = progressive
        }
        let decoded = try ImageDecoder().decode(file)
        #expect(decoded.source.isProgressive == progressive)
        #expect(decoded.source.colorModel == .ycbcr)
        #expect(decoded.bitmap.size == image.size && decoded.color == .sRGB && !decoded.isPartial)
        let worst = zip(decoded.bitmap.bytes, image.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(worst < 40)
        let mean = zip(decoded.bitmap.bytes, image.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(mean) / Double(image.bytes.count) < 2.5)
    }

    @Test func grayStaysGray() throws {
        let image = TestImages.gray(33, 21) { x, y in x * 5 + y }
        let decoded = try ImageDecoder().decode(TestImages.jpeg(image))
        #expect(decoded.bitmap.format == .gray && decoded.source.colorModel == .gray)
        for (a, b) in zip(decoded.bitmap.bytes, image.bytes) { #expect(abs(Int(a) - Int(b)) <= 6) }
        let thumbnail = try Thumbnailer().makeThumbnail(
            of: TestImages.jpeg(image), recipe: ThumbnailRecipe(fitting: 11, 7))
        #expect(try ImageProbe(thumbnail.data).colorModel == .gray)
    }

    @Test func inksAreTurnedIntoLight() {
        // Inverted (Adobe): 255 is no ink.
        let cmyk: [UInt8] = [255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 0, 128, 64, 255, 128]
        var rgb = [UInt8](repeating: 9, count: 12)
        ci_cmyk_to_rgb(cmyk, &rgb, 4, 1)
        #expect(rgb == [255, 255, 255, 0, 255, 255, 0, 0, 0, 64, 32, 128])
        let plain = cmyk.map { 255 - $0 }
        ci_cmyk_to_rgb(plain, &rgb, 4, 0)
        #expect(rgb == [255, 255, 255, 0, 255, 255, 0, 0, 0, 64, 32, 128])
    }

    @Test func trailingJunkAndMissingEndMarkerAreTolerated() throws {
        let file = TestImages.jpeg(TestImages.smooth(64, 48))
        let expected = try ImageDecoder().decode(file).bitmap
        #expect(try ImageDecoder().decode(file + Data(repeating: 0xAB, count: 1000)).bitmap == expected)
        #expect(try ImageDecoder().decode(file.dropLast(2)).bitmap == expected)
    }

    @Test(arguments: [false, true])
    func truncationFollowsThePolicy(progressive: Bool) throws {
        let file = TestImages.jpeg(TestImages.smooth(200, 160)) { $0.isProgressive = progressive }
        let cut = file.prefix(file.count * 6 / 10)
        #expect {
            try ImageDecoder().decode(Data(cut))
        } throws: { error in
            if case .truncated(.jpeg, _)? = error as? ImageError { true } else { false }
        }
        let partial = try ImageDecoder(truncation: .partial).decode(Data(cut))
        #expect(partial.isPartial && partial.bitmap.size == PixelSize(width: 200, height: 160))
        let whole = try ImageDecoder().decode(file).bitmap
        if !progressive { #expect(partial.bitmap.bytes.prefix(200 * 3 * 40) == whole.bytes.prefix(200 * 3 * 40)) }
        let thumbnail = try Thumbnailer(truncation: .partial).makeThumbnail(
            of: Data(cut), recipe: ThumbnailRecipe(fitting: 50, 50))
        #expect(thumbnail.isPartial)
    }

    @Test func aCropStillVerifiesTheRest() throws {
        let file = TestImages.jpeg(TestImages.smooth(100, 300))
        let cut = Data(file.prefix(file.count - 200))
        let recipe = ThumbnailRecipe(filling: 50, 20, focus: .top)
        #expect(throws: ImageError.self) { try Thumbnailer().makeThumbnail(of: cut, recipe: recipe) }
        #expect(try Thumbnailer().makeThumbnail(of: file, recipe: recipe).size == PixelSize(width: 50, height: 20))
    }

    @Test func reducedDecodingKeepsItsPlace() throws {
        // 4 * 90 + 3 columns: half the size has a fractional extent.
        let image = TestImages.rgb(363, 243) { x, y in
            let v = 128 + Int(60 * sin(Double(x) / 17)) + Int(50 * cos(Double(y) / 13))
            return (v, v, v)
        }
        let file = TestImages.jpeg(image) { $0.quality = 100 }
        var recipe = ThumbnailRecipe(fitting: 90, 90)
        let half = try Thumbnailer().makeBitmap(of: file, recipe: recipe)
        recipe.box = BoundingBox(width: half.width, height: half.height)
        let reference = Reference.resize(image, to: half.size, inLight: true)
        for (a, b) in zip(half.bytes, reference) { #expect(abs(Double(a) - b) < 3) }
    }

    @Test func aBorderDoesNotBleed() throws {
        let image = TestImages.rgb(363, 243) { x, y in
            x == 0 || y == 0 || x == 362 || y == 242 ? (255, 0, 0) : (255, 255, 255)
        }
        let file = TestImages.jpeg(image) {
            $0.subsampling = .full
            $0.quality = 100
        }
        for effort in ThumbnailRecipe.Effort.allCases {
            var recipe = ThumbnailRecipe(fitting: 80, 80)
            recipe.effort = effort
            let small = try Thumbnailer().makeBitmap(of: file, recipe: recipe)
            for y in 2..<(small.height - 2) {
                for x in 2..<(small.width - 2) { #expect(small[x, y].allSatisfy { $0 >= 240 }) }
            }
            #expect(small[0, 20].dropFirst().allSatisfy { $0 < 240 })
        }
    }

    @Test func profilesAreSplitAndJoined() throws {
        let profile = ICCTests.matrixProfile(gamma: 1.8, padding: 100_000)
        let pieces = stride(from: 0, to: profile.count, by: 60_000).map {
            Array(profile[$0..<min($0 + 60_000, profile.count)])
        }
        let segments = pieces.enumerated().map { index, piece in
            (UInt8(0xE2), Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
        }
        let file = TestImages.inserting(segments.reversed(), into: TestImages.jpeg(TestImages.smooth(32, 32)))
        var recipe = ThumbnailRecipe(fitting: 16, 16)
        recipe.colorProfile = .preserve
        let kept = try Thumbnailer().makeThumbnail(of: file, recipe: recipe)
        #expect(kept.color == .profileEmbedded)
        let header = try kept.data.withUnsafeBytes { try JPEGHeader($0, profileLimit: 1 << 22) }
        #expect(header.profile == profile)
        recipe.colorProfile = .convertToSRGB
        let converted = try Thumbnailer().makeThumbnail(of: file, recipe: recipe)
        #expect(converted.color == .convertedToSRGB)
        #expect(try !ImageProbe(converted.data).hasColorProfile)
    }
}
