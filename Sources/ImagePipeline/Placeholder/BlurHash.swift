#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// BlurHash: a blurred placeholder of an image in 20 to 30 characters of text (the format of github.com/woltapp/blurhash).
///
/// The image is described by the first few terms of its cosine transform in linear light. Transparency is not kept;
/// ``ThumbHash`` does.
public enum BlurHash {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The hash of an image.
    ///
    /// - Parameters:
    ///   - bitmap: Preferably small: 32 to 100 pixels a side give the same hash as the original, far sooner.
    ///   - across: Terms across, 1 to 9.
    ///   - down: Terms down, 1 to 9.
    /// - Returns: `4 + 2 * across * down` characters; nil when the terms are out of range.
    public static func encode(_ bitmap: Bitmap, across: Int = 4, down: Int = 3) -> String? {
        guard (1...9).contains(across), (1...9).contains(down) else { return nil }
        let image = bitmap.flattened(on: .white, light: .linear).converted(to: .rgb)
        let factors = factors(image, across: across, down: down)
        var text = base83((across - 1) + (down - 1) * 9, length: 1)
        let largest = factors.dropFirst().reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        let quantized = factors.count > 1 ? min(max(Int(largest * 166 - 0.5), 0), 82) : 0
        let scale = factors.count > 1 ? Double(quantized + 1) / 166 : 1
        text += base83(quantized, length: 1)
        let average = factors[0]
        text += base83(sRGBByte(average.x) << 16 | sRGBByte(average.y) << 8 | sRGBByte(average.z), length: 4)
        for factor in factors.dropFirst() {
            func level(_ value: Double) -> Int {
                let ratio = value / scale
                let root = ratio < 0 ? -sqrt(-ratio) : sqrt(ratio)
                return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
            }
            text += base83(level(factor.x) * 361 + level(factor.y) * 19 + level(factor.z), length: 2)
        }
        return text
    }

    /// The blurred image of a hash, at any size; nil when the text is not a hash or the size is not 1 to 4096 a side.
    ///
    /// - Parameter punch: Contrast; 1 is as encoded.
    public static func decode(_ hash: String, size: PixelSize, punch: Double = 1) -> Bitmap? {
        guard (1...4096).contains(size.width), (1...4096).contains(size.height) else { return nil }
        var values: [Int] = []
        for character in hash.utf8 {
            guard let value = digits.firstIndex(of: character) else { return nil }
            values.append(value)
        }
        guard values.count >= 6 else { return nil }
        let across = values[0] % 9 + 1
        let down = values[0] / 9 + 1
        guard down <= 9, values.count == 4 + 2 * across * down else { return nil }
        let scale = Double(values[1] + 1) / 166 * punch
        let average = values[2..<6].reduce(0) { $0 * 83 + $1 }
        let linear = ToneCurve.sRGB.values
        var factors = [
            SIMD3(
                Double(linear[average >> 16 & 255]), Double(linear[average >> 8 & 255]), Double(linear[average & 255]))
        ]
        for index in 1..<(across * down) {
            let value = values[4 + 2 * index] * 83 + values[5 + 2 * index]
            func term(_ level: Int) -> Double {
                let part = (Double(level) - 9) / 9
                return part * abs(part) * scale
            }
            factors.append(SIMD3(term(value / 361), term(value / 19 % 19), term(value % 19)))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                var pixel = SIMD3<Double>()
                for v in 0..<down {
                    for u in 0..<across {
                        let basis =
                            cos(.pi * Double(x * u) / Double(size.width))
                            * cos(.pi * Double(y * v) / Double(size.height))
                        pixel += factors[v * across + u] * basis
                    }
                }
                for channel in 0..<3 { bytes.append(UInt8(sRGBByte(pixel[channel]))) }
            }
        }
        return Bitmap(unchecked: size, format: .rgb, bytes: bytes)
    }

    private static func factors(_ image: Bitmap, across: Int, down: Int) -> [SIMD3<Double>] {
        let linear = ToneCurve.sRGB.values.map(Double.init)
        let columns = (0..<across).map { u in
            (0..<image.width).map { cos(.pi * Double(u * $0) / Double(image.width)) }
        }
        let rows = (0..<down).map { v in
            (0..<image.height).map { cos(.pi * Double(v * $0) / Double(image.height)) }
        }
        var factors = [SIMD3<Double>](repeating: .zero, count: across * down)
        for y in 0..<image.height {
            for u in 0..<across {
                var sum = SIMD3<Double>()
                for x in 0..<image.width {
                    let start = y * image.bytesPerRow + x * 3
                    let pixel = SIMD3(
                        linear[Int(image.bytes[start])], linear[Int(image.bytes[start + 1])],
                        linear[Int(image.bytes[start + 2])])
                    sum += pixel * columns[u][x]
                }
                for v in 0..<down { factors[v * across + u] += sum * rows[v][y] }
            }
        }
        let pixels = Double(image.size.pixelCount)
        for index in factors.indices { factors[index] *= (index == 0 ? 1 : 2) / pixels }
        return factors
    }

    private static func sRGBByte(_ light: Double) -> Int {
        Int(ToneCurve.encodeSRGB(min(max(light, 0), 1)) * 255 + 0.5)
    }

    private static func base83(_ value: Int, length: Int) -> String {
        var rest = value
        var characters: [UInt8] = []
        for _ in 0..<length {
            characters.append(digits[rest % 83])
            rest /= 83
        }
        return String(decoding: characters.reversed(), as: UTF8.self)
    }
}
