import Foundation
import Testing

@testable import ImagePipeline

@Suite struct PNGTests {
    private func packed(_ values: [Int], depth: Int) -> [UInt8] {
        if depth == 16 { return values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        var result: [UInt8] = []
        for start in stride(from: 0, to: values.count, by: 8 / depth) {
            var byte = 0
            for i in 0..<(8 / depth) {
                byte = byte << depth | (start + i < values.count ? values[start + i] : 0)
            }
            result.append(UInt8(byte))
        }
        return result
    }

    @Test(arguments: [1, 2, 4, 8, 16])
    func grayOfEveryDepth(depth: Int) throws {
        let top = (1 << depth) - 1
        let values = (0..<13).map { $0 * top / 12 }
        let file = TestImages.png(
            width: 13, height: 1, depth: UInt8(depth), color: 0, scanlines: [0] + packed(values, depth: depth))
        let bitmap = try ImageDecoder().decode(file).bitmap
        #expect(bitmap.format == .gray)
        // 16 bits are rounded, not cut.
        #expect(bitmap.bytes == values.map { UInt8((Double($0) * 255 / Double(top)).rounded()) })
    }

    @Test(arguments: [1, 2, 4, 8])
    func paletteOfEveryDepth(depth: Int) throws {
        let palette: [UInt8] = [10, 20, 30, 200, 100, 50]
        let file = TestImages.png(
            width: 5, height: 1, depth: UInt8(depth), color: 3, before: [TestImages.chunk("PLTE", palette)],
            scanlines: [0] + packed([0, 1, 1, 0, 1], depth: depth))
        let bitmap = try ImageDecoder().decode(file).bitmap
        #expect(bitmap.format == .rgb)
        #expect(bitmap[0, 0].elementsEqual([10, 20, 30]) && bitmap[4, 0].elementsEqual([200, 100, 50]))
        let transparent = TestImages.png(
            width: 5, height: 1, depth: UInt8(depth), color: 3,
            before: [TestImages.chunk("PLTE", palette), TestImages.chunk("tRNS", [77])],
            scanlines: [0] + packed([0, 1, 1, 0, 1], depth: depth))
        let withAlpha = try ImageDecoder().decode(transparent).bitmap
        #expect(withAlpha[0, 0].elementsEqual([10, 20, 30, 77]) && withAlpha[1, 0].elementsEqual([200, 100, 50, 255]))
    }

    @Test func colorAndAlphaOfBothDepths() throws {
        let cases: [(UInt8, UInt8, [UInt8], [UInt8])] = [
            (8, 2, [1, 2, 3], [1, 2, 3]), (16, 2, [255, 255, 0, 128, 127, 200], [255, 1, 127]),
            (8, 4, [9, 100], [9, 9, 9, 100]), (16, 4, [50, 10, 255, 255], [50, 50, 50, 255]),
            (8, 6, [1, 2, 3, 4], [1, 2, 3, 4]), (16, 6, [0, 127, 0, 129, 9, 9, 254, 0], [0, 1, 9, 253]),
        ]
        for (depth, color, row, expected) in cases {
            let file = TestImages.png(width: 1, height: 1, depth: depth, color: color, scanlines: [0] + row)
            let pixel = try ImageDecoder().decode(file).bitmap[0, 0]
            for (a, b) in zip(pixel, expected) { #expect(abs(Int(a) - Int(b)) <= 1) }
            #expect(pixel.count == expected.count)
        }
        let keyed = TestImages.png(
            width: 2, height: 1, depth: 8, color: 2, before: [TestImages.chunk("tRNS", [0, 1, 0, 2, 0, 3])],
            scanlines: [0, 1, 2, 3, 4, 5, 6])
        let bitmap = try ImageDecoder().decode(keyed).bitmap
        #expect(bitmap[0, 0].last == 0 && bitmap[1, 0].elementsEqual([4, 5, 6, 255]))
    }

    @Test func interlacedIsTheSame() throws {
        let width = 11
        let height = 9
        let image = TestImages.gray(width, height) { x, y in x * 20 + y * 3 }
        var scanlines: [UInt8] = []
        for (x0, y0, dx, dy) in [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ] {
            for y in stride(from: y0, to: height, by: dy) {
                let row = stride(from: x0, to: width, by: dx).map { image.bytes[y * width + $0] }
                if !row.isEmpty { scanlines += [0] + row }
            }
        }
        let file = TestImages.png(
            width: width, height: height, depth: 8, color: 0, interlaced: true, scanlines: scanlines)
        #expect(try ImageProbe(file).isProgressive)
        #expect(try ImageDecoder().decode(file).bitmap == image)
        #expect(try Thumbnailer().makeBitmap(of: file, recipe: ThumbnailRecipe(fitting: 11, 9)) == image)
    }

    @Test func gammaChunkIsHonoredUnlessSRGB() throws {
        let linear = TestImages.chunk("gAMA", TestImages.big32(100_000))
        let row: [UInt8] = [0, 128]
        let plain = TestImages.png(width: 1, height: 1, depth: 8, color: 0, before: [linear], scanlines: row)
        let decoded = try ImageDecoder().decode(plain)
        #expect(decoded.bitmap.bytes == [188] && decoded.color == .convertedToSRGB)
        let declared = TestImages.png(
            width: 1, height: 1, depth: 8, color: 0, before: [TestImages.chunk("sRGB", [0]), linear], scanlines: row)
        #expect(try ImageDecoder().decode(declared).bitmap.bytes == [128])
        let usual = TestImages.png(
            width: 1, height: 1, depth: 8, color: 0, before: [TestImages.chunk("gAMA", TestImages.big32(45455))],
            scanlines: row)
        #expect(try ImageDecoder().decode(usual).bitmap.bytes == [128])
    }

    @Test func checksumsOfCriticalChunksCount() throws {
        let good = TestImages.png(
            width: 1, height: 1, depth: 8, color: 0, before: [TestImages.chunk("tEXt", Array("a\0b".utf8))],
            scanlines: [0, 7])
        #expect(try ImageDecoder().decode(good).bitmap.bytes == [7])
        // The checksum of the text chunk is at 33 + 8 + 3; of the image data after it.
        var badText = good
        badText[33 + 8 + 3] ^= 1
        #expect(try ImageDecoder().decode(badText).bitmap.bytes == [7])
        var badData = good
        badData[good.count - 12 - 1] ^= 1
        #expect {
            try ImageDecoder().decode(badData)
        } throws: { error in
            if case .corrupt(.png, _, _)? = error as? ImageError { true } else { false }
        }
    }

    @Test func truncationFollowsThePolicy() throws {
        // libpng reads 4 KB at a time and all of an unfinished piece is lost, so the file must be much larger.
        let image = TestImages.rgb(50, 400) { x, y in (x * 5, y & 255, (x * x * 7 + y * y * 13) & 255) }
        var options = PNGEncodingOptions()
        options.level = 0
        let file = try ImageEncoder.png(image, options: options)
        let cut = Data(file.prefix(file.count / 2))
        #expect {
            try ImageDecoder().decode(cut)
        } throws: { error in
            if case .truncated(.png, let row?)? = error as? ImageError { row > 50 && row < 400 } else { false }
        }
        let partial = try ImageDecoder(truncation: .partial).decode(cut)
        #expect(partial.isPartial)
        #expect(partial.bitmap.bytes.prefix(50 * 3 * 50) == image.bytes.prefix(50 * 3 * 50))
    }

