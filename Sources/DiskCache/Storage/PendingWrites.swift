/// The writes under way in a storage, so that a removal also covers what was begun before it.
///
/// Without this a clear-all at logout would be undone by a download that finishes a moment later.
struct PendingWrites: Sendable {
    private struct Write {
        var key: CacheKey
        var isCancelled = false
    }

    private var writes: [UInt64: Write] = [:]
    private var nextToken: UInt64 = 0

    mutating func begin(_ key: CacheKey) -> UInt64 {
        nextToken &+= 1
        writes[nextToken] = Write(key: key)
        return nextToken
    }

    /// Ends a write, and tells whether no removal has covered it.
    mutating func end(_ token: UInt64) -> Bool {
        guard let write = writes.removeValue(forKey: token) else { return false }
        return !write.isCancelled
    }

    func isCancelled(_ token: UInt64) -> Bool {
        writes[token]?.isCancelled ?? true
    }

    mutating func cancel(where covers: (CacheKey) -> Bool) {
        for (token, write) in writes where covers(write.key) { writes[token]?.isCancelled = true }
    }
}
