import Foundation

@testable import ImagePipeline

/// Images and files made on the spot.
enum TestImages {
    static func rgb(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> (Int, Int, Int)) -> Bitmap {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (r, g, b) = pixel(x, y)
                bytes += [r, g, b].map { UInt8(clamping: $0) }
            }
        }
        return Bitmap(unchecked: PixelSize(width: width, height: height), format: .rgb, bytes: bytes)
    }

    static func rgba(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> (Int, Int, Int, Int)) -> Bitmap {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (r, g, b, a) = pixel(x, y)
                bytes += [r, g, b, a].map { UInt8(clamping: $0) }
            }
        }
        return Bitmap(unchecked: PixelSize(width: width, height: height), format: .rgba, bytes: bytes)
    }

    static func gray(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Int) -> Bitmap {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes.append(UInt8(clamping: pixel(x, y))) } }
        return Bitmap(unchecked: PixelSize(width: width, height: height), format: .gray, bytes: bytes)
    }

    /// Four quarters of different colours: every orientation of it is different.
    static func quarters(_ width: Int, _ height: Int) -> Bitmap {
        rgb(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): (220, 40, 40)
            case (false, true): (40, 200, 60)
            case (true, false): (50, 60, 210)
            case (false, false): (230, 220, 70)
            }
        }
    }

    static func smooth(_ width: Int, _ height: Int) -> Bitmap {
        rgb(width, height) { x, y in
            (x * 255 / max(1, width - 1), y * 255 / max(1, height - 1), 128 + Int(80 * sin(Double(x + y) / 9)))
        }
    }

    static func jpeg(_ bitmap: Bitmap, _ change: (inout JPEGEncodingOptions) -> Void = { _ in }) -> Data {
        var options = JPEGEncodingOptions(quality: 95)
        change(&options)
        return (try? ImageEncoder.jpeg(bitmap, options: options)) ?? Data()
    }

    /// Puts segments right after the start marker.
    static func inserting(_ segments: [(marker: UInt8, content: [UInt8])], into jpeg: Data) -> Data {
        var result = Data([0xFF, 0xD8])
        for (marker, content) in segments {
            let length = content.count + 2
            result += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
        }
        return result + jpeg.dropFirst(2)
    }

    static func exif(orientation: Int, bigEndian: Bool, long: Bool) -> [UInt8] {
        func u16(_ v: Int) -> [UInt8] {
            bigEndian ? [UInt8(v >> 8), UInt8(v & 255)] : [UInt8(v & 255), UInt8(v >> 8)]
        }
        func u32(_ v: Int) -> [UInt8] { bigEndian ? u16(v >> 16) + u16(v & 65535) : u16(v & 65535) + u16(v >> 16) }
        let value = long ? u32(orientation) : u16(orientation) + [0, 0]
        let tiff = Array((bigEndian ? "MM" : "II").utf8) + u16(42) + u32(8) + u16(1)
        return tiff + u16(0x0112) + u16(long ? 4 : 3) + u32(1) + value + u32(0)
    }

    static func withEXIF(_ jpeg: Data, orientation: Int, bigEndian: Bool = false, long: Bool = false) -> Data {
        let block = Array("Exif\0\0".utf8) + exif(orientation: orientation, bigEndian: bigEndian, long: long)
        return inserting([(0xE1, block)], into: jpeg)
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    static func big32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big32(content.count) + body + big32(Int(crc32(body)))
    }

    /// zlib without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            let n = block.count
            result += [rest.isEmpty ? 1 : 0, UInt8(n & 255), UInt8(n >> 8), UInt8(~n & 255), UInt8((~n >> 8) & 255)]
            result += block
        } while !rest.isEmpty
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return result + big32(Int(b << 16 | a))
    }

    static func png(
        width: Int, height: Int, depth: UInt8, color: UInt8, interlaced: Bool = false, before: [[UInt8]] = [],
        scanlines: [UInt8], after: [[UInt8]] = []
    ) -> Data {
        let header = big32(width) + big32(height) + [depth, color, 0, 0, interlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", header)
        for extra in before { file += extra }
        file += chunk("IDAT", stored(scanlines))
        for extra in after { file += extra }
        return Data(file + chunk("IEND", []))
    }
}

/// The best possible resize of bytes in linear light, in double precision and without any of our tables.
enum Reference {
    static func linear(_ value: UInt8) -> Double {
        let v = Double(value) / 255
        return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ light: Double) -> Double {
        let v = min(max(light, 0), 1)
        return 255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055)
    }

    static func lanczos(_ x: Double) -> Double {
        if abs(x) >= 3 { return 0 }
        if abs(x) < 1e-9 { return 1 }
        return sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3)
    }

    private static func weights(_ source: Int, _ target: Int) -> [[(Int, Double)]] {
        let step = Double(source) / Double(target)
        let scale = max(1, step)
        return (0..<target).map { index in
            let center = (Double(index) + 0.5) * step
            var taps = (0..<source).map { ($0, lanczos((Double($0) + 0.5 - center) / scale)) }.filter { $0.1 != 0 }
            let sum = taps.reduce(0) { $0 + $1.1 }
            for i in taps.indices { taps[i].1 /= sum }
            return taps
        }
    }

    /// Values of 0 to 255 that are not rounded.
    static func resize(_ bitmap: Bitmap, to size: PixelSize, inLight: Bool) -> [Double] {
        let channels = bitmap.format.channels
        let light = bitmap.bytes.map { inLight ? linear($0) : Double($0) }
        let across = weights(bitmap.width, size.width)
        let down = weights(bitmap.height, size.height)
        var result: [Double] = []
        var column = [Double](repeating: 0, count: bitmap.bytesPerRow)
        for y in 0..<size.height {
            for i in column.indices {
                column[i] = down[y].reduce(0) { $0 + light[$1.0 * bitmap.bytesPerRow + i] * $1.1 }
            }
            for x in 0..<size.width {
                for c in 0..<channels {
                    let value = across[x].reduce(0) { $0 + column[$1.0 * channels + c] * $1.1 }
                    result.append(inLight ? encoded(value) : min(max(value, 0), 255))
                }
            }
        }
        return result
    }
}
