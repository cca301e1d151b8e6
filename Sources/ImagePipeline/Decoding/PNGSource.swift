import CImageCodecs

/// The rows of a PNG file. Owns the libpng handle; `bytes` must outlive it.
final class PNGSource: RowSource {
    private let reader: OpaquePointer
    private let truncation: TruncationPolicy
    private let isCancelled: () -> Bool
    private let passes: Int
    /// All pixels, for an interlaced file.
    private var interlaced: [UInt8]?
    private var row = 0

    let size: PixelSize
    let channels: Int
    let profile: [UInt8]?
    private(set) var isPartial = false

    init(
        _ bytes: UnsafeRawBufferPointer, limits: ImageLimits, truncation: TruncationPolicy,
        isCancelled: @escaping () -> Bool
    ) throws(ImageError) {
        guard
            let reader = ci_png_reader_create(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, limits.profileBytes)
        else { throw .outOfMemory }
        var info = ci_png_info()
        let status = ci_png_reader_start(reader, UInt32(clamping: limits.side), &info)
        guard status == CI_OK else {
            let error = ImageError(status, message: ci_png_reader_message(reader), format: .png, row: nil)
            ci_png_reader_destroy(reader)
            throw error
        }
        self.reader = reader
        self.truncation = truncation
        self.isCancelled = isCancelled
        passes = Int(info.passes)
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        channels = Int(info.channels)
        profile = info.icc.map { Array(UnsafeBufferPointer(start: $0, count: Int(info.icc_count))) }
    }

    deinit { ci_png_reader_destroy(reader) }

    func readRow(into target: UnsafeMutablePointer<UInt8>) throws(ImageError) {
        let count = size.width * channels
        if passes > 1 {
            if interlaced == nil { interlaced = try readInterlaced() }
            interlaced?.withUnsafeBufferPointer { all in
                if let start = all.baseAddress { target.update(from: start + row * count, count: count) }
            }
        } else if isPartial {
            target.update(repeating: 0, count: count)
        } else {
            var pointer: UnsafeMutablePointer<UInt8>? = target
            try check(ci_png_reader_read_rows(reader, &pointer, 1), row: row)
            if isPartial { target.update(repeating: 0, count: count) }
        }
        row += 1
    }

    func finish() throws(ImageError) {
        if row < size.height, passes == 1 {
            let scratch = try AlignedBuffer(byteCount: size.width * 4 + 256)
            while row < size.height {
                if row & 63 == 0, isCancelled() { throw .cancelled }
                try readRow(into: scratch.bound(to: UInt8.self))
            }
        }
        if !isPartial { try check(ci_png_reader_finish(reader), row: size.height) }
    }

    private func readInterlaced() throws(ImageError) -> [UInt8] {
        let count = size.width * channels
        var pixels = [UInt8](repeating: 0, count: count * size.height)
        let result: Result<Void, ImageError> = pixels.withUnsafeMutableBufferPointer { all in
            do throws(ImageError) {
                for _ in 0..<passes {
                    for y in 0..<size.height where !isPartial {
                        if y & 63 == 0, isCancelled() { throw .cancelled }
                        var pointer = all.baseAddress.map { $0 + y * count }
                        try check(ci_png_reader_read_rows(reader, &pointer, 1), row: y)
                    }
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return pixels
    }

    private func check(_ status: ci_status, row: Int) throws(ImageError) {
        if status == CI_OK { return }
        if truncation == .partial, status == CI_ERROR_TRUNCATED || status == CI_ERROR_CORRUPT {
            isPartial = true
            return
        }
        throw ImageError(status, message: ci_png_reader_message(reader), format: .png, row: row)
    }
}
