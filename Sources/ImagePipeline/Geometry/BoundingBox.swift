/// The box a thumbnail is made for. A side may be left open; it then follows from the image's shape.
public struct BoundingBox: Sendable, Hashable {
    /// Pixels across, nil for open.
    public var width: Int?
    /// Pixels down, nil for open.
    public var height: Int?

    /// A box of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A box of a given width, as high as need be.
    public init(width: Int) { self.width = width }

    /// A box of a given height, as wide as need be.
    public init(height: Int) { self.height = height }

    /// Reads `720x540`, `720x` or `720` (width only), and `x540`; nil for anything else, and for sides below 1.
    public init?(_ text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count <= 2, !text.isEmpty else { return nil }
        func side(_ part: Substring) -> Int?? {
            if part.isEmpty { return .some(nil) }
            guard part.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(part), value >= 1 else {
                return nil
            }
            return value
        }
        guard let width = side(parts[0]), let height = parts.count == 2 ? side(parts[1]) : .some(nil) else {
            return nil
        }
        guard width != nil || height != nil else { return nil }
        self.width = width
        self.height = height
    }
}
