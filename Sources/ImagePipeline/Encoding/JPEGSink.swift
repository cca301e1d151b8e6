import CImageCodecs

/// Writes rows to a JPEG file in memory. Owns the libjpeg handle.
final class JPEGSink: RowSink {
    private let writer: OpaquePointer
    private let options: JPEGEncodingOptions
    private let profile: [UInt8]?

    init(_ options: JPEGEncodingOptions, profile: [UInt8]?) throws(ImageError) {
        guard (1...100).contains(options.quality) else {
            throw .invalidRecipe(reason: "quality \(options.quality) is not within 1 to 100")
        }
        guard let writer = ci_jpeg_writer_create() else { throw .outOfMemory }
        self.writer = writer
        self.options = options
        self.profile = profile
    }

    deinit { ci_jpeg_writer_destroy(writer) }

    func begin(size: PixelSize, format: Bitmap.PixelFormat) throws(ImageError) {
        guard size.width <= 65_500, size.height <= 65_500 else {
            throw .encodingFailed(.jpeg, reason: "no side may be above 65500 pixels")
        }
        guard format != .rgba else { throw .encodingFailed(.jpeg, reason: "JPEG has no transparency") }
        let factors = options.samplingFactors
        var settings = ci_jpeg_options(
            width: UInt32(size.width), height: UInt32(size.height), components: Int32(format.channels),
            quality: Int32(options.quality), progressive: options.isProgressive ? 1 : 0,
            optimize_huffman: options.optimizesHuffman ? 1 : 0, horizontal_sampling: factors.horizontal,
            vertical_sampling: factors.vertical)
        try check(ci_jpeg_writer_start(writer, &settings))
        if let profile, !profile.isEmpty { try check(ci_jpeg_writer_write_icc(writer, profile, profile.count)) }
    }

    func write(row: UnsafePointer<UInt8>) throws(ImageError) {
        var pointer: UnsafePointer<UInt8>? = row
        try check(ci_jpeg_writer_write_rows(writer, &pointer, 1))
    }

    /// The finished file.
    func finish() throws(ImageError) -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(ci_jpeg_writer_finish(writer, &bytes, &count))
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func check(_ status: ci_status) throws(ImageError) {
        if status == CI_OK { return }
        if status == CI_ERROR_MEMORY { throw .outOfMemory }
        throw .encodingFailed(.jpeg, reason: String(cString: ci_jpeg_writer_message(writer)))
    }
}
