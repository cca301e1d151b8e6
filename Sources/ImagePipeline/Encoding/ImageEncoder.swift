#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes bitmaps as JPEG or PNG files in memory. Pixels are taken for sRGB; no metadata is written.
public enum ImageEncoder {
    /// A JPEG file. Transparency is laid on `background`, in linear light.
    ///
    /// - Throws: ``ImageError/invalidRecipe(reason:)`` for a quality outside 1 to 100,
    ///   ``ImageError/encodingFailed(_:reason:)`` for sides above 65,500 pixels.
    public static func jpeg(
        _ bitmap: Bitmap, options: JPEGEncodingOptions = JPEGEncodingOptions(), background: RGBAColor = .white
    ) throws(ImageError) -> Data {
        Data(try bitmap.flattened(on: background, light: .linear).jpegFile(options, profile: nil))
    }

    /// A PNG file.
    public static func png(
        _ bitmap: Bitmap, options: PNGEncodingOptions = PNGEncodingOptions()
    ) throws(ImageError) -> Data {
        Data(try PNGWriter().write(bitmap, options, profile: nil))
    }
}

extension Bitmap {
    /// Must not have alpha.
    func jpegFile(_ options: JPEGEncodingOptions, profile: [UInt8]?) throws(ImageError) -> [UInt8] {
        let sink = try JPEGSink(options, profile: profile)
        try sink.begin(size: size, format: format)
        let result: Result<Void, ImageError> = bytes.withUnsafeBufferPointer { pixels in
            do throws(ImageError) {
                for y in 0..<height {
                    if let start = pixels.baseAddress { try sink.write(row: start + y * bytesPerRow) }
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return try sink.finish()
    }
}
