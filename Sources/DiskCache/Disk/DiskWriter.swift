#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a body to an entry's file, on other threads and only when a block is full.
final class DiskWriter: CacheWriter {
    private let writer: EntryWriter
    private let threads: IOThreads
    private let didCommit: @Sendable () -> Void

    init(writer: EntryWriter, threads: IOThreads, didCommit: @escaping @Sendable () -> Void) {
        self.writer = writer
        self.threads = threads
        self.didCommit = didCommit
    }

    deinit {
        // After a commit this does nothing; else it removes a file, which must not happen on the caller's thread.
        threads.enqueue { [writer] in writer.cancel() }
    }

    func write(_ bytes: Data) async -> Bool {
        let (isWorking, isFull) = writer.buffer(bytes)
        guard isWorking, isFull else { return isWorking }
        return await threads.run { [writer] in writer.flush() }
    }

    func commit() async -> Bool {
        let isCommitted = await threads.run { [writer] in writer.commit() }
        didCommit()
        return isCommitted
    }

    func cancel() async {
        await threads.run { [writer] in writer.cancel() }
    }
}
