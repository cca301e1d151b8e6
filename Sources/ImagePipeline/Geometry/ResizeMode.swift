/// How an image is brought into a box of another shape.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// As large as fits in the box, all of the image, its own shape.
    case fit
    /// Exactly the box, filled; what sticks out is cut off, see ``ThumbnailRecipe/focus``.
    case fill
    /// Exactly the box, distorted.
    case stretch
    /// Exactly the box; the image as in `fit`, the rest is background.
    case pad
}
