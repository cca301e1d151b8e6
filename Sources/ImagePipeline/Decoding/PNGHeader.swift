/// What a PNG file says before its pixels, found by walking its chunks without libpng.
struct PNGHeader {
    enum ColorType: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6
    }

    var size = PixelSize(width: 0, height: 0)
    var bitDepth = 8
    var colorType = ColorType.gray
    var isInterlaced = false
    var hasTransparency = false
    var hasSRGBChunk = false
    var hasProfileChunk = false
    /// The exponent of gAMA, such as 0.45455.
    var gamma: Double?
    var orientation = ImageOrientation.up

    var hasAlpha: Bool { colorType == .grayAlpha || colorType == .rgba || hasTransparency }

    /// Samples a pixel as decoded: 1, 3 or 4.
    var channels: Int {
        if hasAlpha { return 4 }
        return colorType == .gray ? 1 : 3
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        var cursor = ByteCursor(bytes, at: 8)
        guard let length = cursor.uint32(), let name = cursor.slice(4) else { throw .truncated(.png, row: nil) }
        guard name.elementsEqual("IHDR".utf8), length == 13 else {
            throw .corrupt(.png, reason: "IHDR is not first", row: nil)
        }
        guard let header = cursor.slice(13), cursor.uint32() != nil else { throw .truncated(.png, row: nil) }
        try readHeader(header)
        while true {
            guard let length = cursor.uint32(), let name = cursor.slice(4) else { throw .truncated(.png, row: nil) }
            if name.elementsEqual("IDAT".utf8) { return }
            guard length < 1 << 31 else { throw .corrupt(.png, reason: "bad chunk length", row: nil) }
            if name.elementsEqual("IEND".utf8) { throw .corrupt(.png, reason: "no image data", row: nil) }
            guard let chunk = cursor.slice(length), cursor.uint32() != nil else { throw .truncated(.png, row: nil) }
            if name.elementsEqual("tRNS".utf8) {
                hasTransparency = colorType != .grayAlpha && colorType != .rgba
            } else if name.elementsEqual("sRGB".utf8) {
                hasSRGBChunk = true
            } else if name.elementsEqual("iCCP".utf8) {
                hasProfileChunk = true
            } else if name.elementsEqual("gAMA".utf8) {
                var cursor = ByteCursor(chunk)
                if let value = cursor.uint32(), (1_000...1_000_000).contains(value) { gamma = Double(value) / 100_000 }
            } else if name.elementsEqual("eXIf".utf8) {
                if let found = EXIFOrientation.read(chunk) { orientation = found }
            }
        }
    }

    private mutating func readHeader(_ header: UnsafeRawBufferPointer) throws(ImageError) {
        var cursor = ByteCursor(header)
        guard let width = cursor.uint32(), let height = cursor.uint32(), let depth = cursor.byte(),
            let color = cursor.byte(), cursor.byte() == 0, cursor.byte() == 0, let interlace = cursor.byte(),
            interlace <= 1, width > 0, height > 0, width < 1 << 31, height < 1 << 31
        else { throw .corrupt(.png, reason: "bad IHDR", row: nil) }
        guard let colorType = ColorType(rawValue: color) else {
            throw .corrupt(.png, reason: "bad color type", row: nil)
        }
        let allowed: [UInt8] =
            switch colorType {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        guard allowed.contains(depth) else { throw .corrupt(.png, reason: "bad bit depth", row: nil) }
        size = PixelSize(width: width, height: height)
        bitDepth = Int(depth)
        self.colorType = colorType
        isInterlaced = interlace == 1
    }
}
