#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A place that keeps bytes by key, and may lose any of them at any time, but never returns wrong ones.
///
/// ``MemoryStorage``, ``DiskStorage`` and ``LayeredStorage`` conform. A store shared by a fleet needs five functions;
/// streaming, metadata replacement and statistics have defaults on top of them:
///
/// ```swift
/// struct RedisStorage: CacheStorage {
///     let redis: RedisConnection
///     func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? { … }
///     func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool { … }
///     func removeValue(for key: CacheKey) async { … }
///     func removeValues(withPrefix prefix: CacheKey) async { … }
///     func removeAll() async { … }
/// }
/// ```
///
/// Nothing throws: a cache that fails is a cache that misses, and its user goes on without it.
public protocol CacheStorage: Sendable {
    /// The value kept under a key, checked, or `nil`.
    ///
    /// - Parameters:
    ///   - key: The key, compared byte by byte.
    ///   - inlineLimit: Bodies of more bytes than this may come as ``CacheBody/stream(_:)`` instead of one `Data`.
    func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue?

    /// Keeps a value under a key, in place of what was there.
    ///
    /// - Returns: Whether it was stored. When not, nothing is left under the key: never an older value.
    @discardableResult
    func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool

    /// Begins to keep a value whose body comes piece by piece, or `nil` when it cannot be kept.
    func writer(for key: CacheKey, metadata: Data) async -> (any CacheWriter)?

    /// Replaces the metadata of a value, if the metadata kept is still `old`: otherwise somebody stored another value
    /// meanwhile, to which the new metadata would not belong.
    ///
    /// - Returns: Whether it was replaced.
    @discardableResult
    func replaceMetadata(for key: CacheKey, from old: Data, to new: Data) async -> Bool

    /// Forgets what is kept under a key.
    func removeValue(for key: CacheKey) async

    /// Forgets everything kept under keys that begin with a prefix.
    func removeValues(withPrefix prefix: CacheKey) async

    /// Forgets everything.
    func removeAll() async

    /// What the storage has done and holds.
    var statistics: CacheStatistics { get }
}

extension CacheStorage {
    /// The value kept under a key with all its bytes at hand, or `nil`.
    public func value(for key: CacheKey) async -> CacheValue? {
        guard let value = await value(for: key, inlineLimit: .max) else { return nil }
        guard case .stream = value.body else { return value }
        guard let body = await value.body.collect() else { return nil }
        return CacheValue(metadata: value.metadata, body: body)
    }

    /// The body kept under a key, or `nil`.
    public func data(for key: CacheKey) async -> Data? {
        await value(for: key)?.body.collect()
    }

    /// Keeps a body without metadata under a key.
    @discardableResult
    public func store(_ body: Data, for key: CacheKey) async -> Bool {
        await store(body, metadata: Data(), for: key)
    }

    /// A writer that collects the body in memory and stores it when committed.
    public func writer(for key: CacheKey, metadata: Data) async -> (any CacheWriter)? {
        CollectingWriter(storage: self, key: key, metadata: metadata)
    }

    /// Reads the value and stores it again with the new metadata.
    @discardableResult
    public func replaceMetadata(for key: CacheKey, from old: Data, to new: Data) async -> Bool {
        guard let value = await value(for: key), value.metadata == old, let body = await value.body.collect() else {
            return false
        }
        return await store(body, metadata: new, for: key)
    }

    /// Nothing known.
    public var statistics: CacheStatistics { CacheStatistics() }
}
