extension Bitmap {
    /// This bitmap on a larger canvas of one colour, its top left corner at `origin`. The result has alpha if either has.
    func placed(on canvas: PixelSize, at origin: (x: Int, y: Int), background: RGBAColor) -> Bitmap {
        if canvas == size { return self }
        let needsColor = !background.isGray || format != .gray
        let needsAlpha = format == .rgba || background.alpha != 255
        let format: PixelFormat = needsAlpha ? .rgba : needsColor ? .rgb : .gray
        let pixel: [UInt8] =
            switch format {
            case .gray: [background.red]
            case .rgb: [background.red, background.green, background.blue]
            case .rgba: [background.red, background.green, background.blue, background.alpha]
            }
        let content = converted(to: format)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(canvas.pixelCount * format.channels)
        for y in 0..<canvas.height {
            let row = y - origin.y
            guard row >= 0, row < height else {
                for _ in 0..<canvas.width { bytes.append(contentsOf: pixel) }
                continue
            }
            for _ in 0..<origin.x { bytes.append(contentsOf: pixel) }
            bytes.append(contentsOf: content.bytes[(row * content.bytesPerRow)..<((row + 1) * content.bytesPerRow)])
            for _ in (origin.x + width)..<canvas.width { bytes.append(contentsOf: pixel) }
        }
        return Bitmap(unchecked: canvas, format: format, bytes: bytes)
    }

    /// The same pixels in a format that holds at least as much.
    func converted(to target: PixelFormat) -> Bitmap {
        if target == format { return self }
        var result: [UInt8] = []
        result.reserveCapacity(size.pixelCount * target.channels)
        for start in stride(from: 0, to: bytes.count, by: format.channels) {
            let red = bytes[start]
            let green = format == .gray ? red : bytes[start + 1]
            let blue = format == .gray ? red : bytes[start + 2]
            let alpha = format == .rgba ? bytes[start + 3] : 255
            switch target {
            case .gray: result.append(red)
            case .rgb: result.append(contentsOf: [red, green, blue] as [UInt8])
            case .rgba: result.append(contentsOf: [red, green, blue, alpha] as [UInt8])
            }
        }
        return Bitmap(unchecked: size, format: target, bytes: result)
    }
}
