import CImageCodecs

extension ImageError {
    /// The error for what a codec returned, in its own words.
    init(_ status: ci_status, message: UnsafePointer<CChar>?, format: ImageFormat, row: Int?) {
        let reason = message.map { String(cString: $0) } ?? ""
        switch status {
        case CI_ERROR_TRUNCATED: self = .truncated(format, row: row)
        case CI_ERROR_UNSUPPORTED: self = .unsupportedFeature(format, reason: reason)
        case CI_ERROR_MEMORY: self = .outOfMemory
        default: self = .corrupt(format, reason: reason.isEmpty ? "unreadable" : reason, row: row)
        }
    }
}
