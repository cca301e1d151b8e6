#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A small fast storage in front of a large slow one.
///
/// Values are kept in both. A hit in front does not suspend; a hit behind is copied to the front if it is small enough.
///
/// ```swift
/// let storage = LayeredStorage(front: MemoryStorage(costLimit: 32 << 20), back: DiskStorage(directory: path))
/// ```
///
/// The front is this process's own: after another process has replaced a value in a shared back, the front still answers
/// with the earlier one until it is pushed out. For an HTTP cache that is right, a response being usable as long as it
/// is fresh; for anything else that changes, use the back alone.
public final class LayeredStorage: CacheStorage {
    /// What is asked first.
    public let front: MemoryStorage

    /// What is asked next.
    public let back: any CacheStorage

    private let changes = Locked(ChangeCounters())

    /// Puts one storage in front of another.
    public init(front: MemoryStorage, back: any CacheStorage) {
        self.front = front
        self.back = back
    }

    /// The value from the front, else from the back.
    public func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? {
        if let value = front.lookUp(key) { return value }
        let before = changes.withLock { $0.mark(for: key) }
        guard let value = await back.value(for: key, inlineLimit: inlineLimit) else { return nil }
        if case .bytes(let body) = value.body {
            changes.withLock { changes in
                // Somebody may have stored or removed the key while the back was being read: then what was read is old.
                guard changes.isQuiet(for: key, since: before) else { return }
                front.insertCopy(body, metadata: value.metadata, for: key)
            }
        }
        return value
    }

    /// Keeps a value in both.
    @discardableResult
    public func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool {
        changes.withLock { changes in
            changes.begin(key)
            front.insertCopy(body, metadata: metadata, for: key)
        }
        let isStored = await back.store(body, metadata: metadata, for: key)
        changes.withLock { $0.end(key) }
        return isStored || front.contains(key)
    }

    /// A writer to the back that also fills the front if the body stays small.
    public func writer(for key: CacheKey, metadata: Data) async -> (any CacheWriter)? {
        guard let writer = await back.writer(for: key, metadata: metadata) else { return nil }
        return LayeredWriter(storage: self, back: writer, key: key, metadata: metadata)
    }

    /// Replaces the metadata in both.
    @discardableResult
    public func replaceMetadata(for key: CacheKey, from old: Data, to new: Data) async -> Bool {
        changes.withLock { $0.begin(key) }
        let isReplaced = await back.replaceMetadata(for: key, from: old, to: new)
        // When the back has another value or none, the front must not go on answering with its own.
        if isReplaced, await front.replaceMetadata(for: key, from: old, to: new) {
            changes.withLock { $0.end(key) }
            return true
        }
        await front.removeValue(for: key)
        changes.withLock { $0.end(key) }
        return isReplaced
    }

    /// Forgets what is kept under a key, in both.
    public func removeValue(for key: CacheKey) async {
        changes.withLock { $0.begin(key) }
        await front.removeValue(for: key)
        await back.removeValue(for: key)
        changes.withLock { $0.end(key) }
    }

    /// Forgets everything kept under keys that begin with a prefix, in both.
    public func removeValues(withPrefix prefix: CacheKey) async {
        changes.withLock { $0.beginAll() }
        await front.removeValues(withPrefix: prefix)
        await back.removeValues(withPrefix: prefix)
        changes.withLock { $0.endAll() }
    }

    /// Forgets everything, in both.
    public func removeAll() async {
        changes.withLock { $0.beginAll() }
        await front.removeAll()
        await back.removeAll()
        changes.withLock { $0.endAll() }
    }

    /// The statistics of the back, with the hits of the front added.
    ///
    /// A miss in front is none of the whole: it is a hit or a miss behind. Ask ``front`` and ``back`` for their own.
    public var statistics: CacheStatistics {
        var statistics = back.statistics
        statistics.hits += front.statistics.hits
        return statistics
    }

    /// Commits a streamed value to the back, and puts it in front if it is small and nothing came in between.
    fileprivate func commit(_ writer: any CacheWriter, body: Data?, metadata: Data, for key: CacheKey) async -> Bool {
        let before = changes.withLock { changes in
            changes.begin(key)
            return changes.mark(for: key)
        }
        let isCommitted = await writer.commit()
        changes.withLock { changes in
            let isUndisturbed = changes.mark(for: key) == before
            changes.end(key)
            guard isCommitted, isUndisturbed, let body else {
                if isCommitted { front.forget(key) }
                return
            }
            front.insertCopy(body, metadata: metadata, for: key)
        }
        return isCommitted
    }
}

/// Counts changes by key, so that a value read before a change is not put in front after it.
///
/// Keys share 256 counters: a collision costs one copy to the front, nothing else.
private struct ChangeCounters {
    struct Mark: Equatable {
        var own: UInt64
        var all: UInt64
    }

    private var counts = [UInt64](repeating: 0, count: 256)
    private var underWay = [Int](repeating: 0, count: 256)
    private var allCount: UInt64 = 0
    private var allUnderWay = 0

    private func slot(_ key: CacheKey) -> Int { Int(truncatingIfNeeded: key.hashValue) & 255 }

    func mark(for key: CacheKey) -> Mark { Mark(own: counts[slot(key)], all: allCount) }

    func isQuiet(for key: CacheKey, since mark: Mark) -> Bool {
        self.mark(for: key) == mark && underWay[slot(key)] == 0 && allUnderWay == 0
    }

    mutating func begin(_ key: CacheKey) {
        counts[slot(key)] &+= 1
        underWay[slot(key)] += 1
    }

    mutating func end(_ key: CacheKey) {
        counts[slot(key)] &+= 1
        underWay[slot(key)] -= 1
    }

    mutating func beginAll() {
        allCount &+= 1
        allUnderWay += 1
    }

    mutating func endAll() {
        allCount &+= 1
        allUnderWay -= 1
    }
}

/// Writes to the back and collects for the front while the body is small.
private final class LayeredWriter: CacheWriter {
    private let storage: LayeredStorage
    private let back: any CacheWriter
    private let key: CacheKey
    private let metadata: Data
    private let collected = Locked<Data?>(Data())

    init(storage: LayeredStorage, back: any CacheWriter, key: CacheKey, metadata: Data) {
        self.storage = storage
        self.back = back
        self.key = key
        self.metadata = metadata
    }

    func write(_ bytes: Data) async -> Bool {
        collected.withLock { collected in
            guard let count = collected?.count else { return }
            if bytes.count <= storage.front.entryCostLimit - count {
                collected?.append(bytes)
            } else {
                collected = nil
            }
        }
        return await back.write(bytes)
    }

    func commit() async -> Bool {
        let body = collected.withLock { $0.take() }
        return await storage.commit(back, body: body, metadata: metadata, for: key)
    }

    func cancel() async {
        collected.withLock { $0 = nil }
        await back.cancel()
    }
}
