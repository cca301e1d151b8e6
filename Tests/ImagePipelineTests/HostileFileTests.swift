import Foundation
import Testing

@testable import ImagePipeline

/// Nothing a file says may crash, hang or exhaust the process.
@Suite struct HostileFileTests {
    private static let recipe = ThumbnailRecipe(fitting: 9, 9)

    /// Small files of every kind.
    private static let samples: [Data] = {
        let image = TestImages.smooth(24, 17)
        let gray = TestImages.gray(17, 24) { x, y in x * y }
        let alpha = TestImages.rgba(15, 15) { x, y in (x * 17, y * 17, 9, x * y) }
        var files = [
            TestImages.jpeg(image), TestImages.jpeg(image) { $0.isProgressive = true }, TestImages.jpeg(gray),
            TestImages.withEXIF(TestImages.jpeg(gray), orientation: 6),
        ]
        for bitmap in [image, gray, alpha] { if let png = try? ImageEncoder.png(bitmap) { files.append(png) } }
        files.append(
            TestImages.png(
                width: 4, height: 4, depth: 8, color: 0, interlaced: true, scanlines: Array(repeating: 0, count: 40)))
        return files
    }()

    private func attempt(_ file: Data) {
        for truncation in [TruncationPolicy.fail, .partial] {
            do throws(ImageError) {
                let thumbnail = try Thumbnailer(truncation: truncation).makeThumbnail(of: file, recipe: Self.recipe)
                #expect(thumbnail.size.width <= 9 && thumbnail.size.height <= 9)
            } catch {
                // Any ImageError will do; what matters is that it is one.
            }
        }
    }

    @Test func everyTruncation() throws {
        for file in Self.samples {
            for count in 0..<file.count {
                let cut = Data(file.prefix(count))
                do throws(ImageError) {
                    let thumbnail = try Thumbnailer().makeThumbnail(of: cut, recipe: Self.recipe)
                    // Only what follows the last pixel may be missing.
                    #expect(count >= file.count - 3, "\(thumbnail.source.format) cut to \(count) of \(file.count)")
                } catch {
                    if case .truncated = error { continue }
                    if case .unsupportedFormat(nil) = error, count == 0 { continue }
                    Issue.record("cut to \(count) of \(file.count): \(error)")
                }
            }
        }
    }

    @Test func everyTruncationAcceptingDamage() {
        for file in Self.samples {
            for count in stride(from: 0, to: file.count, by: 3) { attempt(Data(file.prefix(count))) }
        }
    }

