#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// ThumbHash: a blurred placeholder in about 25 bytes that keeps the aspect ratio and transparency
/// (the format of evanw.github.io/thumbhash).
public enum ThumbHash {
    /// The hash of an image, which is first made to fit into 100 by 100 pixels.
    public static func encode(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
        let small = try Thumbnailer().makeBitmap(of: bitmap, recipe: ThumbnailRecipe(fitting: 100, 100))
        return encode(small: small.converted(to: .rgba))
    }

    private static func encode(small image: Bitmap) -> [UInt8] {
        let count = image.size.pixelCount
        let width = image.width
        let height = image.height
        func unit(_ index: Int) -> Double { Double(image.bytes[index]) / 255 }
        var average = SIMD3<Double>()
        var alphaSum = 0.0
        for pixel in 0..<count {
            let alpha = unit(pixel * 4 + 3)
            average += SIMD3(unit(pixel * 4), unit(pixel * 4 + 1), unit(pixel * 4 + 2)) * alpha
            alphaSum += alpha
        }
        if alphaSum > 0 { average /= alphaSum }
        let hasAlpha = alphaSum < Double(count)
        let limit = hasAlpha ? 5.0 : 7.0
        let longer = Double(max(width, height))
        let lumaX = max(1, Int((limit * Double(width) / longer).rounded()))
        let lumaY = max(1, Int((limit * Double(height) / longer).rounded()))
        var luma = [Double](repeating: 0, count: count)
        var yellowBlue = luma
        var redGreen = luma
        var alphas = luma
        for pixel in 0..<count {
            let alpha = unit(pixel * 4 + 3)
            let color =
                average * (1 - alpha) + SIMD3(unit(pixel * 4), unit(pixel * 4 + 1), unit(pixel * 4 + 2)) * alpha
            luma[pixel] = (color.x + color.y + color.z) / 3
            yellowBlue[pixel] = (color.x + color.y) / 2 - color.z
            redGreen[pixel] = color.x - color.y
            alphas[pixel] = alpha
        }
        let l = Channel(luma, width: width, height: height, across: max(3, lumaX), down: max(3, lumaY))
        let p = Channel(yellowBlue, width: width, height: height, across: 3, down: 3)
        let q = Channel(redGreen, width: width, height: height, across: 3, down: 3)
        let a = hasAlpha ? Channel(alphas, width: width, height: height, across: 5, down: 5) : nil

        func level(_ value: Double, _ steps: Double) -> Int { Int((value * steps).rounded()) }
        let isLandscape = width > height
        let header24 =
            level(l.constant, 63) | level(0.5 + 0.5 * p.constant, 63) << 6 | level(0.5 + 0.5 * q.constant, 63) << 12
            | level(l.scale, 31) << 18 | (hasAlpha ? 1 << 23 : 0)
        let header16 =
            (isLandscape ? lumaY : lumaX) | level(p.scale, 63) << 3 | level(q.scale, 63) << 9
            | (isLandscape ? 1 << 15 : 0)
        var hash = [header24 & 255, header24 >> 8 & 255, header24 >> 16, header16 & 255, header16 >> 8].map {
            UInt8(truncatingIfNeeded: $0)
        }
        if let a { hash.append(UInt8(level(a.constant, 15) | level(a.scale, 15) << 4)) }
        var isLow = true
        for term in [l, p, q].flatMap(\.terms) + (a?.terms ?? []) {
            let nibble = UInt8(level(term, 15))
            if isLow { hash.append(nibble) } else { hash[hash.count - 1] |= nibble << 4 }
            isLow.toggle()
        }
        return hash
    }

    /// The low frequencies of one channel, scaled to 0...1 around a half.
    private struct Channel {
        var constant = 0.0
        var terms: [Double] = []
        var scale = 0.0

        init(_ values: [Double], width: Int, height: Int, across: Int, down: Int) {
            for v in 0..<down {
                var u = 0
                while u * down < across * (down - v) {
                    let columns = (0..<width).map { cos(.pi / Double(width) * Double(u) * (Double($0) + 0.5)) }
                    var sum = 0.0
                    for y in 0..<height {
                        let row = cos(.pi / Double(height) * Double(v) * (Double(y) + 0.5))
                        for x in 0..<width { sum += values[x + y * width] * columns[x] * row }
                    }
                    sum /= Double(width * height)
                    if u > 0 || v > 0 {
                        terms.append(sum)
                        scale = max(scale, abs(sum))
                    } else {
                        constant = sum
                    }
                    u += 1
                }
            }
            if scale > 0 {
                terms = terms.map { 0.5 + 0.5 / scale * $0 }
            } else {
                terms = terms.map { _ in 0 }
            }
        }
    }

    /// The average colour of a hash; nil when it is too short to be one.
    public static func averageColor(_ hash: [UInt8]) -> RGBAColor? {
        guard hash.count >= 5 else { return nil }
        let header = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
        let hasAlpha = header >> 23 != 0
        guard !hasAlpha || hash.count >= 6 else { return nil }
        let l = Double(header & 63) / 63
        let p = Double(header >> 6 & 63) / 31.5 - 1
        let q = Double(header >> 12 & 63) / 31.5 - 1
        let a = hasAlpha ? Double(hash[5] & 15) / 15 : 1
        let blue = l - 2.0 / 3 * p
        let red = (3 * l - blue + q) / 2
        func byte(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
        return RGBAColor(red: byte(red), green: byte(red - q), blue: byte(blue), alpha: byte(a))
    }
}
