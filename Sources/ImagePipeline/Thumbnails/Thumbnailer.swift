#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes thumbnails of JPEG and PNG files: decodes, turns upright, resizes, encodes.
///
/// ```swift
/// let thumbnail = try Thumbnailer().makeThumbnail(of: data, recipe: ThumbnailRecipe(fitting: 720, 540))
/// try thumbnail.data.write(to: file)
/// ```
///
/// The source is read row by row, so memory follows its width and not its size, but for progressive JPEG and
/// interlaced PNG. One image is made on the calling thread; to make many on all cores without blocking Swift's
/// cooperative threads, use ``makeThumbnail(of:recipe:scheduler:priority:)``.
public struct Thumbnailer: Sendable {
    /// What sources may ask for.
    public var limits: ImageLimits
    /// What to do with damaged files.
    public var truncation: TruncationPolicy

    /// A thumbnailer with given limits.
    public init(limits: ImageLimits = ImageLimits(), truncation: TruncationPolicy = .fail) {
        self.limits = limits
        self.truncation = truncation
    }

    /// Makes a thumbnail on the calling thread.
    ///
    /// - Parameters:
    ///   - bytes: A whole JPEG or PNG file.
    ///   - recipe: What the thumbnail is to be.
    ///   - isCancelled: Asked between blocks of rows; when true, ``ImageError/cancelled`` is thrown.
    public func makeThumbnail(
        of bytes: some ContiguousBytes, recipe: ThumbnailRecipe, isCancelled: @escaping () -> Bool = { false }
    ) throws(ImageError) -> Thumbnail {
        try withImageBytes(bytes) { (buffer) throws(ImageError) in
            try makeThumbnail(of: buffer, recipe: recipe, isCancelled: isCancelled)
        }
    }

    /// Makes a thumbnail of pixels in hand, taken for sRGB.
    ///
    /// - Parameters:
    ///   - bitmap: The image, upright.
    ///   - recipe: What the thumbnail is to be; its profile and orientation settings do not matter.
    public func makeBitmap(
        of bitmap: Bitmap, recipe: ThumbnailRecipe, isCancelled: @escaping () -> Bool = { false }
    ) throws(ImageError) -> Bitmap {
        try recipe.validate()
        let layout = ThumbnailLayout(
            image: bitmap.size, box: recipe.box, mode: recipe.mode, focus: recipe.focus,
            allowsEnlarging: recipe.allowsEnlarging)
        try limits.check(.outputPixels, layout.canvas.pixelCount)
        let sink = BitmapSink()
        let resizer = RowResizer(
            source: BitmapSource(bitmap), color: .sRGB, region: layout.source, extent: bitmap.size,
            target: layout.content, filter: recipe.filter, light: recipe.light)
        try resizer.run(into: sink, isCancelled: isCancelled)
        return sink.bitmap().placed(on: layout.canvas, at: layout.origin, background: recipe.background)
    }

    /// Makes the thumbnail's pixels without encoding them.
    public func makeBitmap(
        of bytes: some ContiguousBytes, recipe: ThumbnailRecipe, isCancelled: @escaping () -> Bool = { false }
    ) throws(ImageError) -> Bitmap {
        try withImageBytes(bytes) { (buffer) throws(ImageError) in
            try recipe.validate()
            let work = try ThumbnailWork(
                buffer, recipe: recipe, limits: limits, truncation: truncation, isCancelled: isCancelled)
            return try work.bitmap()
        }
    }

    func makeThumbnail(
        of buffer: UnsafeRawBufferPointer, recipe: ThumbnailRecipe, isCancelled: @escaping () -> Bool
    ) throws(ImageError) -> Thumbnail {
        try recipe.validate()
        let work = try ThumbnailWork(
            buffer, recipe: recipe, limits: limits, truncation: truncation, isCancelled: isCancelled)
        return try work.thumbnail()
    }
}
