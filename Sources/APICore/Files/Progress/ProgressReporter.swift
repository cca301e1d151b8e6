internal import Synchronization

/// Passes on how far a transfer has come, at most a few times a second.
final class ProgressReporter: Sendable {
    private struct State {
        var meter = RateMeter()
        var total: Int?
        var last: (time: ContinuousClock.Instant, progress: TransferProgress)?
    }

    /// The newest progress not yet read; older ones are dropped, so a slow reader does not slow the transfer down.
    let updates: AsyncStream<TransferProgress>
    private let continuation: AsyncStream<TransferProgress>.Continuation
    private let state = Mutex(State())
    private let time: TimeSource
    private let interval: Duration

    init(time: TimeSource, interval: Duration) {
        self.time = time
        self.interval = interval
        (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets the number of bytes altogether.
    func setTotal(_ total: Int?) {
        state.withLock { $0.total = total }
    }

    /// Notes how many bytes are transferred, and passes it on if the last time is long enough ago.
    ///
    /// - Parameter isLast: Passes it on in any case.
    func update(_ bytes: Int, isLast: Bool = false) {
        let now = time.now()
        let progress: TransferProgress? = state.withLock { state in
            if !isLast, let last = state.last, now - last.time < interval { return nil }
            let rate = state.meter.add(bytes, at: now)
            let progress = TransferProgress(bytes: bytes, total: state.total, bytesPerSecond: rate)
            if let last = state.last, last.progress == progress { return nil }
            state.last = (now, progress)
            return progress
        }
        if let progress { continuation.yield(progress) }
    }

    func finish() {
        continuation.finish()
    }
}
