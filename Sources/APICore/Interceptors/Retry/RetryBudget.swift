/// Keeps retries in proportion to requests, so that a client does not multiply the load of a server that is down.
///
/// Over a sliding window there may be `ratio` retries for each request, and `minimumPerSecond` in any case. A value
/// without I/O.
public struct RetryBudget: Sendable {
    /// How large a budget is.
    public struct Limits: Sendable, Hashable {
        /// Retries for each request: 0.2 by default, so that an outage costs a fifth more load, not three times.
        public var ratio: Double
        /// Retries each second that are always allowed, so that a client with few requests can retry at all.
        public var minimumPerSecond: Double
        /// How far back requests count.
        public var window: Duration

        /// Makes limits.
        public init(ratio: Double = 0.2, minimumPerSecond: Double = 5, window: Duration = .seconds(10)) {
            self.ratio = ratio
            self.minimumPerSecond = minimumPerSecond
            self.window = window
        }
    }

    private let limits: Limits
    private var counts: SlidingCounts

    /// Makes a full budget.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
        counts = SlidingCounts(window: limits.window)
    }

    /// Counts a request, not its retries.
    public mutating func recordRequest(now: ContinuousClock.Instant) {
        counts.add(first: 1, second: 0, now: now)
    }

    /// Takes a retry from the budget, if there is one left.
    public mutating func withdraw(now: ContinuousClock.Instant) -> Bool {
        let (requests, retries) = counts.totals(now: now)
        let allowed = limits.minimumPerSecond * limits.window.inSeconds + limits.ratio * Double(requests)
        guard Double(retries) + 1 <= allowed else { return false }
        counts.add(first: 0, second: 1, now: now)
        return true
    }
}
