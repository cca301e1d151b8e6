import Dispatch
import Synchronization

/// Runs decodes on threads of its own: as many at once as there are cores, within a budget of bytes.
///
/// Decoding takes milliseconds to seconds of pure computing, which must not occupy Swift's cooperative threads, and
/// each image in the works holds memory. Share one scheduler by all users in a process.
public final class DecodeScheduler: Sendable {
    /// The scheduler used unless another is given: one decode a core, 1 GiB.
    public static let shared = DecodeScheduler()

    private struct Job: Sendable {
        var run: @Sendable () -> Void
        var abandon: @Sendable () -> Void
    }

    private struct State {
        var queue: DecodeQueue
        var jobs: [UInt64: Job] = [:]
        var nextIdentifier: UInt64 = 0
    }

    private let state: Mutex<State>
    private let threads = DispatchQueue(label: "ImagePipeline.decode", attributes: .concurrent)

    /// A scheduler of its own.
    ///
    /// - Parameters:
    ///   - concurrency: Decodes at once; nil for the number of cores.
    ///   - byteBudget: Bytes that all decodes together may hold, by estimate.
    public init(concurrency: Int? = nil, byteBudget: Int = 1 << 30) {
        let cores = concurrency ?? Processors.count
        state = Mutex(State(queue: DecodeQueue(concurrency: cores, byteBudget: byteBudget)))
    }

    /// Runs `work` when its turn comes; a cancelled task leaves the line at once, and running work is told through the
    /// closure it gets.
    ///
    /// - Parameter bytes: What the work will hold in memory.
    /// - Throws: What `work` throws, or ``ImageError/cancelled``.
    public func run<Result: Sendable>(
        bytes: Int, priority: DecodePriority = .normal,
        _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let flag = CancellationFlag()
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        let result: Swift.Result<Result, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(
                    run: {
                        do throws(ImageError) {
                            if flag.isCancelled { throw .cancelled }
                            let value = try work { flag.isCancelled }
                            self.finish(identifier)
                            continuation.resume(returning: .success(value))
                        } catch {
                            self.finish(identifier)
                            continuation.resume(returning: .failure(error))
                        }
                    },
                    abandon: { continuation.resume(returning: .failure(.cancelled)) })
                let started = state.withLock { state in
                    state.jobs[identifier] = job
                    return Self.take(state.queue.enqueue(identifier, bytes: bytes, priority: priority.rawValue), &state)
                }
                start(started)
                // A cancellation that came before the job stood in line found nothing to remove.
                if flag.isCancelled { cancel(identifier) }
            }
        } onCancel: {
            flag.cancel()
            cancel(identifier)
        }
        return try result.get()
    }

    private static func take(_ identifiers: [UInt64], _ state: inout State) -> [Job] {
        identifiers.compactMap { state.jobs.removeValue(forKey: $0) }
    }

    private func start(_ jobs: [Job]) {
        for job in jobs { threads.async(execute: job.run) }
    }

    private func finish(_ identifier: UInt64) {
        start(state.withLock { state in Self.take(state.queue.finish(identifier), &state) })
    }

    private func cancel(_ identifier: UInt64) {
        let (abandoned, started) = state.withLock { state -> (Job?, [Job]) in
            let (wasWaiting, started) = state.queue.cancel(identifier)
            let job = wasWaiting ? state.jobs.removeValue(forKey: identifier) : nil
            return (job, Self.take(started, &state))
        }
        abandoned?.abandon()
        start(started)
    }
}
