/// What a storage has done since it was made, and what it holds.
public struct CacheStatistics: Sendable, Equatable {
    /// Look-ups that found a value.
    public var hits = 0

    /// Look-ups that found none, or none that could be used.
    public var misses = 0

    /// Values stored.
    public var stores = 0

    /// Values that could not be stored: too large, disk full, read-only, and the like.
    public var failedStores = 0

    /// Entries removed to make room.
    public var evictions = 0

    /// Entries removed because they had passed the age limit.
    public var expirations = 0

    /// Entries found damaged.
    public var corrupt = 0

    /// Look-ups that failed because the system refused to read.
    public var readErrors = 0

    /// Entries known now.
    public var entries = 0

    /// Bytes those entries take. For a ``DiskStorage``: whole blocks on disk, names and checksums included.
    public var bytes = 0

    /// All zero.
    public init() {}
}
