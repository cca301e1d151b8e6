/// Which attempts of a hedged request start, and which one wins. A value without I/O.
struct HedgingRace: Sendable {
    enum Event: Sendable, Equatable {
        /// The delay since the last start is over.
        case delayElapsed
        /// An attempt ended, with an answer that is good or with something else.
        case ended(attempt: Int, isGood: Bool)
    }

    enum Action: Sendable, Equatable {
        /// Start another attempt, and the delay.
        case start(attempt: Int)
        /// Wait.
        case wait
        /// The outcome of this attempt is the answer; cancel the others.
        case finish(attempt: Int)
    }

    private let maximumAttempts: Int
    private(set) var started = 1
    private var ended = 0

    init(maximumAttempts: Int) {
        self.maximumAttempts = max(maximumAttempts, 1)
    }

    /// Whether another attempt may start after the delay.
    var canStartMore: Bool { started < maximumAttempts }

    /// The first good answer wins. Without one, the last attempt to end is the answer: what failed early may have
    /// failed for itself. An attempt that ends before another has started is never hedged: that is a retry's job.
    mutating func handle(_ event: Event) -> Action {
        switch event {
        case .delayElapsed:
            guard canStartMore else { return .wait }
            started += 1
            return .start(attempt: started)
        case .ended(let attempt, let isGood):
            ended += 1
            return isGood || ended == started ? .finish(attempt: attempt) : .wait
        }
    }
}
