/// How a PNG file is written.
public struct PNGEncodingOptions: Sendable, Hashable {
    /// A row filter of PNG (RFC 2083 section 6), which turns pixels into differences that compress better.
    public enum Filter: String, Sendable, Hashable, CaseIterable {
        case none
        case sub
        case up
        case average
        case paeth
        /// libpng's own choice, row by row, among all five: thorough and slow.
        case adaptive
        /// One filter for the image, whichever leaves the least entropy on a sample of its rows.
        case automatic
    }

    /// zlib's level, 0 (none) to 9 (smallest). Default 3, the highest that searches without second thoughts.
    public var level = 3
    /// The row filter. Default automatic.
    public var filter = Filter.automatic
    /// Whether an image of at most 256 colours is written with a palette, and one without colour as gray. Default true.
    public var reducesColors = true

    /// The default options.
    public init() {}
}
