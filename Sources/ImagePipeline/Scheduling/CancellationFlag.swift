import Synchronization

/// Set once from any thread, read between blocks of rows.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    func cancel() { flag.store(true, ordering: .releasing) }
    var isCancelled: Bool { flag.load(ordering: .acquiring) }
}
