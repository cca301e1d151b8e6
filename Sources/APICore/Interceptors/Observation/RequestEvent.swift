/// Something that happened to a request: what logging, metrics and tracing are made from.
public struct RequestEvent: Sendable {
    /// What happened.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable {
        /// A caller sent the request.
        case started
        /// An attempt goes out; its number is in the request's context.
        case attempt
        /// An attempt failed, and another one follows after a delay.
        case retry(RetryFailure, after: Duration)
        /// The head of an attempt's response is here; timings as far as the transport measured them.
        case response(ResponseHead, TransferTimings?)
        /// An attempt ended without a response.
        case failed(NetworkError)
        /// The caller has the last answer: which it is, and how long everything took.
        case finished(ResponseHead, TransferTimings?, after: Duration)
        /// The caller has an error: which it is, and how long everything took.
        case finishedWithError(NetworkError, after: Duration)
    }

    /// What happened.
    public var kind: Kind
    /// The request as it was at that time. Its identifier ties the events of one request together.
    public var request: HTTPRequest
    /// When it happened.
    public var instant: ContinuousClock.Instant

    /// Makes an event.
    public init(_ kind: Kind, request: HTTPRequest, now instant: ContinuousClock.Instant) {
        self.kind = kind
        self.request = request
        self.instant = instant
    }

    /// Tells the requests of a process apart.
    public var identifier: UInt64 { request.context.identifier }
    /// The operation's name.
    public var operation: String? { request.options.operationName ?? request.context.operation }
    /// Which attempt it is about, from 1.
    public var attempt: Int { request.context.attempt }
}

extension RequestEvent: CustomStringConvertible {
    /// The request without its secrets, and what happened.
    public var description: String {
        let what =
            switch kind {
            case .started: "started"
            case .attempt: "attempt \(attempt)"
            case .retry(let failure, let delay):
                "retry in \(delay.shortDescription) after "
                    + (failure.status.map { "\($0)" } ?? failure.error.map { "\($0)" } ?? "a failure")
            case .response(let head, _): "\(head.status)"
            case .failed(let error): "failed: \(error)"
            case .finished(let head, _, let duration): "finished with \(head.status) after \(duration.shortDescription)"
            case .finishedWithError(let error, let duration): "failed after \(duration.shortDescription): \(error)"
            }
        return "\(request.summary): \(what)"
    }
}
