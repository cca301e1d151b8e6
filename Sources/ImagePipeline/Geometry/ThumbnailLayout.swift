/// Where the pixels of a thumbnail come from and go to, all as the image is seen, after orientation.
struct ThumbnailLayout: Equatable {
    /// The part of the source that is used.
    var source: PixelRegion
    /// What that part is resized to.
    var content: PixelSize
    /// The whole thumbnail; larger than `content` only when padded.
    var canvas: PixelSize
    /// The content's top left corner in the canvas.
    var origin: (x: Int, y: Int)

    static func == (a: Self, b: Self) -> Bool {
        a.source == b.source && a.content == b.content && a.canvas == b.canvas && a.origin == b.origin
    }

    /// Sides are rounded to the nearest pixel (halves up) and are never below 1.
    init(image: PixelSize, box: BoundingBox, mode: ResizeMode, focus: FocalPoint, allowsEnlarging: Bool) {
        let imageWidth = Double(image.width)
        let imageHeight = Double(image.height)
        func rounded(_ value: Double) -> Int { max(1, Int(min(value, 1e9) + 0.5)) }

        var fitScale = min(
            box.width.map { Double($0) / imageWidth } ?? .infinity,
            box.height.map { Double($0) / imageHeight } ?? .infinity)
        if !fitScale.isFinite { fitScale = 1 }
        if !allowsEnlarging { fitScale = min(fitScale, 1) }
        let fitted = PixelSize(width: rounded(imageWidth * fitScale), height: rounded(imageHeight * fitScale))

        source = PixelRegion(x: 0, y: 0, width: imageWidth, height: imageHeight)
        content = fitted
        canvas = fitted
        origin = (0, 0)
        guard let boxWidth = box.width, let boxHeight = box.height else {
            if mode == .stretch {
                content = PixelSize(width: box.width ?? image.width, height: box.height ?? image.height)
                if !allowsEnlarging {
                    content = PixelSize(
                        width: min(content.width, image.width), height: min(content.height, image.height))
                }
                canvas = content
            }
            return
        }

        switch mode {
        case .fit: break
        case .stretch:
            content =
                allowsEnlarging
                ? PixelSize(width: boxWidth, height: boxHeight)
                : PixelSize(width: min(boxWidth, image.width), height: min(boxHeight, image.height))
            canvas = content
        case .pad:
            canvas = PixelSize(width: boxWidth, height: boxHeight)
            origin = (
                x: Int((Double(boxWidth - fitted.width) * focus.x).rounded()),
                y: Int((Double(boxHeight - fitted.height) * focus.y).rounded())
            )
        case .fill:
            // A source smaller than the box keeps the box's shape, at the largest size that enlarges nothing.
            let shrink =
                allowsEnlarging ? 1 : min(1, imageWidth / Double(boxWidth), imageHeight / Double(boxHeight))
            let width = Double(boxWidth) * shrink
            let height = Double(boxHeight) * shrink
            content = PixelSize(width: rounded(width), height: rounded(height))
            canvas = content
            let scale = max(width / imageWidth, height / imageHeight)
            let cropWidth = min(imageWidth, width / scale)
            let cropHeight = min(imageHeight, height / scale)
            source = PixelRegion(
                x: min(max(imageWidth * focus.x - cropWidth / 2, 0), imageWidth - cropWidth),
                y: min(max(imageHeight * focus.y - cropHeight / 2, 0), imageHeight - cropHeight),
                width: cropWidth, height: cropHeight)
        }
    }
}
