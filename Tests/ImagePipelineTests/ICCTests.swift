import Foundation
import Testing

@testable import ImagePipeline

@Suite struct ICCTests {
    /// A profile with sRGB's primaries (or others) and a gamma as a `curv` of one entry.
    static func matrixProfile(
        gamma: Double, primaries: ColorMatrix = .sRGBToPCS, padding: Int = 0, space: String = "RGB "
    ) -> [UInt8] {
        func fixed(_ value: Double) -> [UInt8] { TestImages.big32(Int((value * 65536).rounded()) & 0xFFFF_FFFF) }
        var tags: [(String, [UInt8])] = []
        for (index, name) in ["rXYZ", "gXYZ", "bXYZ"].enumerated() {
            let column = primaries.rows.flatMap { fixed($0[index]) }
            tags.append((name, Array("XYZ \0\0\0\0".utf8) + column))
        }
        let number = Int((gamma * 256).rounded())
        let curve = Array("curv\0\0\0\0".utf8) + TestImages.big32(1) + [UInt8(number >> 8), UInt8(number & 255)]
        for name in space == "GRAY" ? ["kTRC"] : ["rTRC", "gTRC", "bTRC"] { tags.append((name, curve)) }
        tags.append(("desc", [UInt8](repeating: 0, count: padding)))
        var table = TestImages.big32(tags.count)
        var content: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, bytes) in tags {
            table += Array(name.utf8) + TestImages.big32(start + content.count) + TestImages.big32(bytes.count)
            content += bytes
            while content.count % 4 != 0 { content.append(0) }
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: TestImages.big32(start + content.count))
        header[8] = 2
        header.replaceSubrange(12..<16, with: "mntr".utf8)
        header.replaceSubrange(16..<20, with: Array(space.utf8))
        header.replaceSubrange(20..<24, with: "XYZ ".utf8)
        header.replaceSubrange(36..<40, with: "acsp".utf8)
        // The D50 illuminant, which libpng checks.
        header.replaceSubrange(
            68..<80, with: TestImages.big32(0xF6D6) + TestImages.big32(0x10000) + TestImages.big32(0xD32D))
        return header + table + content
    }

    static let adobePrimaries = ColorMatrix(
        [0.60974, 0.20528, 0.14919], [0.31111, 0.62567, 0.06322], [0.01947, 0.06087, 0.74457])

    private func file(_ bitmap: Bitmap, profile: [UInt8]) throws -> Data {
        Data(try PNGWriter().write(bitmap, PNGEncodingOptions(), profile: profile))
    }

    @Test func gammaIsConverted() throws {
        let image = TestImages.rgb(16, 16) { _, _ in (128, 64, 200) }
        let file = try file(image, profile: Self.matrixProfile(gamma: 1.0))
        let decoded = try ImageDecoder().decode(file)
        #expect(decoded.color == .convertedToSRGB)
        for (value, source) in zip(decoded.bitmap[3, 3], [128, 64, 200]) {
            #expect(abs(Double(value) - Reference.encoded(Double(source) / 255)) < 1.5)
        }
        for light in LightSpace.allCases {
            var recipe = ThumbnailRecipe(fitting: 4, 4)
            recipe.light = light
            let small = try Thumbnailer().makeBitmap(of: file, recipe: recipe)
            for (a, b) in zip(small[1, 1], decoded.bitmap[3, 3]) { #expect(abs(Int(a) - Int(b)) <= 1) }
        }
    }

    @Test func primariesAreConverted() throws {
        // Adobe RGB (1998): its (100, 150, 80) in sRGB, by the published matrices.
        let image = TestImages.rgb(8, 8) { _, _ in (100, 150, 80) }
        let file = try file(image, profile: Self.matrixProfile(gamma: 2.19921875, primaries: Self.adobePrimaries))
        let pixel = try ImageDecoder().decode(file).bitmap[2, 2].map(Int.init)
        // Green and blue move little, red falls: sRGB needs less of it for the same colour.
        let light = [100, 150, 80].map { pow(Double($0) / 255, 2.19921875) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0.0) { $0 + Self.adobePrimaries.rows[row][$1] * light[$1] } }
        let expected = (0..<3).map { row in
            Reference.encoded((0..<3).reduce(0.0) { $0 + ColorMatrix.pcsToSRGB.rows[row][$1] * xyz[$1] })
        }
        for (a, b) in zip(pixel, expected) { #expect(abs(Double(a) - b) <= 1.5) }
        #expect(pixel[0] < 75)
    }

    @Test func sRGBIsRecognizedAndDropped() throws {
        let profile = try #require(ICCProfile(Self.matrixProfile(gamma: 2.2)))
        // A plain 2.2 differs from sRGB by several code values in the dark.
        #expect(!profile.isSRGB)
        #expect(ToneCurve.sRGB.isNearlySRGB)
        #expect(ColorMatrix.pcsToSRGB.multiplied(by: .sRGBToPCS).isClose(to: .identity, within: 1e-5))
    }

    @Test func profilesThatAreNoneAreIgnored() {
        #expect(ICCProfile([]) == nil)
        #expect(ICCProfile([UInt8](repeating: 7, count: 4000)) == nil)
        let good = Self.matrixProfile(gamma: 1.8)
        var state: UInt64 = 42
        for _ in 0..<3000 {
            state = state &* 6364136223846793005 &+ 1442695040888963407
            var bad = good
            for _ in 0..<4 {
                state = state &* 6364136223846793005 &+ 1442695040888963407
                bad[Int(state >> 33) % bad.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            _ = ICCProfile(bad)
            _ = ICCProfile(Array(good.prefix(Int(state >> 33) % good.count)))
        }
    }

    @Test func differentCurvesByChannel() throws {
        var profile = Self.matrixProfile(gamma: 1.8)
        // The red curve's tag gets the blue one's place with another gamma appended.
        let curve = Array("curv\0\0\0\0".utf8) + TestImages.big32(1) + [1, 0, 0, 0]
        let tag = try #require((0..<(profile.count - 4)).first { profile[$0..<($0 + 4)].elementsEqual("rTRC".utf8) })
        profile.replaceSubrange((tag + 4)..<(tag + 8), with: TestImages.big32(profile.count))
        profile += curve
        profile.replaceSubrange(0..<4, with: TestImages.big32(profile.count))
        let parsed = try #require(ICCProfile(profile))
        let color = SourceColor(profile: profile, gamma: nil, channels: 3, isCMYK: false, handling: .convertToSRGB)
        #expect(color.channelMaps != nil && parsed.model != .opaque)
        let image = TestImages.rgb(8, 8) { _, _ in (128, 128, 128) }
        let file = try file(image, profile: profile)
        let decoded = try ImageDecoder().decode(file).bitmap[4, 4].map(Double.init)
        let small = try Thumbnailer().makeBitmap(of: file, recipe: ThumbnailRecipe(fitting: 4, 4))[1, 1].map(
            Double.init)
        for pixel in [decoded, small] {
            #expect(abs(pixel[0] - Reference.encoded(128.0 / 255)) < 2.5)
            #expect(abs(pixel[1] - Reference.encoded(pow(128.0 / 255, 1.8))) < 2.5)
        }
    }

    @Test func grayProfilesCountWithAndWithoutAlpha() throws {
        let profile = Self.matrixProfile(gamma: 1.0, space: "GRAY")
        for (channels, format) in [(1, ImageFormat.jpeg), (4, .png)] {
            for handling in ColorProfileHandling.allCases {
                let color = SourceColor(
                    profile: profile, gamma: nil, channels: channels, isCMYK: false, handling: handling)
                let isKept = channels == 1 && handling == .preserve
                #expect(color.outcome == (isKept ? .profileEmbedded : .convertedToSRGB), "\(format)")
                #expect((color.embeddedProfile != nil) == isKept)
            }
        }
    }
}
