/// How stored pixels must be turned to be seen upright: the eight values of EXIF's orientation tag.
///
/// Each case says where the image's stored top row and left column are seen.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from top left.
    case leftMirrored = 5
    /// To be turned 90° clockwise: a phone held upright.
    case right = 6
    /// Mirrored along the diagonal from top right.
    case rightMirrored = 7
    /// To be turned 90° counterclockwise.
    case left = 8

    /// Whether width and height are exchanged when shown.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The stored pixel that is seen at (x, y), given the size as stored.
    func storedPosition(x: Int, y: Int, stored: PixelSize) -> (x: Int, y: Int) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        return switch self {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (y, bottom - x)
        case .rightMirrored: (right - y, bottom - x)
        case .left: (right - y, x)
        }
    }

    /// The stored rectangle that is seen as `region`, given the size as stored.
    func storedRegion(_ region: PixelRegion, stored: PixelSize) -> PixelRegion {
        let width = Double(stored.width)
        let height = Double(stored.height)
        let (x, y, w, h) = (region.x, region.y, region.width, region.height)
        return switch self {
        case .up: region
        case .upMirrored: PixelRegion(x: width - x - w, y: y, width: w, height: h)
        case .down: PixelRegion(x: width - x - w, y: height - y - h, width: w, height: h)
        case .downMirrored: PixelRegion(x: x, y: height - y - h, width: w, height: h)
        case .leftMirrored: PixelRegion(x: y, y: x, width: h, height: w)
        case .right: PixelRegion(x: y, y: height - x - w, width: h, height: w)
        case .rightMirrored: PixelRegion(x: width - y - h, y: height - x - w, width: h, height: w)
        case .left: PixelRegion(x: width - y - h, y: x, width: h, height: w)
        }
    }
}
