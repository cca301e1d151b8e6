/// A bitmap of at most 256 colours as a palette and one index a pixel, packed as PNG packs them.
struct IndexedPixels {
    /// Red, green, blue of each entry.
    var palette: [UInt8]
    /// Alpha of the first entries; those after are opaque. Transparent entries come first so that this is short.
    var alpha: [UInt8]
    var bitDepth: Int
    var bytesPerRow: Int
    var rows: [UInt8]

    /// Nil when there are more colours.
    init?(_ bitmap: Bitmap) {
        var indexOfColor: [UInt32: Int] = [:]
        var colors: [UInt32] = []
        let channels = bitmap.format.channels
        guard channels >= 3 else { return nil }
        var previous: UInt32?
        for start in stride(from: 0, to: bitmap.bytes.count, by: channels) {
            let color = Self.color(bitmap, at: start)
            if color == previous { continue }
            previous = color
            if indexOfColor[color] == nil {
                if colors.count == 256 { return nil }
                indexOfColor[color] = colors.count
                colors.append(color)
            }
        }
        // Transparent ones first, else in order of appearance.
        let order = colors.filter { $0 & 255 != 255 } + colors.filter { $0 & 255 == 255 }
        for (index, color) in order.enumerated() { indexOfColor[color] = index }
        palette = order.flatMap { [UInt8($0 >> 24), UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255)] }
        alpha = order.prefix { $0 & 255 != 255 }.map { UInt8($0 & 255) }
        bitDepth = order.count <= 2 ? 1 : order.count <= 4 ? 2 : order.count <= 16 ? 4 : 8
        let perByte = 8 / bitDepth
        bytesPerRow = (bitmap.width + perByte - 1) / perByte
        rows = [UInt8](repeating: 0, count: bytesPerRow * bitmap.height)
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let color = Self.color(bitmap, at: y * bitmap.bytesPerRow + x * channels)
                let index = UInt8(truncatingIfNeeded: indexOfColor[color] ?? 0)
                let shift = 8 - bitDepth - (x % perByte) * bitDepth
                rows[y * bytesPerRow + x / perByte] |= index << UInt8(shift)
            }
        }
    }

    private static func color(_ bitmap: Bitmap, at start: Int) -> UInt32 {
        let bytes = bitmap.bytes
        let alpha = bitmap.format == .rgba ? bytes[start + 3] : 255
        return UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
            | UInt32(alpha)
    }
}
