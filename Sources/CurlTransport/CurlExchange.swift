internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One request on its way through the loop: its state, and who waits for it.
final class CurlExchange: @unchecked Sendable {
    // Safe to share: filled in by the sending task before it is posted, afterwards used by the loop thread alone. What
    // readers of a streamed body touch is in `StreamedBody`, behind its lock.

    /// What the sending task gets.
    enum Completion: Sendable {
        /// Everything is in the handle, which the task gives back to the pool.
        case buffered(CurlHandle, queued: Duration)
        /// The head, and where the body will come from.
        case streamed(head: [UInt8], StreamedBody, length: Int?, isDecoded: Bool, TransferTimings)
    }

    typealias Continuation = UnsafeContinuation<Result<Completion, NetworkError>, Never>

    let loop: CurlEventLoop
    let request: HTTPRequest
    let upload: UploadBody?
    let bodyLimit: Int
    let idleLimit: UInt64?
    let deadline: UInt64?
    let submittedAt: UInt64
    var state: TransferState
    var continuation: Continuation?
    var handle: CurlHandle?
    var stream: StreamedBody?
    var host: OriginRecord?

    /// When the loop gave it to libcurl.
    var startedAt: UInt64 = 0
    /// When the last byte went either way.
    private(set) var lastActivity: UInt64 = 0
    /// Its place in the heap of deadlines.
    var timerPosition = -1
    /// Its place in the list of all that are under way.
    var livePosition = -1

    /// Whether the scheduler counts it among those that have a connection.
    var holdsPlace = false

    /// Whether the content coding is undone on the way.
    var isDecoded = false
    /// The announced length of the body that is delivered.
    var expectedLength: Int?
    /// The address the filter refused.
    var refusedAddress: String?
    var isSendPaused = false
    var isReceivePaused = false
    var isWaitingForFlush = false

    init(_ request: HTTPRequest, loop: CurlEventLoop, upload: UploadBody?) {
        self.loop = loop
        self.request = request
        self.upload = upload
        let settings = loop.settings
        bodyLimit =
            request.options.maximumBodySize
            ?? (request.delivery == .buffered ? settings.configuration.maximumBodySize : .max)
        idleLimit = (request.options.timeouts.idle ?? settings.timeouts.idle).map { max($0.nanoseconds, 1_000_000) }
        let now = MonotonicTime.now()
        submittedAt = now
        var deadline = (request.options.timeouts.overall ?? settings.timeouts.overall).map { now + $0.nanoseconds }
        if let instant = request.context.deadline {
            let left = now + ContinuousClock.now.duration(to: instant).nanoseconds
            deadline = min(deadline ?? left, left)
        }
        self.deadline = deadline
        state = TransferState(
            isStreamed: request.delivery == .streamed, isRetryable: request.isRetryable,
            rewindsInPlace: upload?.rewinds ?? true)
    }

    /// A byte went one way or the other.
    func touch() { lastActivity = loop.now }

    /// How long it waited for a place.
    var queued: Duration { .nanoseconds(Int64(clamping: startedAt > submittedAt ? startedAt - submittedAt : 0)) }

    /// Delivers the head of a streamed response. The state machine has decided that it is time.
    func deliverHead(_ handle: CurlHandle) {
        let stream = StreamedBody(exchange: self, capacity: loop.settings.configuration.bufferSize)
        self.stream = stream
        continuation.take()?.resume(
            returning: .success(
                .streamed(
                    head: handle.head, stream, length: expectedLength, isDecoded: isDecoded,
                    handle.timings(queued: queued, isComplete: false))))
    }

    /// The reader has taken what there was.
    func resumeReceiving() {
        guard isReceivePaused, let handle else { return }
        isReceivePaused = false
        touch()
        loop.applyPause(self, handle)
    }

    /// There is more to send.
    func resumeSending() {
        guard isSendPaused, let handle else { return }
        isSendPaused = false
        touch()
        loop.applyPause(self, handle)
    }

    /// When its next limit expires, as far as can be told now.
    func nextLimit(_ now: UInt64) -> UInt64? {
        guard let idleLimit, state.isAttached else { return deadline }
        let idle = (isIdleCounted ? lastActivity : now) + idleLimit
        return min(deadline ?? idle, idle)
    }

    /// Whether silence is the server's: not while it connects, which has a limit of its own, nor while the caller is
    /// the one who is slow.
    private var isIdleCounted: Bool {
        state.phase != .connecting && !isReceivePaused && !isSendPaused
    }

    /// Which limit has expired.
    func expiredLimit(_ now: UInt64) -> TimeoutFailure? {
        if let deadline, now >= deadline {
            return TimeoutFailure(
                .deadline, limit: .nanoseconds(Int64(clamping: deadline - min(submittedAt, deadline))))
        }
        if let idleLimit, state.isAttached, isIdleCounted, now >= lastActivity + idleLimit {
            return TimeoutFailure(.idle, limit: .nanoseconds(Int64(clamping: idleLimit)))
        }
        return nil
    }
}

/// What is remembered about an origin.
final class OriginRecord {
    let identifier: Int
    var knowledge: ConnectionScheduler<CurlExchange>.Knowledge
    /// How many requests refer to it.
    var users = 0

    init(identifier: Int, knowledge: ConnectionScheduler<CurlExchange>.Knowledge) {
        self.identifier = identifier
        self.knowledge = knowledge
    }
}