    @Test func mutatedBytes() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state = state &* 6364136223846793005 &+ 1442695040888963407
            return Int(state >> 33) % max(bound, 1)
        }
        for file in Self.samples {
            for _ in 0..<150 {
                var bad = file
                for _ in 0...random(4) { bad[random(bad.count)] = UInt8(truncatingIfNeeded: random(256)) }
                attempt(bad)
            }
        }
    }

    @Test func randomBytesAfterASignature() {
        var state: UInt64 = 7
        for signature in [[0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]] as [[UInt8]] {
            for count in 0..<300 {
                var file = Data(signature)
                for _ in 0..<count {
                    state = state &* 6364136223846793005 &+ 1442695040888963407
                    file.append(UInt8(truncatingIfNeeded: state >> 40))
                }
                attempt(file)
            }
        }
    }

    @Test func hugeDimensionsAreRefusedBeforeMemoryIsTaken() {
        for (width, height) in [(0x7FFF_FFFF, 0x7FFF_FFFF), (90_000, 90_000), (2_000_000, 1), (1, 2_000_000)] {
            let file = TestImages.png(
                width: width, height: height, depth: 16, color: 6, interlaced: true, scanlines: [0])
            for use in [
                { _ = try Thumbnailer().makeThumbnail(of: file, recipe: Self.recipe) },
                { _ = try ImageDecoder().decode(file) },
            ] as [() throws -> Void] {
                #expect {
                    try use()
                } throws: { error in
                    if case .limitExceeded? = error as? ImageError { true } else { false }
                }
            }
        }
        // JPEG: the size in the frame header of a small file is raised to the largest.
        for progressive in [false, true] {
            var file = TestImages.jpeg(TestImages.smooth(16, 16)) { $0.isProgressive = progressive }
            guard
                let frame = (0..<(file.count - 9)).first(where: {
                    file[$0] == 0xFF && (file[$0 + 1] == 0xC0 || file[$0 + 1] == 0xC2)
                })
            else { continue }
            file.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
            #expect {
                try Thumbnailer().makeThumbnail(of: file, recipe: Self.recipe)
            } throws: { error in
                if case .limitExceeded(.pixels, _, _)? = error as? ImageError { true } else { false }
            }
        }
    }

    @Test func eachLimitIsEnforced() {
        let file = TestImages.jpeg(TestImages.smooth(100, 50)) { $0.isProgressive = true }
        func expect(_ kind: ImageLimits.Kind, _ change: (inout ImageLimits) -> Void) {
            var limits = ImageLimits()
            change(&limits)
            #expect {
                try Thumbnailer(limits: limits).makeThumbnail(of: file, recipe: Self.recipe)
            } throws: { error in
                if case .limitExceeded(let found, _, _)? = error as? ImageError { found == kind } else { false }
            }
        }
        expect(.inputBytes) { $0.inputBytes = 100 }
        expect(.pixels) { $0.pixels = 4999 }
        expect(.side) { $0.side = 99 }
        expect(.decodeBytes) { $0.decodeBytes = 20_000 }
        expect(.outputPixels) { $0.outputPixels = 10 }
    }

    @Test func thousandsOfScansAreRefused() throws {
        let file = TestImages.jpeg(TestImages.smooth(16, 16)) { $0.isProgressive = true }
        // The last scan, repeated: each would be a pass over the whole image.
        let last = try #require((0..<(file.count - 1)).last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
        let scan = file[last..<(file.count - 2)]
        var bomb = file.dropLast(2)
        for _ in 0..<5000 { bomb += scan }
        #expect {
            try Thumbnailer(truncation: .partial).makeThumbnail(of: Data(bomb), recipe: Self.recipe)
        } throws: { error in
            if case .corrupt(.jpeg, let reason, _)? = error as? ImageError {
                reason.contains("100 scans")
            } else {
                false
            }
        }
    }

    @Test func inflatingChunksAreNotInflated() throws {
        // A compressed text and a compressed profile that claim to be long.
        let zeros = TestImages.stored([UInt8](repeating: 65, count: 200_000))
        let text = TestImages.chunk("zTXt", Array("k\0\0".utf8) + zeros)
        let profile = TestImages.chunk("iCCP", Array("k\0\0".utf8) + zeros)
        let file = TestImages.png(
            width: 1, height: 1, depth: 8, color: 2, before: [profile] + Array(repeating: text, count: 100),
            scanlines: [0, 1, 2, 3])
        var limits = ImageLimits()
        limits.profileBytes = 50_000
        let decoded = try ImageDecoder(limits: limits).decode(file)
        #expect(decoded.bitmap.bytes == [1, 2, 3] && decoded.profile == nil)
    }

    @Test func otherFormatsAreNamed() {
        let cases: [(String, String?)] = [
            ("GIF89a......", "GIF"), ("RIFF....WEBPVP8 ", "WebP"), ("<!doctype html>", "HTML"),
            ("....ftypavif....", "AVIF"), ("BM..........", "BMP"), ("hello", nil), ("", nil),
        ]
        for (text, name) in cases {
            #expect(throws: ImageError.unsupportedFormat(detected: name)) { try ImageProbe(Data(text.utf8)) }
        }
    }

    @Test func probeNeedsOnlyTheBeginning() throws {
        for file in Self.samples {
            let whole = try ImageProbe(file)
            var needed = 0
            while needed < file.count, (try? ImageProbe(Data(file.prefix(needed)))) == nil { needed += 1 }
            #expect(needed < file.count)
            #expect(try ImageProbe(Data(file.prefix(needed))).storedSize == whole.storedSize)
        }
    }
}
