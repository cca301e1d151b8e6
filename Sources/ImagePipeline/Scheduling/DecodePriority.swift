/// How urgent a decode is; the scheduler starts higher ones first.
public enum DecodePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Prefetching.
    case low = 0
    /// Default.
    case normal = 1
    /// Somebody is looking at the place where the image will be.
    case high = 2

    /// By urgency.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
