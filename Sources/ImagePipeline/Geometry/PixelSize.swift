/// A width and a height in whole pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width times height; `Int.max` should that not fit.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// Width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    /// Such as `720x588`.
    public var description: String { "\(width)x\(height)" }
}

/// A rectangle in pixel coordinates, whose edges may fall within pixels.
struct PixelRegion: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}
