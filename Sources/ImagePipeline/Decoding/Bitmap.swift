/// Decoded pixels, 8 bits a sample, rows from top to bottom without padding, sRGB unless a profile came with them.
public struct Bitmap: Sendable, Hashable {
    /// How samples make a pixel.
    public enum PixelFormat: Int, Sendable, Hashable {
        /// One sample.
        case gray = 1
        /// Red, green, blue.
        case rgb = 3
        /// Red, green, blue, alpha; colours are not premultiplied.
        case rgba = 4

        /// Samples, and so bytes, a pixel.
        public var channels: Int { rawValue }
    }

    /// Width and height in pixels.
    public let size: PixelSize
    /// How samples make a pixel.
    public let format: PixelFormat
    /// `size.height` rows of `size.width * format.channels` bytes.
    public internal(set) var bytes: [UInt8]

    /// Pixels across.
    public var width: Int { size.width }
    /// Pixels down.
    public var height: Int { size.height }
    /// Bytes of one row.
    public var bytesPerRow: Int { width * format.channels }

    /// A bitmap of given bytes; nil unless both sides are at least 1 and the number of bytes is exactly that of the rows.
    public init?(size: PixelSize, format: PixelFormat, bytes: [UInt8]) {
        guard size.width >= 1, size.height >= 1, size.pixelCount < Int.max / 4,
            bytes.count == size.pixelCount * format.channels
        else { return nil }
        self.init(unchecked: size, format: format, bytes: bytes)
    }

    init(unchecked size: PixelSize, format: PixelFormat, bytes: [UInt8]) {
        self.size = size
        self.format = format
        self.bytes = bytes
    }

    /// The samples of one pixel, which must be inside.
    public subscript(x: Int, y: Int) -> ArraySlice<UInt8> {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside of the bitmap")
        let start = y * bytesPerRow + x * format.channels
        return bytes[start..<(start + format.channels)]
    }

    /// Whether some pixel is not fully opaque.
    public var hasTransparency: Bool {
        guard format == .rgba else { return false }
        return stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] != 255 }
    }
}
