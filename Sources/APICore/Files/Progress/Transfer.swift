internal import Synchronization

/// A download or an upload: its progress as a sequence, its outcome as ``value``.
///
/// ```swift
/// let transfer = client.download(Export(), to: "/data/export.zip")
/// for try await progress in transfer { print(progress.fraction ?? 0) }
/// let file = try await transfer.value
///
/// let photo = try await client.upload(AddPhoto(path)).value          // without progress
/// ```
///
/// It starts when it is first iterated or its ``value`` is asked for. It is cancelled with the task that waits for it,
/// by ``cancel()``, and when nobody holds on to it any more.
public final class Transfer<Output: Sendable>: AsyncSequence, Sendable {
    /// How far it has come.
    public typealias Element = TransferProgress
    /// How it can fail.
    public typealias Failure = NetworkError

    typealias Operation = @Sendable (ProgressReporter) async throws(NetworkError) -> Output
    fileprivate typealias Work = Task<Result<Output, NetworkError>, Never>

    private let operation: Operation
    private let reporter: ProgressReporter
    private let work = Mutex<Work?>(nil)

    init(time: TimeSource, interval: Duration, operation: @escaping Operation) {
        self.operation = operation
        reporter = ProgressReporter(time: time, interval: interval)
    }

    deinit {
        work.withLock { $0?.cancel() }
    }

    /// What came out of it, once it is complete.
    public var value: Output {
        get async throws(NetworkError) {
            let work = start()
            return try await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }.get()
        }
    }

    /// Ends it. What of a download can be resumed is kept.
    public func cancel() {
        start().cancel()
    }

    /// The progress from now on: the newest one each time, so reading slowly does no harm. Ends when the transfer is
    /// complete, throws when it fails. For one reader.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(transfer: self, work: start(), updates: reporter.updates.makeAsyncIterator())
    }

    private func start() -> Work {
        work.withLock { work in
            if let work { return work }
            // Not the transfer itself: it is cancelled when nobody holds on to it.
            let (operation, reporter) = (operation, reporter)
            let new = Work {
                defer { reporter.finish() }
                do throws(NetworkError) {
                    return .success(try await operation(reporter))
                } catch {
                    return .failure(error)
                }
            }
            work = new
            return new
        }
    }

    /// Reads a transfer's progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let transfer: Transfer
        fileprivate let work: Work
        fileprivate var updates: AsyncStream<TransferProgress>.AsyncIterator

        /// The newest progress, or `nil` when the transfer is complete.
        public mutating func next() async throws(NetworkError) -> TransferProgress? {
            try await next(isolation: #isolation)
        }

        /// The newest progress, or `nil` when the transfer is complete. Cancelling the task cancels the transfer.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> TransferProgress? {
            if let progress = await updates.next(isolation: actor) { return progress }
            if Task.isCancelled { work.cancel() }
            _ = try await work.value.get()
            return nil
        }
    }
}
