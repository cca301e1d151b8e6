/// What a JPEG file says before its first scan (ITU-T T.81 annex B), found without libjpeg.
struct JPEGHeader {
    struct Component: Equatable {
        var identifier: UInt8
        var horizontalSampling: Int
        var verticalSampling: Int
    }

    var size = PixelSize(width: 0, height: 0)
    var precision = 8
    var isProgressive = false
    /// Progressive, or sequential with a scan for each component: nothing can be shown before all have been read.
    var hasSeveralScans = false
    var components: [Component] = []
    /// The transform byte of Adobe's APP14 segment.
    var adobeTransform: UInt8?
    var hasJFIF = false
    var orientation = ImageOrientation.up
    /// The assembled profile of the APP2 segments (ICC.1 annex B.4), when all its pieces are there.
    var profile: [UInt8]?

    init(_ bytes: UnsafeRawBufferPointer, profileLimit: Int) throws(ImageError) {
        var cursor = ByteCursor(bytes, at: 2)
        var profilePieces: [Int: UnsafeRawBufferPointer] = [:]
        var profilePieceCount = 0
        var hasFrame = false
        segments: while true {
            guard let marker = Self.nextMarker(&cursor) else { throw .truncated(.jpeg, row: nil) }
            switch marker {
            case 0x01, 0xD0...0xD7, 0xD8: continue  // these have no length
            case 0xD9:
                throw .corrupt(.jpeg, reason: "no image before the end marker", row: nil)
            default: break
            }
            guard let length = cursor.uint16() else { throw .truncated(.jpeg, row: nil) }
            guard length >= 2 else { throw .corrupt(.jpeg, reason: "bad segment length", row: nil) }
            if marker == 0xDA {
                guard let count = cursor.byte() else { throw .truncated(.jpeg, row: nil) }
                hasSeveralScans = isProgressive || Int(count) < components.count
                break segments
            }
            guard let segment = cursor.slice(length - 2) else { throw .truncated(.jpeg, row: nil) }
            switch marker {
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                if hasFrame { throw .corrupt(.jpeg, reason: "two frame headers", row: nil) }
                hasFrame = true
                try readFrame(segment, marker: marker)
            case 0xE0 where segment.starts(with: "JFIF\0".utf8):
                hasJFIF = true
            case 0xE1 where segment.starts(with: "Exif\0\0".utf8):
                let tiff = UnsafeRawBufferPointer(rebasing: segment[6...])
                if let found = EXIFOrientation.read(tiff) { orientation = found }
            case 0xE2 where segment.starts(with: "ICC_PROFILE\0".utf8) && segment.count > 14:
                profilePieceCount = Int(segment[13])
                profilePieces[Int(segment[12])] = UnsafeRawBufferPointer(rebasing: segment[14...])
            case 0xEE where segment.starts(with: "Adobe".utf8) && segment.count >= 12:
                adobeTransform = segment[11]
            default: break
            }
        }
        guard hasFrame else { throw .corrupt(.jpeg, reason: "no frame header", row: nil) }
        profile = Self.assemble(profilePieces, count: profilePieceCount, limit: profileLimit)
    }

    /// Skips to the next marker; bytes between segments are tolerated, as every decoder does.
    private static func nextMarker(_ cursor: inout ByteCursor) -> UInt8? {
        while let byte = cursor.byte() {
            guard byte == 0xFF else { continue }
            while let code = cursor.byte() {
                if code == 0xFF { continue }
                if code == 0 { break }
                return code
            }
        }
        return nil
    }

    /// The bytes without a last segment that is cut short, which libjpeg would refuse rather than leave out.
    static func wholeSegments(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var cursor = ByteCursor(bytes, at: 2)
        while let marker = nextMarker(&cursor) {
            if marker == 0xD9 { return bytes }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            let start = cursor.offset - 2
            guard let length = cursor.uint16(), cursor.slice(max(0, length - 2)) != nil else {
                return UnsafeRawBufferPointer(rebasing: bytes[..<start])
            }
        }
        return bytes
    }

    private mutating func readFrame(_ segment: UnsafeRawBufferPointer, marker: UInt8) throws(ImageError) {
        var cursor = ByteCursor(segment)
        guard let precision = cursor.byte(), let height = cursor.uint16(), let width = cursor.uint16(),
            let count = cursor.byte()
        else { throw .corrupt(.jpeg, reason: "short frame header", row: nil) }
        self.precision = Int(precision)
        isProgressive = marker == 0xC2 || marker == 0xCA
        size = PixelSize(width: width, height: height)
        for _ in 0..<count {
            guard let identifier = cursor.byte(), let sampling = cursor.byte(), cursor.byte() != nil else {
                throw .corrupt(.jpeg, reason: "short frame header", row: nil)
            }
            let component = Component(
                identifier: identifier, horizontalSampling: Int(sampling >> 4),
                verticalSampling: Int(sampling & 15))
            guard (1...4).contains(component.horizontalSampling), (1...4).contains(component.verticalSampling) else {
                throw .corrupt(.jpeg, reason: "bad sampling factor", row: nil)
            }
            components.append(component)
        }
        guard height > 0 else { throw .unsupportedFeature(.jpeg, reason: "height given after the image") }
        guard width > 0, count > 0 else { throw .corrupt(.jpeg, reason: "empty image", row: nil) }
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
            throw .unsupportedFeature(.jpeg, reason: "lossless or hierarchical process")
        }
        guard precision == 8 else { throw .unsupportedFeature(.jpeg, reason: "\(precision) bits a sample") }
        guard count == 1 || count == 3 || count == 4 else {
            throw .unsupportedFeature(.jpeg, reason: "\(count) components")
        }
    }

    private static func assemble(_ pieces: [Int: UnsafeRawBufferPointer], count: Int, limit: Int) -> [UInt8]? {
        guard count > 0, pieces.count == count else { return nil }
        var profile: [UInt8] = []
        for index in 1...count {
            guard let piece = pieces[index], profile.count + piece.count <= limit else { return nil }
            profile.append(contentsOf: piece)
        }
        return profile
    }

    /// Bytes of all coefficients, which several scans need at once.
    var coefficientBytes: Int {
        let maxH = components.map(\.horizontalSampling).max() ?? 1
        let maxV = components.map(\.verticalSampling).max() ?? 1
        let unitsAcross = (size.width + 8 * maxH - 1) / (8 * maxH)
        let unitsDown = (size.height + 8 * maxV - 1) / (8 * maxV)
        let blocks = components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling }
        return unitsAcross * unitsDown * blocks * 64 * 2
    }
}
