internal import APICore

/// Where one request stands, and what may still happen to it. Pure: events go in, what to do comes out.
///
/// A request has exactly one outcome. For a buffered one it is the response or an error; for a streamed one the head or
/// an error, and after the head the end of the body or an error. Everything that can end it (completion, a time limit,
/// cancellation, shutdown, a limit on size) comes through here, and the first one wins.
struct TransferState: Sendable {
    enum Phase: Sendable, Hashable {
        /// Made, not yet seen by the loop.
        case created
        /// Cancelled before the loop has seen it; nobody waits yet.
        case abandoned
        /// Waits for a place among the connections.
        case queued
        /// With libcurl, no connection yet.
        case connecting
        /// The request is being sent; no byte of an answer came.
        case sending
        /// A byte of an answer came.
        case receiving
        /// The outcome is there.
        case ended
    }

    /// How the caller gets the outcome.
    enum Delivery: Sendable, Hashable {
        /// Nobody has heard of it yet: the one who waits for the response.
        case response
        /// The head is delivered: the one who reads the body.
        case body
    }

    private(set) var phase = Phase.created
    private(set) var delivery = Delivery.response
    /// What ended it, before libcurl has let go of it.
    private(set) var failure: NetworkError?
    /// How often it was given to libcurl.
    private(set) var attempts = 0
    /// How often libcurl was about to write the request in this attempt.
    private var sends = 0
    private var mayRestart = false
    /// Whether a byte of an answer came.
    private(set) var hasResponse = false

    let isStreamed: Bool
    /// Whether the request may be sent again at all (RFC 9110 section 9.2.2).
    let isRetryable: Bool
    /// Whether its body can be sent again by going back to its start, without asking the caller.
    let rewindsInPlace: Bool

    init(isStreamed: Bool, isRetryable: Bool, rewindsInPlace: Bool) {
        self.isStreamed = isStreamed
        self.isRetryable = isRetryable
        self.rewindsInPlace = rewindsInPlace
    }

    /// Whether it has not ended, and is with libcurl.
    var isAttached: Bool { phase == .connecting || phase == .sending || phase == .receiving }

    /// Whether it may be sent again after a loss.
    private var canSendAgain: Bool {
        isRetryable && attempts == 1 && (phase == .connecting || phase == .sending) && delivery == .response
    }

    /// What to do when the loop first sees the request.
    enum SubmitAction: Sendable, Equatable {
        case none
        case enqueue
        /// It was cancelled before: tell the one who waits.
        case drop
    }

    mutating func submit() -> SubmitAction {
        switch phase {
        case .created:
            phase = .queued
            return .enqueue
        case .abandoned:
            phase = .ended
            return .drop
        default: return .none
        }
    }

    /// A place among the connections is free. Whether to give it to libcurl.
    mutating func start() -> Bool {
        guard phase == .queued else { return false }
        phase = .connecting
        attempts += 1
        sends = 0
        return true
    }

    /// What to do when something other than libcurl ends the request.
    enum EndAction: Sendable, Equatable {
        case none
        /// Tell the one who waits. It is not with libcurl.
        case deliver(Delivery)
        /// Take it from libcurl, then tell the one who waits.
        case detachAndDeliver(Delivery)
    }

    /// Cancelled, timed out, or shut down.
    mutating func end() -> EndAction {
        switch phase {
        case .ended, .abandoned: return .none
        case .created:
            // The continuation is not there yet: the outcome waits for the submission.
            phase = .abandoned
            return .none
        case .queued:
            phase = .ended
            return .deliver(delivery)
        case .connecting, .sending, .receiving:
            phase = .ended
            return .detachAndDeliver(delivery)
        }
    }

    /// What to answer libcurl, which is about to write the request.
    enum SendDecision: Sendable, Equatable {
        case send
        /// It would be written again over a new connection: the kept-alive one was dead.
        case sendAgain
        /// It must not be written (again).
        case refuse
    }

    /// libcurl has a connection and is about to write the request.
    ///
    /// It does so by itself a second time when a kept-alive connection dies under a request, whatever the method: this
    /// is where a POST is kept from being sent twice.
    ///
    /// - Parameter isNewConnection: Whether the connection was made for this attempt.
    mutating func willSend(isNewConnection: Bool) -> SendDecision {
        guard phase == .connecting || phase == .sending else { return .refuse }
        sends += 1
        phase = .sending
        if sends == 1 { return .send }
        guard canSendAgain else { return .refuse }
        if sends == 2, isNewConnection, rewindsInPlace { return .sendAgain }
        // A body that only its maker can begin again.
        mayRestart = true
        return .refuse
    }

    /// A byte of an answer came.
    mutating func received() {
        hasResponse = true
        if phase == .connecting || phase == .sending { phase = .receiving }
    }

    /// The head of the final answer is complete. Whether to deliver it now.
    mutating func headCompleted() -> Bool {
        guard isStreamed, delivery == .response, phase == .receiving, failure == nil else { return false }
        delivery = .body
        return true
    }

    /// A callback found a reason to stop; libcurl will be told through its return value.
    mutating func fail(_ error: NetworkError) {
        if failure == nil { failure = error }
    }

    /// What to do when libcurl says the transfer is over.
    enum CompleteAction: Sendable, Equatable {
        case none
        case succeed(Delivery)
        /// Give it to libcurl once more, over a new connection.
        case restart
        case fail(Delivery)
    }

    /// libcurl is done.
    ///
    /// - Parameters:
    ///   - isSuccess: Whether it reports no error.
    ///   - isReusedConnectionLost: Whether a connection was lost that had been kept alive from an earlier request.
    mutating func complete(isSuccess: Bool, isReusedConnectionLost: Bool) -> CompleteAction {
        guard isAttached else { return .none }
        if failure == nil, !isSuccess, mayRestart || (isReusedConnectionLost && sends == 1), canSendAgain {
            phase = .queued
            mayRestart = false
            return .restart
        }
        phase = .ended
        return isSuccess && failure == nil ? .succeed(delivery) : .fail(delivery)
    }
}
