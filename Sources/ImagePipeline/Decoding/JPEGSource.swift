import CImageCodecs

/// The rows of a JPEG file. Owns the libjpeg handle; `bytes` must outlive it.
final class JPEGSource: RowSource {
    private let reader: OpaquePointer
    private var info = ci_jpeg_info()
    private let limits: ImageLimits
    private let truncation: TruncationPolicy
    private let isCancelled: () -> Bool
    private var hasConsumedScans = false
    private var row = 0
    /// Rows of four inks, for CMYK.
    private let inks: AlignedBuffer?

    let size: PixelSize
    let channels: Int
    private(set) var isPartial = false

    var isCMYK: Bool { info.layout == CI_JPEG_CMYK }

    /// - Parameter eighths: 8 for the full size, 4 for half, 2 for a quarter.
    init(
        _ bytes: UnsafeRawBufferPointer, eighths: Int, limits: ImageLimits, truncation: TruncationPolicy,
        isCancelled: @escaping () -> Bool
    ) throws(ImageError) {
        // libjpeg's own share, besides what the header's estimate covers, is small; the slack is for its tables.
        let memory = limits.decodeBytes + (4 << 20)
        let bytes = truncation == .partial ? JPEGHeader.wholeSegments(of: bytes) : bytes
        guard
            let reader = ci_jpeg_reader_create(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, memory)
        else { throw .outOfMemory }
        var info = ci_jpeg_info()
        do throws(ImageError) {
            var status = ci_jpeg_reader_read_header(reader, &info)
            if status == CI_OK { status = ci_jpeg_reader_start(reader, Int32(eighths), &info) }
            guard status == CI_OK else {
                throw ImageError(status, message: ci_jpeg_reader_message(reader), format: .jpeg, row: nil)
            }
            inks =
                info.layout == CI_JPEG_CMYK ? try AlignedBuffer(byteCount: Int(info.output_width) * 4 + 64) : nil
        } catch {
            ci_jpeg_reader_destroy(reader)
            throw error
        }
        self.reader = reader
        self.info = info
        self.limits = limits
        self.truncation = truncation
        self.isCancelled = isCancelled
        size = PixelSize(width: Int(info.output_width), height: Int(info.output_height))
        channels = info.layout == CI_JPEG_GRAY ? 1 : 3
    }

    deinit { ci_jpeg_reader_destroy(reader) }

    func readRow(into target: UnsafeMutablePointer<UInt8>) throws(ImageError) {
        if info.multiple_scans != 0, !hasConsumedScans { try consumeScans() }
        var read: UInt32 = 0
        var row: UnsafeMutablePointer<UInt8>? = inks?.bound(to: UInt8.self) ?? target
        let status = ci_jpeg_reader_read_rows(reader, &row, 1, &read)
        guard status == CI_OK, read == 1 else {
            throw ImageError(
                status == CI_OK ? CI_ERROR_TRUNCATED : status, message: ci_jpeg_reader_message(reader),
                format: .jpeg, row: sourceRow)
        }
        try checkDamage()
        if let row, inks != nil { ci_cmyk_to_rgb(row, target, size.width, info.inverted_cmyk) }
        self.row += 1
    }

    func finish() throws(ImageError) {
        guard row < size.height else { return }
        // What the crop leaves out must be sound too; libjpeg has to read it all the same to find damage.
        let scratch = try AlignedBuffer(byteCount: size.width * 4 + 256)
        while row < size.height {
            if row & 63 == 0, isCancelled() { throw .cancelled }
            try readRow(into: scratch.bound(to: UInt8.self))
        }
    }

    private var sourceRow: Int { row * Int(info.height) / max(1, size.height) }

    private func consumeScans() throws(ImageError) {
        hasConsumedScans = true
        while true {
            let status = ci_jpeg_reader_consume(reader, 64, Int32(clamping: limits.progressiveScans))
            if status == CI_OK { break }
            guard status == CI_MORE else {
                throw ImageError(status, message: ci_jpeg_reader_message(reader), format: .jpeg, row: nil)
            }
            if isCancelled() { throw .cancelled }
        }
        try checkDamage()
    }

    private func checkDamage() throws(ImageError) {
        let damage = ci_jpeg_reader_damage(reader)
        guard damage != 0, !isPartial else { return }
        if truncation == .partial {
            isPartial = true
        } else if damage & Int32(CI_DAMAGE_TRUNCATED) != 0 {
            throw .truncated(.jpeg, row: sourceRow)
        } else {
            throw .corrupt(.jpeg, reason: String(cString: ci_jpeg_reader_message(reader)), row: sourceRow)
        }
    }
}
