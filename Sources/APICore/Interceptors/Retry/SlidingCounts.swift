/// Two counters over a sliding window of time, kept in ten slices.
struct SlidingCounts: Sendable {
    private static let slices = 10

    private let slice: Duration
    private var start: ContinuousClock.Instant?
    private var newest: Int64 = 0
    private var counts: [(first: Int, second: Int)] = Array(repeating: (0, 0), count: slices)

    init(window: Duration) {
        slice = max(window, .milliseconds(10)) / SlidingCounts.slices
    }

    mutating func add(first: Int, second: Int, now: ContinuousClock.Instant) {
        let index = advance(to: now)
        counts[index].first += first
        counts[index].second += second
    }

    mutating func totals(now: ContinuousClock.Instant) -> (first: Int, second: Int) {
        _ = advance(to: now)
        return counts.reduce((0, 0)) { ($0.0 + $1.first, $0.1 + $1.second) }
    }

    mutating func reset() {
        for index in counts.indices { counts[index] = (0, 0) }
    }

    /// Empties the slices that time has passed, and gives the place of the current one. Time that goes backwards
    /// counts as standing still.
    private mutating func advance(to now: ContinuousClock.Instant) -> Int {
        let origin = start ?? now
        start = origin
        let elapsed = Int64(max(min(origin.duration(to: now) / slice, 1e15), 0))
        let steps = max(elapsed - newest, 0)
        for step in 0..<min(steps, Int64(counts.count)) {
            counts[Int((newest + steps - step) % Int64(counts.count))] = (0, 0)
        }
        newest += steps
        return Int(newest % Int64(counts.count))
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
