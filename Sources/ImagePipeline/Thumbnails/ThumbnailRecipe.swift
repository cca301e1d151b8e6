/// What a thumbnail is to be: size, shape, quality, format. A plain value; equal recipes make equal thumbnails of equal
/// bytes, so it can be part of a cache key.
///
/// ```swift
/// var recipe = ThumbnailRecipe(fitting: 720, 540)
/// recipe.format = .jpeg
/// recipe.jpeg.quality = 85
/// ```
public struct ThumbnailRecipe: Sendable, Hashable {
    /// The format of the result.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// PNG where the result is transparent somewhere, else JPEG.
        case automatic = "auto"
        /// JPEG; transparency is laid on ``ThumbnailRecipe/background``.
        case jpeg
        /// PNG.
        case png
    }

    /// How much detail may be given up for speed.
    public enum Effort: String, Sendable, Hashable, CaseIterable {
        /// No visible loss: JPEG is decoded at half size only where at least a factor four shrinks, at a quarter from
        /// sixteen.
        case balanced
        /// JPEG is decoded at half size from a factor three, at a quarter from eight: about 1.6 times as fast, and sharp
        /// images lose a little crispness near those factors.
        case fast
    }

    /// The box the result is made for.
    public var box: BoundingBox
    /// How the image is brought into the box.
    public var mode: ResizeMode
    /// Which part is kept by ``ResizeMode/fill``, and where the image lies in ``ResizeMode/pad``.
    public var focus = FocalPoint.center
    /// Whether a small image may be made larger. Default false: it then keeps its size.
    public var allowsEnlarging = false
    /// The colour around a padded image, and under a transparent one in JPEG. Default white.
    public var background = RGBAColor.white
    /// Whether the EXIF orientation is applied. The result never carries the tag, so leave it true unless the pixels
    /// are wanted as stored.
    public var appliesOrientation = true
    /// The filter. Default ``ResampleFilter/lanczos3``.
    public var filter = ResampleFilter.lanczos3
    /// Default ``LightSpace/linear``.
    public var light = LightSpace.linear
    /// Default ``Effort/balanced``.
    public var effort = Effort.balanced
    /// Default ``ColorProfileHandling/convertToSRGB``.
    public var colorProfile = ColorProfileHandling.convertToSRGB
    /// The format of the result. Default automatic.
    public var format = Format.automatic
    /// How JPEG results are written.
    public var jpeg = JPEGEncodingOptions()
    /// How PNG results are written.
    public var png = PNGEncodingOptions()

    /// A recipe for a box, with defaults for the rest.
    public init(box: BoundingBox, mode: ResizeMode = .fit) {
        self.box = box
        self.mode = mode
    }

    /// The image in its own shape, as large as fits into `width` by `height` pixels.
    public init(fitting width: Int, _ height: Int) {
        self.init(box: BoundingBox(width: width, height: height), mode: .fit)
    }

    /// Exactly `width` by `height` pixels, filled, cut around `focus`.
    public init(filling width: Int, _ height: Int, focus: FocalPoint = .center) {
        self.init(box: BoundingBox(width: width, height: height), mode: .fill)
        self.focus = focus
    }

    func validate() throws(ImageError) {
        for side in [box.width, box.height].compactMap({ $0 }) where !(1...1_000_000).contains(side) {
            throw .invalidRecipe(reason: "a side of \(side) pixels is not within 1 to 1000000")
        }
        guard box.width != nil || box.height != nil else {
            throw .invalidRecipe(reason: "neither width nor height is given")
        }
        guard (1...100).contains(jpeg.quality) else {
            throw .invalidRecipe(reason: "quality \(jpeg.quality) is not within 1 to 100")
        }
        guard (0...9).contains(png.level) else {
            throw .invalidRecipe(reason: "compression level \(png.level) is not within 0 to 9")
        }
    }
}
