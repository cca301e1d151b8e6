#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an image file says about itself, read from its first bytes without decoding a pixel.
///
/// ```swift
/// let probe = try ImageProbe(data)
/// print(probe.format, probe.displaySize)      // png 2048x1536
/// ```
///
/// The format is told by its signature only, never by a name or a media type.
public struct ImageProbe: Sendable, Hashable {
    /// How colours are stored.
    public enum ColorModel: String, Sendable, Hashable {
        case gray
        case rgb
        /// Luma and colour differences, the usual JPEG.
        case ycbcr
        case cmyk
        /// CMYK, its colours as luma and differences.
        case ycck
        case palette
    }

    /// The file's format.
    public let format: ImageFormat
    /// The size of the pixels as stored.
    public let storedSize: PixelSize
    /// Bits a sample: 8 for JPEG; 1, 2, 4, 8 or 16 for PNG.
    public let bitDepth: Int
    /// How colours are stored.
    public let colorModel: ColorModel
    /// Whether pixels can be transparent.
    public let hasAlpha: Bool
    /// Progressive JPEG or interlaced PNG: the whole image is held while decoding.
    public let isProgressive: Bool
    /// How the image must be turned to be seen upright.
    public let orientation: ImageOrientation
    /// Whether an ICC profile is embedded.
    public let hasColorProfile: Bool
    /// About how many bytes a full decode takes besides its result: coefficients of a progressive image, all pixels of
    /// an interlaced one, a few rows of any other.
    public let estimatedDecodeBytes: Int

    /// The size as seen, after orientation.
    public var displaySize: PixelSize { orientation.swapsSides ? storedSize.transposed : storedSize }

    /// Reads the header from the first bytes of a file.
    ///
    /// - Parameter bytes: All of the file or its beginning. Photographs may carry 100 KB of metadata first; 256 KB are
    ///   nearly always enough.
    /// - Throws: ``ImageError/truncated(_:row:)`` when more bytes are needed; ``ImageError/unsupportedFormat(detected:)``,
    ///   ``ImageError/corrupt(_:reason:row:)``, ``ImageError/unsupportedFeature(_:reason:)``.
    public init(_ bytes: some ContiguousBytes) throws(ImageError) {
        self = try withImageBytes(bytes) { (buffer) throws(ImageError) in
            try ImageHeader(buffer, limits: ImageLimits()).probe
        }
    }

    init(jpeg header: JPEGHeader) {
        format = .jpeg
        storedSize = header.size
        bitDepth = header.precision
        switch header.components.count {
        case 1: colorModel = .gray
        case 4: colorModel = header.adobeTransform == 2 ? .ycck : .cmyk
        default:
            let isRGB =
                header.adobeTransform == 0 && !header.hasJFIF
                || (!header.hasJFIF && header.adobeTransform == nil
                    && header.components.map(\.identifier) == Array("RGB".utf8))
            colorModel = isRGB ? .rgb : .ycbcr
        }
        hasAlpha = false
        isProgressive = header.isProgressive
        orientation = header.orientation
        hasColorProfile = header.profile != nil
        let rows = header.size.width * header.components.count * 64
        estimatedDecodeBytes = rows + (header.hasSeveralScans ? header.coefficientBytes : 0)
    }

    init(png header: PNGHeader) {
        format = .png
        storedSize = header.size
        bitDepth = header.bitDepth
        switch header.colorType {
        case .gray, .grayAlpha: colorModel = .gray
        case .palette: colorModel = .palette
        case .rgb, .rgba: colorModel = .rgb
        }
        hasAlpha = header.hasAlpha
        isProgressive = header.isInterlaced
        orientation = header.orientation
        hasColorProfile = header.hasProfileChunk
        let row = header.size.width.multipliedReportingOverflow(by: 8).partialValue
        let pixels = header.size.pixelCount.multipliedReportingOverflow(by: header.channels)
        let all = pixels.overflow ? Int.max / 2 : pixels.partialValue
        estimatedDecodeBytes = row * 4 + (header.isInterlaced ? all : 0)
    }
}
