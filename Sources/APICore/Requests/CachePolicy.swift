/// How the HTTP cache treats a request. Without a cache in the client it means nothing.
public enum CachePolicy: Sendable, Hashable {
    /// As RFC 9111 says: fresh answers from the store, stale ones revalidated.
    case use
    /// Always ask the server whether what is stored is still good; only what is `immutable` and fresh is used unasked
    /// (RFC 8246).
    case revalidate
    /// Always take the whole answer from the server; it may be stored.
    case reload
    /// Only from the store, however old, unless the server forbids that with `must-revalidate` or `no-cache`; 504 when
    /// there is nothing (RFC 9111 section 5.2.1.7).
    case onlyIfCached
    /// Neither read nor store.
    case ignore
}
