#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parsed header of either format.
enum ImageHeader {
    case jpeg(JPEGHeader)
    case png(PNGHeader)

    init(_ bytes: UnsafeRawBufferPointer, limits: ImageLimits) throws(ImageError) {
        switch ImageFormat.signature(of: bytes) {
        case .known(.jpeg): self = .jpeg(try JPEGHeader(bytes, profileLimit: limits.profileBytes))
        case .known(.png): self = .png(try PNGHeader(bytes))
        case .foreign(let name): throw .unsupportedFormat(detected: name)
        case .incomplete(let format): throw .truncated(format, row: nil)
        case .unknown: throw .unsupportedFormat(detected: nil)
        }
    }

    var probe: ImageProbe {
        switch self {
        case .jpeg(let header): ImageProbe(jpeg: header)
        case .png(let header): ImageProbe(png: header)
        }
    }
}

/// Gives `body` the bytes, keeping the error's type, which `withUnsafeBytes` of the protocol erases.
func withImageBytes<Result>(
    _ bytes: some ContiguousBytes, _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Result
) throws(ImageError) -> Result {
    let result: Swift.Result<Result, ImageError> = bytes.withUnsafeBytes { buffer in
        do throws(ImageError) {
            return .success(try body(buffer))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}
