#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension EntryFolder {
    /// Goes down to the low-water mark if the limit is passed.
    func evictIfNeeded() {
        let isNeeded = state.withLock { $0.entries.totalCost + $0.unpublishedBytes > configuration.sizeLimit }
        if isNeeded { evict { $0.entries.totalCost + $0.unpublishedBytes > self.configuration.lowWaterBytes } }
    }

    /// Makes room on a full disk: twice what is needed, since others fill it too, and at least a tenth of what is here.
    func makeRoom(for length: Int) {
        let target = state.withLock { state in
            let total = state.entries.totalCost
            return total - max(min(Self.bytesOnDisk(length), total / 2) * 2, total / 10)
        }
        evict { $0.entries.totalCost > target }
    }

    /// Removes the least recently used entries as long as a condition holds. One thread at a time does this.
    private func evict(while isNeeded: (State) -> Bool) {
        let mayEvict = state.withLock { state in
            defer { state.isEvicting = true }
            return !state.isEvicting
        }
        guard mayEvict else { return }
        defer { state.withLock { $0.isEvicting = false } }
        while true {
            let victim = state.withLock { state -> (key: EntryName, element: Entry, cost: Int)? in
                guard isNeeded(state), let victim = state.entries.removeOldest() else { return nil }
                state.changedDuringScan?.insert(victim.key)
                return victim
            }
            guard let victim else { return }
            do throws(FileError) {
                try fileSystem.remove(path(of: victim.key))
                state.withLock { $0.statistics.evictions += 1 }
            } catch  where error.code == ENOENT || error.code == ENOTDIR {
                continue
            } catch {
                // It is still there and still counts. Come back to it last, and not now: a disk that does not let one
                // file go will hardly let go the next.
                state.withLock { _ = $0.entries.set(victim.key, to: victim.element, cost: victim.cost) }
                return
            }
        }
    }
}
