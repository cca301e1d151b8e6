/// A failed attempt, as a ``RetryPolicy`` sees it.
public struct RetryFailure: Sendable {
    /// What happened.
    public enum Outcome: Sendable {
        /// The server answered; its status decides whether that is a failure.
        case response(ResponseHead)
        /// There was no answer.
        case error(NetworkError)
    }

    /// What happened.
    public var outcome: Outcome
    /// Which attempt it was, from 1.
    public var attempt: Int

    /// Makes a failure.
    public init(_ outcome: Outcome, attempt: Int) {
        self.outcome = outcome
        self.attempt = attempt
    }

    /// The head of the answer, if there was one.
    public var head: ResponseHead? { if case .response(let head) = outcome { head } else { nil } }
    /// The status of the answer, if there was one.
    public var status: HTTPStatusCode? { head?.status }
    /// The error, if there was no answer.
    public var error: NetworkError? { if case .error(let error) = outcome { error } else { nil } }

    /// Whether the same request could succeed a little later.
    func canPass(statuses: Set<HTTPStatusCode>) -> Bool {
        switch outcome {
        case .response(let head): statuses.contains(head.status)
        case .error(let error): error.isTransient
        }
    }
}

extension NetworkError {
    /// Whether the same request could succeed a little later: connections that fail or break, and the timeouts of
    /// connections and attempts. Not deadlines and queues, whose limit is the caller's, and not refusals: an open
    /// circuit breaker is there to fail fast.
    public var isTransient: Bool {
        switch self {
        case .connectivity(let failure): failure.kind != .addressRefused
        case .timeout(let failure):
            switch failure.kind {
            case .connect, .idle, .attempt: true
            case .deadline, .queue, .connectivity: false
            }
        case .truncated: true
        default: false
        }
    }
}
