import CImageCodecs

/// Writes one bitmap as a PNG file in memory. Owns the libpng handle.
struct PNGWriter: ~Copyable {
    private let writer: OpaquePointer

    init() throws(ImageError) {
        guard let writer = ci_png_writer_create() else { throw .outOfMemory }
        self.writer = writer
    }

    deinit { ci_png_writer_destroy(writer) }

    consuming func write(
        _ bitmap: Bitmap, _ options: PNGEncodingOptions, profile: [UInt8]?
    ) throws(ImageError) -> [UInt8] {
        guard (0...9).contains(options.level) else {
            throw .invalidRecipe(reason: "compression level \(options.level) is not within 0 to 9")
        }
        // A profile of RGB does not fit gray pixels.
        let reduced = options.reducesColors ? bitmap.withoutUnusedChannels(keepsColor: profile != nil) : bitmap
        if options.reducesColors, profile == nil, let indexed = IndexedPixels(reduced) {
            return try write(
                rows: indexed.rows, bytesPerRow: indexed.bytesPerRow, size: bitmap.size, color: CI_PNG_PALETTE,
                bitDepth: indexed.bitDepth, level: options.level, filters: Int32(CI_PNG_NONE), palette: indexed.palette,
                alpha: indexed.alpha, profile: nil)
        }
        let filters = reduced.bytes.withUnsafeBufferPointer { bytes in
            let filter =
                options.filter != .automatic
                ? options.filter
                : PNGEncodingOptions.Filter.choose(
                    for: bytes, bytesPerRow: reduced.bytesPerRow, pixelBytes: reduced.format.channels,
                    height: reduced.height)
            return filter.bits
        }
        let color =
            switch reduced.format {
            case .gray: CI_PNG_GRAY
            case .rgb: CI_PNG_RGB
            case .rgba: CI_PNG_RGBA
            }
        return try write(
            rows: reduced.bytes, bytesPerRow: reduced.bytesPerRow, size: bitmap.size, color: color, bitDepth: 8,
            level: options.level, filters: filters, palette: [], alpha: [], profile: profile)
    }

    private func write(
        rows: [UInt8], bytesPerRow: Int, size: PixelSize, color: ci_png_color, bitDepth: Int, level: Int,
        filters: Int32, palette: [UInt8], alpha: [UInt8], profile: [UInt8]?
    ) throws(ImageError) -> [UInt8] {
        let result: Result<[UInt8], ImageError> = rows.withUnsafeBufferPointer { rows in
            palette.withUnsafeBufferPointer { palette in
                alpha.withUnsafeBufferPointer { alpha in
                    (profile ?? []).withUnsafeBufferPointer { profile in
                        var settings = ci_png_options(
                            width: UInt32(size.width), height: UInt32(size.height), color: color,
                            bit_depth: Int32(bitDepth), level: Int32(level), filters: filters,
                            palette: palette.isEmpty ? nil : palette.baseAddress,
                            palette_count: Int32(palette.count / 3),
                            transparency: alpha.isEmpty ? nil : alpha.baseAddress,
                            transparency_count: Int32(alpha.count),
                            icc: profile.isEmpty ? nil : profile.baseAddress, icc_count: profile.count)
                        do throws(ImageError) {
                            try check(ci_png_writer_start(writer, &settings))
                            for y in 0..<size.height {
                                var row = rows.baseAddress.map { $0 + y * bytesPerRow }
                                try check(ci_png_writer_write_rows(writer, &row, 1))
                            }
                            var bytes: UnsafePointer<UInt8>?
                            var count = 0
                            try check(ci_png_writer_finish(writer, &bytes, &count))
                            return .success(Array(UnsafeBufferPointer(start: bytes, count: count)))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
            }
        }
        return try result.get()
    }

    private func check(_ status: ci_status) throws(ImageError) {
        if status == CI_OK { return }
        if status == CI_ERROR_MEMORY { throw .outOfMemory }
        throw .encodingFailed(.png, reason: String(cString: ci_png_writer_message(writer)))
    }
}

extension PNGEncodingOptions.Filter {
    fileprivate var bits: Int32 {
        let bits =
            switch self {
            case .none: CI_PNG_NONE
            case .sub: CI_PNG_SUB
            case .up: CI_PNG_UP
            case .average: CI_PNG_AVERAGE
            case .paeth, .automatic: CI_PNG_PAETH
            case .adaptive: CI_PNG_NONE | CI_PNG_SUB | CI_PNG_UP | CI_PNG_AVERAGE | CI_PNG_PAETH
            }
        return Int32(bits)
    }
}

extension Bitmap {
    /// Without an alpha channel that is opaque everywhere, and without colour channels that are all equal.
    func withoutUnusedChannels(keepsColor: Bool) -> Bitmap {
        if format == .gray { return self }
        let channels = format.channels
        var opaque = format == .rgba
        var gray = !keepsColor
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count, opaque || gray {
                if opaque, bytes[start + 3] != 255 { opaque = false }
                if gray, bytes[start] != bytes[start + 1] || bytes[start] != bytes[start + 2] { gray = false }
                start += channels
            }
        }
        let hasAlpha = format == .rgba && !opaque
        if hasAlpha || (!opaque && !gray) { return self }
        let target: PixelFormat = gray ? .gray : .rgb
        let reduced = [UInt8](unsafeUninitializedCapacity: size.pixelCount * target.channels) { output, count in
            var next = 0
            for start in stride(from: 0, to: bytes.count, by: channels) {
                for channel in 0..<target.channels { output[next + channel] = bytes[start + channel] }
                next += target.channels
            }
            count = next
        }
        return Bitmap(unchecked: size, format: target, bytes: reduced)
    }
}
