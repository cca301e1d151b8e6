/// Which connection is to be woken when: a binary heap, the earliest first.
struct TimerQueue {
    /// One wake-up. A connection that no longer waits for it knows by the token.
    struct Entry: Equatable {
        var deadline: ContinuousClock.Instant
        var connection: Int
        var token: Int
    }

    private var heap: [Entry] = []

    /// When the first is due.
    var next: ContinuousClock.Instant? { heap.first?.deadline }

    mutating func add(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the first that is due.
    mutating func popDue(_ now: ContinuousClock.Instant) -> Entry? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
