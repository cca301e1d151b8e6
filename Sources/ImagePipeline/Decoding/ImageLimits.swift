/// Bounds on what an image from outside may ask for. All are checked against the file's header before memory is taken.
///
/// The defaults let through any photograph made today, and stop files crafted to exhaust memory or time.
public struct ImageLimits: Sendable, Hashable {
    /// Bytes of the encoded file. Default 256 MiB.
    public var inputBytes = 256 << 20
    /// Pixels of the source. Default 268 million (2^28).
    public var pixels = 1 << 28
    /// The longer side of the source, in pixels. Default 100,000.
    public var side = 100_000
    /// Memory that decoding may take, in bytes; see ``ImageProbe/estimatedDecodeBytes``. Default 512 MiB.
    public var decodeBytes = 512 << 20
    /// Scans of a progressive JPEG. Each costs a pass over the whole image, so a small file can buy hours of work with
    /// them. Encoders write about 10. Default 100.
    public var progressiveScans = 100
    /// Bytes of an embedded ICC profile, after decompression. Default 4 MiB.
    public var profileBytes = 4 << 20
    /// Pixels of a result. Default 100 million.
    public var outputPixels = 100_000_000

    /// The default limits.
    public init() {}

    /// A limit, as named in ``ImageError/limitExceeded(_:actual:allowed:)``.
    public enum Kind: String, Sendable, Hashable {
        case inputBytes = "input bytes"
        case pixels = "pixels"
        case side = "pixels a side"
        case decodeBytes = "bytes to decode"
        case outputPixels = "output pixels"
    }

    func check(_ kind: Kind, _ actual: Int) throws(ImageError) {
        let allowed =
            switch kind {
            case .inputBytes: inputBytes
            case .pixels: pixels
            case .side: side
            case .decodeBytes: decodeBytes
            case .outputPixels: outputPixels
            }
        if actual > allowed { throw .limitExceeded(kind, actual: actual, allowed: allowed) }
    }

    func check(source size: PixelSize, decodeBytes: Int) throws(ImageError) {
        try check(.side, max(size.width, size.height))
        try check(.pixels, size.pixelCount)
        try check(.decodeBytes, decodeBytes)
    }
}
