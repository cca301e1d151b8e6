/// What to do with a file that ends early or whose pixel data is damaged.
public enum TruncationPolicy: Sendable, Hashable {
    /// Throw ``ImageError/truncated(_:row:)`` or ``ImageError/corrupt(_:reason:row:)``. A cache must use this.
    case fail
    /// Keep the rows that could be decoded; the rest is gray or repeats. The result is flagged `isPartial`. Damage in
    /// the header is still an error.
    case partial
}
