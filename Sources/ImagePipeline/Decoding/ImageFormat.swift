/// A file format this module reads and writes.
public enum ImageFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case jpeg
    case png

    /// The media type, as in `Content-Type`.
    public var mediaType: String { "image/\(rawValue)" }

    /// The usual file name extension, without a dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : "png" }
}

extension ImageFormat {
    /// What the first bytes say the file is; names and media types are never consulted.
    enum Signature: Equatable {
        case known(ImageFormat)
        /// An image format that is recognised but not decoded here.
        case foreign(String)
        case unknown
        /// Too few bytes, but so far they are this format's.
        case incomplete(ImageFormat)
    }

    static func signature(of bytes: UnsafeRawBufferPointer) -> Signature {
        let known: [(ImageFormat, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF]),
            (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ]
        for (format, magic) in known {
            if bytes.starts(with: magic) { return .known(format) }
            if !bytes.isEmpty, magic.starts(with: bytes) { return .incomplete(format) }
        }
        let foreign: [(String, Int, [UInt8])] = [
            ("GIF", 0, Array("GIF8".utf8)),
            ("WebP", 8, Array("WEBP".utf8)),
            ("AVIF", 4, Array("ftypavi".utf8)),
            ("HEIF", 4, Array("ftyphei".utf8)),
            ("HEIF", 4, Array("ftypmif1".utf8)),
            ("TIFF", 0, [0x49, 0x49, 0x2A, 0x00]),
            ("TIFF", 0, [0x4D, 0x4D, 0x00, 0x2A]),
            ("JPEG XL", 0, [0xFF, 0x0A]),
            ("JPEG XL", 4, Array("JXL ".utf8)),
            ("JPEG 2000", 4, Array("jP  ".utf8)),
            ("BMP", 0, Array("BM".utf8)),
            ("SVG", 0, Array("<svg".utf8)),
            ("HTML", 0, Array("<!doctype".utf8)),
            ("HTML", 0, Array("<!DOCTYPE".utf8)),
            ("HTML", 0, Array("<html".utf8)),
        ]
        for (name, offset, magic) in foreign where bytes.count >= offset + magic.count {
            if bytes[offset..<(offset + magic.count)].elementsEqual(magic) { return .foreign(name) }
        }
        return .unknown
    }
}
