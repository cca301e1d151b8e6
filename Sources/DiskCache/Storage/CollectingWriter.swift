#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Collects a body in memory and stores it whole: the writer of storages that have no better one.
final class CollectingWriter: CacheWriter {
    private let storage: any CacheStorage
    private let key: CacheKey
    private let metadata: Data
    /// `nil` once committed or cancelled.
    private let body = Locked<Data?>(Data())

    init(storage: any CacheStorage, key: CacheKey, metadata: Data) {
        self.storage = storage
        self.key = key
        self.metadata = metadata
    }

    func write(_ bytes: Data) async -> Bool {
        body.withLock { body in
            body?.append(bytes)
            return body != nil
        }
    }

    func commit() async -> Bool {
        guard let body = body.withLock({ $0.take() }) else { return false }
        return await storage.store(body, metadata: metadata, for: key)
    }

    func cancel() async {
        body.withLock { $0 = nil }
    }
}
