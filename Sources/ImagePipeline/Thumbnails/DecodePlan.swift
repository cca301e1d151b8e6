/// Everything decided before the first pixel: what is read, at which reduction, and where it goes.
struct DecodePlan {
    /// As the image is seen.
    let layout: ThumbnailLayout
    /// Still to be applied to the resized pixels.
    let orientation: ImageOrientation
    /// The used part, in pixels of the decoded (perhaps reduced) rows as stored.
    let region: PixelRegion
    /// How many decoded columns and rows are whole: a reduced decode ends in a part of a pixel, which is left out.
    let extent: PixelSize
    /// What the used part is resized to, as stored.
    let target: PixelSize
    /// 8, 4 or 2 eighths of the size.
    let eighths: Int

    init(_ probe: ImageProbe, _ recipe: ThumbnailRecipe) {
        orientation = recipe.appliesOrientation ? probe.orientation : .up
        let seen = orientation.swapsSides ? probe.storedSize.transposed : probe.storedSize
        layout = ThumbnailLayout(
            image: seen, box: recipe.box, mode: recipe.mode, focus: recipe.focus,
            allowsEnlarging: recipe.allowsEnlarging)
        target = orientation.swapsSides ? layout.content.transposed : layout.content
        let stored = orientation.storedRegion(layout.source, stored: probe.storedSize)
        let shrink = min(stored.width / Double(target.width), stored.height / Double(target.height))
        eighths = probe.format == .jpeg ? Self.eighths(shrink: shrink, effort: recipe.effort) : 8
        let part = Double(eighths) / 8
        region = PixelRegion(
            x: stored.x * part, y: stored.y * part, width: stored.width * part, height: stored.height * part)
        extent = PixelSize(
            width: max(1, probe.storedSize.width * eighths / 8), height: max(1, probe.storedSize.height * eighths / 8))
    }

    /// Only fractions that libjpeg computes well: 3/8, 5/8 and 7/8 are slow and shift pixels.
    static func eighths(shrink: Double, effort: ThumbnailRecipe.Effort) -> Int {
        switch effort {
        case .balanced: shrink >= 16 ? 2 : shrink >= 4 ? 4 : 8
        case .fast: shrink >= 8 ? 2 : shrink >= 3 ? 4 : 8
        }
    }

    /// About how many bytes the whole work takes.
    func estimatedBytes(_ probe: ImageProbe, filter: ResampleFilter) -> Int {
        let channels = probe.hasAlpha ? 4 : 3
        let width = probe.storedSize.width * eighths / 8 + 1
        let shrink = region.height / Double(target.height)
        return probe.estimatedDecodeBytes
            + RowResizer.workingBytes(width: width, channels: channels, target: target, shrink: shrink, filter: filter)
            + layout.canvas.pixelCount * channels * 3
    }
}
