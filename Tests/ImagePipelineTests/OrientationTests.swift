import Foundation
import Testing

@testable import ImagePipeline

@Suite struct OrientationTests {
    /// How pixels must be stored to be seen as `seen`.
    private func stored(_ seen: Bitmap, _ orientation: ImageOrientation) -> Bitmap {
        let inverse: ImageOrientation =
            switch orientation {
            case .right: .left
            case .left: .right
            default: orientation
            }
        return seen.oriented(inverse)
    }

    @Test(arguments: ImageOrientation.allCases)
    func allEightGiveTheSameUprightPixels(orientation: ImageOrientation) throws {
        let seen = TestImages.quarters(96, 64)
        let upright = try ImageDecoder().decode(TestImages.jpeg(seen)).bitmap
        let pixels = TestImages.jpeg(stored(seen, orientation)) { $0.subsampling = .full }
        for bigEndian in [false, true] {
            for long in [false, true] {
                let file = TestImages.withEXIF(
                    pixels, orientation: orientation.rawValue, bigEndian: bigEndian, long: long)
                let probe = try ImageProbe(file)
                #expect(probe.orientation == orientation)
                #expect(probe.displaySize == seen.size)
                let decoded = try ImageDecoder().decode(file).bitmap
                #expect(decoded.size == seen.size)
                // Away from the seams, where compression rings.
                for (x, y) in [(20, 15), (75, 15), (20, 50), (75, 50), (3, 3), (92, 60)] {
                    for (a, b) in zip(decoded[x, y], upright[x, y]) { #expect(abs(Int(a) - Int(b)) <= 6) }
                }
                let thumbnail = try Thumbnailer().makeThumbnail(of: file, recipe: ThumbnailRecipe(fitting: 48, 48))
                #expect(thumbnail.size == PixelSize(width: 48, height: 32))
                #expect(try ImageProbe(thumbnail.data).orientation == .up)
                let small = try ImageDecoder().decode(thumbnail.data).bitmap
                for (x, y) in [(10, 7), (37, 7), (10, 25), (37, 25)] {
                    for (a, b) in zip(small[x, y], upright[x * 2, y * 2]) { #expect(abs(Int(a) - Int(b)) <= 8) }
                }
            }
        }
    }

    @Test(arguments: ImageOrientation.allCases)
    func cropsMeanTheDisplayedImage(orientation: ImageOrientation) throws {
        let seen = TestImages.quarters(96, 64)
        let file = TestImages.withEXIF(TestImages.jpeg(stored(seen, orientation)), orientation: orientation.rawValue)
        let expected: [(FocalPoint, [Int])] = [
            (.topLeft, [220, 40, 40]), (.topRight, [40, 200, 60]), (.bottomLeft, [50, 60, 210]),
            (.bottomRight, [230, 220, 70]),
        ]
        for (focus, color) in expected {
            // A tall crop and a wide one, each keeping the named side.
            for box in [(8, 32), (48, 8)] {
                let recipe = ThumbnailRecipe(filling: box.0, box.1, focus: focus)
                let result = try Thumbnailer().makeBitmap(of: file, recipe: recipe)
                #expect(result.size == PixelSize(width: box.0, height: box.1))
                let x = focus.x == 0 ? 1 : box.0 - 2
                let y = focus.y == 0 ? 1 : box.1 - 2
                for (a, b) in zip(result[x, y], color) { #expect(abs(Int(a) - b) <= 10) }
            }
        }
    }

    @Test func orientationCanBeLeftAlone() throws {
        let file = TestImages.withEXIF(TestImages.jpeg(TestImages.quarters(40, 20)), orientation: 6)
        var recipe = ThumbnailRecipe(fitting: 20, 20)
        #expect(try Thumbnailer().makeBitmap(of: file, recipe: recipe).size == PixelSize(width: 10, height: 20))
        recipe.appliesOrientation = false
        #expect(try Thumbnailer().makeBitmap(of: file, recipe: recipe).size == PixelSize(width: 20, height: 10))
    }

    @Test func brokenEXIFIsIgnored() throws {
        let pixels = TestImages.jpeg(TestImages.quarters(40, 20))
        let good = TestImages.exif(orientation: 6, bigEndian: true, long: false)
        var broken: [[UInt8]] = [[], Array("XX".utf8), good.map { _ in 0xFF }]
        for count in 0..<20 { broken.append(Array(good.prefix(count))) }
        broken.append(TestImages.exif(orientation: 0, bigEndian: true, long: false))
        broken.append(TestImages.exif(orientation: 9, bigEndian: false, long: true))
        for block in broken {
            let file = TestImages.inserting([(0xE1, Array("Exif\0\0".utf8) + block)], into: pixels)
            #expect(try ImageProbe(file).orientation == .up)
            #expect(try ImageDecoder().decode(file).bitmap.size == PixelSize(width: 40, height: 20))
        }
    }

    @Test func pngOrientationIsApplied() throws {
        let row: [UInt8] = [0, 10, 20, 30]
        let file = TestImages.png(
            width: 3, height: 1, depth: 8, color: 0,
            before: [TestImages.chunk("eXIf", TestImages.exif(orientation: 6, bigEndian: true, long: false))],
            scanlines: row)
        let bitmap = try ImageDecoder().decode(file).bitmap
        #expect(bitmap.size == PixelSize(width: 1, height: 3))
        #expect(bitmap.bytes == [10, 20, 30])
    }
}
