/// How urgent a request is, where requests wait for each other.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Prefetching and other work nobody waits for.
    case low
    /// The default.
    case medium
    /// Somebody waits for it.
    case high

    /// Orders by urgency.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
