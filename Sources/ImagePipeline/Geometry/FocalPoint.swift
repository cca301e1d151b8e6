/// A point of an image in parts of its size: (0, 0) is its top left, (1, 1) its bottom right.
///
/// In ``ResizeMode/fill`` the crop is centered on it as far as the edges allow, so the named points are the usual
/// gravities. In ``ResizeMode/pad`` it says where in the box the image lies.
public struct FocalPoint: Sendable, Hashable {
    /// 0 (left) to 1 (right).
    public var x: Double
    /// 0 (top) to 1 (bottom).
    public var y: Double

    /// A point; coordinates outside 0 to 1 are moved to the edge, and NaN to the middle.
    public init(x: Double, y: Double) {
        self.x = x.isNaN ? 0.5 : min(max(x, 0), 1)
        self.y = y.isNaN ? 0.5 : min(max(y, 0), 1)
    }

    /// The middle.
    public static let center = FocalPoint(x: 0.5, y: 0.5)
    /// The middle of the upper edge.
    public static let top = FocalPoint(x: 0.5, y: 0)
    /// The middle of the lower edge.
    public static let bottom = FocalPoint(x: 0.5, y: 1)
    /// The middle of the left edge.
    public static let left = FocalPoint(x: 0, y: 0.5)
    /// The middle of the right edge.
    public static let right = FocalPoint(x: 1, y: 0.5)
    /// The upper left corner.
    public static let topLeft = FocalPoint(x: 0, y: 0)
    /// The upper right corner.
    public static let topRight = FocalPoint(x: 1, y: 0)
    /// The lower left corner.
    public static let bottomLeft = FocalPoint(x: 0, y: 1)
    /// The lower right corner.
    public static let bottomRight = FocalPoint(x: 1, y: 1)
}
