import Foundation
import Testing

@testable import ImagePipeline

@Suite struct PlaceholderTests {
    @Test func blurHashOfOneColor() throws {
        let image = TestImages.rgb(32, 32) { _, _ in (200, 100, 50) }
        let hash = try #require(BlurHash.encode(image, across: 1, down: 1))
        #expect(hash.count == 6)
        let decoded = try #require(BlurHash.decode(hash, size: PixelSize(width: 3, height: 3)))
        #expect(decoded[1, 1].elementsEqual([200, 100, 50]))
    }

    @Test func blurHashKeepsTheGist() throws {
        let image = TestImages.rgb(48, 32) { x, y in x < 24 ? (220, 30, 20) : (20, 40, 210) }
        let hash = try #require(BlurHash.encode(image))
        #expect(hash.count == 4 + 2 * 12)
        // 4 by 3 terms: (4 - 1) + (3 - 1) * 9 = 21, which is L.
        #expect(hash.first == "L")
        let decoded = try #require(BlurHash.decode(hash, size: image.size))
        #expect(decoded[5, 16][decoded[5, 16].startIndex] > 180)
        #expect(decoded[42, 16][decoded[42, 16].startIndex + 2] > 170)
    }

    /// The published example of the format's own documentation decodes to its average colour.
    @Test func blurHashDecodesThePublishedExample() throws {
        let decoded = try #require(
            BlurHash.decode("LEHV6nWB2yk8pyo0adR*.7kCMdnj", size: PixelSize(width: 32, height: 32)))
        let mean = (0..<3).map { c in
            stride(from: c, to: decoded.bytes.count, by: 3).reduce(0.0) { $0 + Reference.linear(decoded.bytes[$1]) }
                / 1024
        }
        // Its four digits "V6nW" after the size and the scale, read as base 83.
        let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
        let value = "HV6n".reduce(0) { sum, character in
            sum * 83 + (digits.firstIndex(of: character).map { digits.distance(from: digits.startIndex, to: $0) } ?? 0)
        }
        for c in 0..<3 {
            let expected = Reference.linear(UInt8(value >> (16 - 8 * c) & 255))
            #expect(abs(mean[c] - expected) < 0.03)
        }
    }

    @Test func badBlurHashesAreRefused() {
        for bad in ["", "LEHV6", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdn\"", "~~~~~~"] {
            #expect(BlurHash.decode(bad, size: PixelSize(width: 4, height: 4)) == nil)
        }
        #expect(BlurHash.encode(TestImages.smooth(4, 4), across: 10, down: 1) == nil)
    }

    @Test func thumbHashKeepsAverageAndAlpha() throws {
        let opaque = TestImages.rgb(120, 80) { _, _ in (200, 100, 50) }
        let hash = try ThumbHash.encode(opaque)
        let color = try #require(ThumbHash.averageColor(hash))
        #expect(abs(Int(color.red) - 200) <= 6 && abs(Int(color.green) - 100) <= 6 && abs(Int(color.blue) - 50) <= 6)
        #expect(color.alpha == 255)
        let half = TestImages.rgba(80, 120) { x, y in (10, 200, 30, y < 60 ? 255 : 0) }
        let alphaHash = try ThumbHash.encode(half)
        let faint = try #require(ThumbHash.averageColor(alphaHash))
        #expect(faint.green > 180 && faint.alpha > 110 && faint.alpha < 145)
        #expect(hash.count < 30 && alphaHash.count < 30)
        #expect(ThumbHash.averageColor([1, 2]) == nil && ThumbHash.averageColor([255, 255, 255, 0, 0]) == nil)
    }
}
