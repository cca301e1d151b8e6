/// Why an image could not be read, resized or written.
public enum ImageError: Error, Sendable, Hashable {
    /// The bytes are not a JPEG or PNG file. `detected` names what they look like, when that is recognised.
    case unsupportedFormat(detected: String?)
    /// The file ends before the image does: inside its header when `row` is nil, else while decoding that row.
    case truncated(ImageFormat, row: Int?)
    /// The file breaks the rules of its format; `row` is the row being decoded, nil in the header.
    case corrupt(ImageFormat, reason: String, row: Int?)
    /// A legal file of a kind that is not decoded, such as a JPEG of 12 bits a sample.
    case unsupportedFeature(ImageFormat, reason: String)
    /// A limit of ``ImageLimits`` is exceeded. Nothing had been allocated for it.
    case limitExceeded(ImageLimits.Kind, actual: Int, allowed: Int)
    /// A size, quality or other parameter is out of its range.
    case invalidRecipe(reason: String)
    /// The encoder refused; `reason` is in its words.
    case encodingFailed(ImageFormat, reason: String)
    /// The machine's memory does not suffice.
    case outOfMemory
    /// The task, or whoever asked, no longer wants the result.
    case cancelled
}

extension ImageError: CustomStringConvertible {
    /// One line for a log or a person.
    public var description: String {
        func place(_ row: Int?) -> String { row.map { " at row \($0)" } ?? " in the header" }
        switch self {
        case .unsupportedFormat(let detected):
            if let detected { return "\(detected) is not a supported image format" }
            return "not a JPEG or PNG image"
        case .truncated(let format, let row):
            return "\(format.name) file ends early\(place(row))"
        case .corrupt(let format, let reason, let row):
            return "\(format.name) file is damaged\(place(row)): \(reason)"
        case .unsupportedFeature(let format, let reason):
            return "\(format.name) file is of an unsupported kind: \(reason)"
        case .limitExceeded(let kind, let actual, let allowed):
            return "image exceeds the limit of \(allowed) \(kind.rawValue): \(actual)"
        case .invalidRecipe(let reason):
            return "invalid request: \(reason)"
        case .encodingFailed(let format, let reason):
            return "\(format.name) encoding failed: \(reason)"
        case .outOfMemory:
            return "out of memory"
        case .cancelled:
            return "cancelled"
        }
    }
}

extension ImageFormat {
    var name: String { self == .jpeg ? "JPEG" : "PNG" }
}
