/// Decides which of the waiting decodes may start: at most so many at once, and within a budget of bytes.
///
/// A pure value: every change returns what starts because of it. Higher priorities go first, equal ones in order of
/// arrival. The first in line waits until its bytes are free and nobody overtakes it, so a large image cannot be
/// starved by small ones. One that is larger than the whole budget runs alone.
struct DecodeQueue {
    typealias Identifier = UInt64

    private struct Entry {
        var identifier: Identifier
        var bytes: Int
        var priority: Int
    }

    let concurrency: Int
    let byteBudget: Int
    private var waiting: [Entry] = []
    private var running: [Identifier: Int] = [:]
    private(set) var bytesInUse = 0

    init(concurrency: Int, byteBudget: Int) {
        self.concurrency = max(1, concurrency)
        self.byteBudget = max(1, byteBudget)
    }

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }

    mutating func enqueue(_ identifier: Identifier, bytes: Int, priority: Int) -> [Identifier] {
        let entry = Entry(identifier: identifier, bytes: min(max(bytes, 0), byteBudget), priority: priority)
        let index = waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex
        waiting.insert(entry, at: index)
        return start()
    }

    mutating func finish(_ identifier: Identifier) -> [Identifier] {
        guard let bytes = running.removeValue(forKey: identifier) else { return [] }
        bytesInUse -= bytes
        return start()
    }

    /// Takes one out of the line; `wasWaiting` is false when it runs or is unknown.
    mutating func cancel(_ identifier: Identifier) -> (wasWaiting: Bool, started: [Identifier]) {
        guard let index = waiting.firstIndex(where: { $0.identifier == identifier }) else { return (false, []) }
        waiting.remove(at: index)
        return (true, start())
    }

    /// Moves a waiting one ahead of those of lower priority.
    mutating func raise(_ identifier: Identifier, to priority: Int) {
        guard let index = waiting.firstIndex(where: { $0.identifier == identifier }),
            waiting[index].priority < priority
        else { return }
        var entry = waiting.remove(at: index)
        entry.priority = priority
        waiting.insert(entry, at: waiting.firstIndex { $0.priority < priority } ?? waiting.endIndex)
    }

    private mutating func start() -> [Identifier] {
        var started: [Identifier] = []
        while let first = waiting.first, running.count < concurrency, bytesInUse + first.bytes <= byteBudget {
            waiting.removeFirst()
            running[first.identifier] = first.bytes
            bytesInUse += first.bytes
            started.append(first.identifier)
        }
        return started
    }
}
