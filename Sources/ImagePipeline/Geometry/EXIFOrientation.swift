/// Finds tag 0x0112 in the first directory of an EXIF block (CIPA DC-008 section 4.6).
enum EXIFOrientation {
    /// `tiff` starts at the byte order mark. Anything unexpected gives nil: a broken block must not spoil an image.
    static func read(_ tiff: UnsafeRawBufferPointer) -> ImageOrientation? {
        guard tiff.count >= 8 else { return nil }
        let isBigEndian: Bool
        switch (tiff[0], tiff[1]) {
        case (0x49, 0x49): isBigEndian = false
        case (0x4D, 0x4D): isBigEndian = true
        default: return nil
        }
        var cursor = ByteCursor(tiff, at: 2, bigEndian: isBigEndian)
        guard cursor.uint16() == 42, let directory = cursor.uint32(), directory >= 8, directory < tiff.count else {
            return nil
        }
        cursor.offset = directory
        guard let count = cursor.uint16() else { return nil }
        for index in 0..<count {
            cursor.offset = directory + 2 + 12 * index
            guard let tag = cursor.uint16(), let type = cursor.uint16(), let values = cursor.uint32() else {
                return nil
            }
            guard tag == 0x0112 else { continue }
            guard values >= 1 else { return nil }
            // SHORT by the standard; some writers use LONG.
            let value = type == 3 ? cursor.uint16() : type == 4 ? cursor.uint32() : nil
            return value.flatMap(ImageOrientation.init(rawValue:))
        }
        return nil
    }
}
