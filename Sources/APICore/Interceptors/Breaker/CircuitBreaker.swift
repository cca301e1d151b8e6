/// Stops sending to a server that keeps failing, and probes now and then whether it is back. A value without I/O:
/// ``CircuitBreakerInterceptor`` asks it.
///
/// Closed, it counts successes and failures over a sliding window. When enough requests were counted and the part of
/// failures reaches the limit, it opens: every request is refused. After a pause it is half open: a few requests are
/// let through, and when they succeed it closes; one failure opens it again.
public struct CircuitBreaker: Sendable {
    /// When a breaker opens and for how long.
    public struct Limits: Sendable, Hashable {
        /// The part of failures, from 0 to 1, at which it opens.
        public var failureRatio: Double
        /// How many requests must have been counted before it can open.
        public var minimumRequests: Int
        /// How far back requests count.
        public var window: Duration
        /// How long it stays open before it lets a probe through.
        public var openDuration: Duration
        /// How many probes must succeed before it closes; so many are let through at a time.
        public var probes: Int

        /// Makes limits.
        public init(
            failureRatio: Double = 0.5, minimumRequests: Int = 20, window: Duration = .seconds(10),
            openDuration: Duration = .seconds(15), probes: Int = 1
        ) {
            self.failureRatio = failureRatio
            self.minimumRequests = minimumRequests
            self.window = window
            self.openDuration = openDuration
            self.probes = probes
        }
    }

    /// The state, as metrics show it.
    public enum State: Sendable, Hashable {
        /// Requests pass.
        case closed
        /// Requests are refused.
        case open
        /// Probes pass.
        case halfOpen
    }

    /// The answer to a request that wants to pass.
    public enum Admission: Sendable, Hashable {
        /// It passes; its outcome is reported with this ticket.
        case allowed(Ticket)
        /// It is refused; when the next probe may pass, as far as that is known.
        case refused(retryAfter: Duration)
    }

    /// Belongs to one admitted request. One from before a change of state no longer counts.
    public struct Ticket: Sendable, Hashable {
        fileprivate let generation: UInt64
        fileprivate let isProbe: Bool
    }

    /// How an admitted request ended.
    public enum Outcome: Sendable, Hashable {
        /// The server works.
        case success
        /// The server does not work.
        case failure
        /// It says nothing of the server: a cancellation.
        case ignored
    }

    private enum Phase: Sendable {
        case closed
        case open(until: ContinuousClock.Instant)
        case halfOpen(inFlight: Int, succeeded: Int)
    }

    private let limits: Limits
    private var phase = Phase.closed
    private var generation: UInt64 = 0
    private var counts: SlidingCounts

    /// Makes a closed breaker.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
        counts = SlidingCounts(window: limits.window)
    }

    /// The state. An open breaker whose pause is over stays open until a request asks.
    public var state: State {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Asks whether a request may pass. Each one that is allowed must be followed by
    /// ``record(_:ticket:now:)``.
    public mutating func admit(now: ContinuousClock.Instant) -> Admission {
        switch phase {
        case .closed:
            return .allowed(Ticket(generation: generation, isProbe: false))
        case .open(let until):
            guard now >= until else { return .refused(retryAfter: now.duration(to: until)) }
            enter(.halfOpen(inFlight: 1, succeeded: 0))
            return .allowed(Ticket(generation: generation, isProbe: true))
        case .halfOpen(let inFlight, let succeeded):
            guard inFlight + succeeded < max(limits.probes, 1) else { return .refused(retryAfter: .zero) }
            phase = .halfOpen(inFlight: inFlight + 1, succeeded: succeeded)
            return .allowed(Ticket(generation: generation, isProbe: true))
        }
    }

    /// Reports how an admitted request ended.
    public mutating func record(_ outcome: Outcome, ticket: Ticket, now: ContinuousClock.Instant) {
        guard ticket.generation == generation else { return }
        switch phase {
        case .closed:
            guard outcome != .ignored else { return }
            counts.add(first: 1, second: outcome == .failure ? 1 : 0, now: now)
            guard outcome == .failure else { return }
            let (requests, failures) = counts.totals(now: now)
            if requests >= max(limits.minimumRequests, 1),
                Double(failures) >= limits.failureRatio * Double(requests)
            {
                enter(.open(until: now.advanced(by: limits.openDuration)))
            }
        case .open:
            return
        case .halfOpen(let inFlight, let succeeded):
            switch outcome {
            case .ignored: phase = .halfOpen(inFlight: inFlight - 1, succeeded: succeeded)
            case .failure: enter(.open(until: now.advanced(by: limits.openDuration)))
            case .success where succeeded + 1 >= max(limits.probes, 1): enter(.closed)
            case .success: phase = .halfOpen(inFlight: inFlight - 1, succeeded: succeeded + 1)
            }
        }
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        generation &+= 1
        counts.reset()
    }
}
