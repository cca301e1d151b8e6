#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps values in memory, up to a cost, and forgets the least recently used ones first.
///
/// Looking up never suspends: a hit is a lock, a dictionary look-up and a retained `Data`.
///
/// ```swift
/// let storage = MemoryStorage(costLimit: 64 << 20)
/// await storage.store(Data("hello".utf8), for: "greeting")
/// ```
public final class MemoryStorage: CacheStorage {
    /// The most that all entries may cost together, in bytes: body, metadata, key and ``entryOverhead`` of each.
    public let costLimit: Int

    /// The most one entry may cost, in bytes. A larger one is refused, so that it cannot push out everything else.
    public let entryCostLimit: Int

    /// What an entry is taken to cost beside its bytes.
    public static let entryOverhead = 200

    private struct Entry {
        var metadata: Data
        var body: Data
    }

    private struct State {
        var entries = RecencyList<CacheKey, Entry>()
        var pending = PendingWrites()
        var statistics = CacheStatistics()
    }

    private let state = Locked(State())

    /// An empty storage.
    ///
    /// - Parameters:
    ///   - costLimit: The most that all entries may cost together, in bytes.
    ///   - entryCostLimit: The most one entry may cost; an eighth of `costLimit` when not given.
    public init(costLimit: Int = 32 << 20, entryCostLimit: Int? = nil) {
        self.costLimit = max(0, costLimit)
        self.entryCostLimit = min(max(0, entryCostLimit ?? costLimit / 8), self.costLimit)
    }

    /// What an entry counts for against ``costLimit``.
    static func cost(of key: CacheKey, metadata: Data, body: Data) -> Int {
        key.bytes.count + metadata.count + body.count + entryOverhead
    }

    /// The value kept under a key; never a stream.
    public func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? {
        lookUp(key)
    }

    /// The value kept under a key, without being asynchronous.
    public func lookUp(_ key: CacheKey) -> CacheValue? {
        state.withLock { state in
            guard let entry = state.entries.use(key) else {
                state.statistics.misses += 1
                return nil
            }
            state.statistics.hits += 1
            return CacheValue(metadata: entry.metadata, body: entry.body)
        }
    }

    /// Keeps a value, unless it costs more than ``entryCostLimit``.
    @discardableResult
    public func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool {
        insert(body, metadata: metadata, for: key)
    }

    /// Keeps a value, without being asynchronous.
    @discardableResult
    public func insert(_ body: Data, metadata: Data, for key: CacheKey) -> Bool {
        state.withLock { state in
            let isStored = put(Entry(metadata: metadata, body: body), for: key, in: &state)
            if isStored { state.statistics.stores += 1 } else { state.statistics.failedStores += 1 }
            return isStored
        }
    }

    /// Keeps a copy of what another storage holds: neither a store nor a failed one.
    func insertCopy(_ body: Data, metadata: Data, for key: CacheKey) {
        state.withLock { _ = put(Entry(metadata: metadata, body: body), for: key, in: &$0) }
    }

    func contains(_ key: CacheKey) -> Bool {
        state.withLock { $0.entries.contains(key) }
    }

    func forget(_ key: CacheKey) {
        state.withLock { _ = $0.entries.remove(key) }
    }

    private func put(_ entry: Entry, for key: CacheKey, in state: inout State) -> Bool {
        let cost = Self.cost(of: key, metadata: entry.metadata, body: entry.body)
        guard cost <= entryCostLimit else {
            state.entries.remove(key)
            return false
        }
        state.entries.set(key, to: entry, cost: cost)
        while state.entries.totalCost > costLimit, state.entries.removeOldest() != nil {
            state.statistics.evictions += 1
        }
        return true
    }

    /// A writer that gives up as soon as the body is too large to be kept.
    public func writer(for key: CacheKey, metadata: Data) async -> (any CacheWriter)? {
        let spare = entryCostLimit - Self.cost(of: key, metadata: metadata, body: Data())
        guard spare >= 0 else { return nil }
        let token = state.withLock { $0.pending.begin(key) }
        return MemoryWriter(storage: self, key: key, metadata: metadata, limit: spare, token: token)
    }

    fileprivate func finish(_ token: UInt64, body: Data?, metadata: Data, for key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.pending.end(token), let body else { return false }
            let isStored = put(Entry(metadata: metadata, body: body), for: key, in: &state)
            if isStored { state.statistics.stores += 1 } else { state.statistics.failedStores += 1 }
            return isStored
        }
    }

    /// Replaces the metadata of an entry, if it is still `old`.
    @discardableResult
    public func replaceMetadata(for key: CacheKey, from old: Data, to new: Data) async -> Bool {
        state.withLock { state in
            guard let entry = state.entries.peek(key), entry.metadata == old else { return false }
            return put(Entry(metadata: new, body: entry.body), for: key, in: &state)
        }
    }

    /// Forgets what is kept under a key.
    public func removeValue(for key: CacheKey) async {
        state.withLock { state in
            state.pending.cancel { $0 == key }
            state.entries.remove(key)
        }
    }

    /// Forgets everything kept under keys that begin with a prefix; looks at every key.
    public func removeValues(withPrefix prefix: CacheKey) async {
        state.withLock { state in
            state.pending.cancel { $0.hasPrefix(prefix) }
            for key in state.entries.keysOldestFirst where key.hasPrefix(prefix) { state.entries.remove(key) }
        }
    }

    /// Forgets everything.
    public func removeAll() async {
        state.withLock { state in
            state.pending.cancel { _ in true }
            state.entries.removeAll()
        }
    }

    /// What the storage has done and holds; `bytes` is the cost of all entries.
    public var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.entries.count
            statistics.bytes = state.entries.totalCost
            return statistics
        }
    }
}

/// Collects a body and puts it into a memory storage when committed.
private final class MemoryWriter: CacheWriter {
    private let storage: MemoryStorage
    private let key: CacheKey
    private let metadata: Data
    private let limit: Int
    private let token: UInt64
    private let body = Locked<Data?>(Data())

    init(storage: MemoryStorage, key: CacheKey, metadata: Data, limit: Int, token: UInt64) {
        self.storage = storage
        self.key = key
        self.metadata = metadata
        self.limit = limit
        self.token = token
    }

    deinit {
        _ = storage.finish(token, body: nil, metadata: metadata, for: key)
    }

    func write(_ bytes: Data) async -> Bool {
        body.withLock { body in
            guard let count = body?.count, bytes.count <= limit - count else {
                body = nil
                return false
            }
            body?.append(bytes)
            return true
        }
    }

    func commit() async -> Bool {
        storage.finish(token, body: body.withLock { $0.take() }, metadata: metadata, for: key)
    }

    func cancel() async {
        _ = storage.finish(token, body: nil, metadata: metadata, for: key)
    }
}
