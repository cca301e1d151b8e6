#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes a whole JPEG or PNG file into a ``Bitmap``.
///
/// ```swift
/// let image = try ImageDecoder().decode(data)
/// print(image.bitmap.size, image.color)
/// ```
public struct ImageDecoder: Sendable {
    /// What sources may ask for. The bitmap counts towards ``ImageLimits/decodeBytes``.
    public var limits: ImageLimits
    /// What to do with damaged files.
    public var truncation: TruncationPolicy
    /// Whether the result is turned upright by the EXIF orientation.
    public var appliesOrientation = true

    /// A decoder with given limits.
    public init(limits: ImageLimits = ImageLimits(), truncation: TruncationPolicy = .fail) {
        self.limits = limits
        self.truncation = truncation
    }

    /// The pixels of a file and what is known of them.
    public struct DecodedImage: Sendable {
        /// The pixels, in sRGB unless ``profile`` says otherwise.
        public var bitmap: Bitmap
        /// What the file says of itself.
        public var source: ImageProbe
        /// How the colours came about.
        public var color: ColorOutcome
        /// The ICC profile that describes the bitmap, when it is not sRGB.
        public var profile: [UInt8]?
        /// Whether the file was damaged and part of the image is made up.
        public var isPartial: Bool
    }

    /// Decodes a whole file at its full size.
    ///
    /// - Parameters:
    ///   - bytes: A whole JPEG or PNG file.
    ///   - colorProfile: Whether pixels are converted to sRGB.
    ///   - isCancelled: Asked between blocks of rows.
    public func decode(
        _ bytes: some ContiguousBytes, colorProfile: ColorProfileHandling = .convertToSRGB,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(ImageError) -> DecodedImage {
        try withImageBytes(bytes) { (buffer) throws(ImageError) in
            try decode(buffer, colorProfile, isCancelled)
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ handling: ColorProfileHandling, _ isCancelled: @escaping () -> Bool
    ) throws(ImageError) -> DecodedImage {
        try limits.check(.inputBytes, bytes.count)
        let header = try ImageHeader(bytes, limits: limits)
        let probe = header.probe
        let channels = probe.hasAlpha ? 4 : probe.colorModel == .gray ? 1 : 3
        let pixels = probe.storedSize.pixelCount
        try limits.check(source: probe.storedSize, decodeBytes: probe.estimatedDecodeBytes)
        try limits.check(.decodeBytes, probe.estimatedDecodeBytes + pixels * channels)

        let source: any RowSource
        let color: SourceColor
        switch header {
        case .jpeg(let header):
            let jpeg = try JPEGSource(
                bytes, eighths: 8, limits: limits, truncation: truncation, isCancelled: isCancelled)
            color = SourceColor(
                profile: header.profile, gamma: nil, channels: jpeg.channels, isCMYK: jpeg.isCMYK, handling: handling)
            source = jpeg
        case .png(let header):
            let png = try PNGSource(bytes, limits: limits, truncation: truncation, isCancelled: isCancelled)
            color = SourceColor(
                profile: png.profile, gamma: header.hasSRGBChunk ? nil : header.gamma, channels: png.channels,
                isCMYK: false, handling: handling)
            source = png
        }
        let sink = BitmapSink()
        try sink.begin(size: source.size, format: Bitmap.PixelFormat(rawValue: source.channels) ?? .rgb)
        let encoder = RowEncoder(color: color, width: source.size.width, channels: source.channels)
        let row = try AlignedBuffer(byteCount: source.size.width * source.channels + 256)
        let start = row.bound(to: UInt8.self) + 16
        for y in 0..<source.size.height {
            if y & 63 == 0, isCancelled() { throw .cancelled }
            try source.readRow(into: start)
            color.mapChannels(start, samples: source.size.width * source.channels, channels: source.channels)
            encoder.convert(start)
            try sink.write(row: start)
        }
        try source.finish()
        return DecodedImage(
            bitmap: sink.bitmap().oriented(appliesOrientation ? probe.orientation : .up), source: probe,
            color: color.outcome, profile: color.embeddedProfile, isPartial: source.isPartial)
    }
}
