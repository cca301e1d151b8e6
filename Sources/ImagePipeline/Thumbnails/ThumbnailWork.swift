#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One thumbnail in the making. Limits are checked when it is created, before memory is taken for pixels.
struct ThumbnailWork {
    private let bytes: UnsafeRawBufferPointer
    private let header: ImageHeader
    private let recipe: ThumbnailRecipe
    private let limits: ImageLimits
    private let truncation: TruncationPolicy
    private let isCancelled: () -> Bool
    private let probe: ImageProbe
    private let plan: DecodePlan

    init(
        _ bytes: UnsafeRawBufferPointer, recipe: ThumbnailRecipe, limits: ImageLimits, truncation: TruncationPolicy,
        isCancelled: @escaping () -> Bool
    ) throws(ImageError) {
        try limits.check(.inputBytes, bytes.count)
        header = try ImageHeader(bytes, limits: limits)
        probe = header.probe
        try limits.check(source: probe.storedSize, decodeBytes: probe.estimatedDecodeBytes)
        plan = DecodePlan(probe, recipe)
        try limits.check(.outputPixels, plan.layout.canvas.pixelCount)
        try limits.check(.decodeBytes, plan.estimatedBytes(probe, filter: recipe.filter))
        self.bytes = bytes
        self.recipe = recipe
        self.limits = limits
        self.truncation = truncation
        self.isCancelled = isCancelled
    }

    /// The opened decoder and its colours.
    private func open() throws(ImageError) -> (source: any RowSource, color: SourceColor) {
        switch header {
        case .jpeg(let header):
            let source = try JPEGSource(
                bytes, eighths: plan.eighths, limits: limits, truncation: truncation, isCancelled: isCancelled)
            let color = SourceColor(
                profile: header.profile, gamma: nil, channels: source.channels, isCMYK: source.isCMYK,
                handling: recipe.colorProfile)
            return (source, color)
        case .png(let header):
            let source = try PNGSource(bytes, limits: limits, truncation: truncation, isCancelled: isCancelled)
            let color = SourceColor(
                profile: source.profile, gamma: header.hasSRGBChunk ? nil : header.gamma, channels: source.channels,
                isCMYK: false, handling: recipe.colorProfile)
            return (source, color)
        }
    }

    private func resizer(_ source: any RowSource, _ color: SourceColor) throws(ImageError) -> RowResizer {
        // The header was parsed twice, by us and by the codec library; rows are laid out by what the library says.
        let extent = PixelSize(
            width: min(plan.extent.width, source.size.width), height: min(plan.extent.height, source.size.height))
        return RowResizer(
            source: source, color: color, region: plan.region, extent: extent, target: plan.target,
            filter: recipe.filter, light: recipe.light)
    }

    /// Resized, upright and padded.
    private func pixels(_ source: any RowSource, _ color: SourceColor) throws(ImageError) -> Bitmap {
        let sink = BitmapSink()
        try resizer(source, color).run(into: sink, isCancelled: isCancelled)
        return sink.bitmap().oriented(plan.orientation)
    }

    func bitmap() throws(ImageError) -> Bitmap {
        let (source, color) = try open()
        return try pixels(source, color).placed(
            on: plan.layout.canvas, at: plan.layout.origin, background: recipe.background)
    }

    func thumbnail() throws(ImageError) -> Thumbnail {
        let (source, color) = try open()
        let mayStream =
            recipe.format != .png && source.channels != 4 && plan.orientation == .up
            && plan.layout.canvas == plan.layout.content
        if mayStream {
            // Rows go straight to the encoder: no copy of the result is held.
            let sink = try JPEGSink(recipe.jpeg, profile: color.embeddedProfile)
            try resizer(source, color).run(into: sink, isCancelled: isCancelled)
            return result(try sink.finish(), .jpeg, source, color)
        }
        var bitmap = try pixels(source, color)
        let isPadded = plan.layout.canvas != plan.layout.content
        let isTransparent = bitmap.hasTransparency || (isPadded && recipe.background.alpha != 255)
        if recipe.format == .png || (recipe.format == .automatic && isTransparent) {
            bitmap = bitmap.placed(on: plan.layout.canvas, at: plan.layout.origin, background: recipe.background)
            let file = try PNGWriter().write(bitmap, recipe.png, profile: color.embeddedProfile)
            return result(file, .png, source, color)
        }
        var opaque = recipe.background
        opaque.alpha = 255
        bitmap = bitmap.flattened(on: opaque, light: recipe.light)
        bitmap = bitmap.placed(on: plan.layout.canvas, at: plan.layout.origin, background: opaque)
        let file = try bitmap.jpegFile(recipe.jpeg, profile: color.embeddedProfile)
        return result(file, .jpeg, source, color)
    }

    private func result(
        _ file: [UInt8], _ format: ImageFormat, _ source: any RowSource, _ color: SourceColor
    ) -> Thumbnail {
        Thumbnail(
            data: Data(file), format: format, size: plan.layout.canvas, source: probe, color: color.outcome,
            isPartial: source.isPartial)
    }
}