    @Test(arguments: PNGEncodingOptions.Filter.allCases)
    func writingIsLossless(filter: PNGEncodingOptions.Filter) throws {
        let images = [
            TestImages.smooth(37, 29), TestImages.gray(19, 23) { x, y in x * y },
            TestImages.rgba(31, 17) { x, y in (x * 8, y * 9, x * y, (x + y) * 5) },
        ]
        for image in images {
            for level in [0, 1, 4, 9] {
                var options = PNGEncodingOptions()
                options.filter = filter
                options.level = level
                #expect(try ImageDecoder().decode(try ImageEncoder.png(image, options: options)).bitmap == image)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 16, 17, 255, 256, 257])
    func palettesWhenTheyFit(colors: Int) throws {
        let image = TestImages.rgba(40, 20) { x, y in
            let i = (x + y * 40) % colors
            return (i & 15, i >> 4 & 31, 200, i % 3 == 0 ? 255 - i / 3 : 255)
        }
        let file = try ImageEncoder.png(image)
        let probe = try ImageProbe(file)
        #expect((probe.colorModel == .palette) == (colors <= 256))
        #expect(try ImageDecoder().decode(file).bitmap.converted(to: .rgba) == image)
    }

    @Test func unusedChannelsAreDropped() throws {
        let gray = TestImages.rgba(40, 40) { x, y in (x * 6, x * 6, x * 6, 255) }
        #expect(gray.withoutUnusedChannels(keepsColor: false).format == .gray)
        #expect(gray.withoutUnusedChannels(keepsColor: true).format == .rgb)
        #expect(TestImages.smooth(9, 9).withoutUnusedChannels(keepsColor: false).format == .rgb)
    }

    @Test func automaticFormatKeepsTransparency() throws {
        let clear = try ImageEncoder.png(TestImages.rgba(60, 60) { x, y in (x * 4, y * 4, (x * y) & 255, x * 4) })
        let opaque = try ImageEncoder.png(TestImages.smooth(60, 60))
        #expect(try Thumbnailer().makeThumbnail(of: clear, recipe: ThumbnailRecipe(fitting: 20, 20)).format == .png)
        #expect(try Thumbnailer().makeThumbnail(of: opaque, recipe: ThumbnailRecipe(fitting: 20, 20)).format == .jpeg)
        var recipe = ThumbnailRecipe(fitting: 20, 20)
        recipe.format = .jpeg
        recipe.background = RGBAColor(red: 255, green: 0, blue: 0)
        let flat = try Thumbnailer().makeThumbnail(of: clear, recipe: recipe)
        let left = try ImageDecoder().decode(flat.data).bitmap[0, 10]
        #expect(flat.format == .jpeg && left.elementsEqual(left) && (left.first ?? 0) > 200)
    }
}
