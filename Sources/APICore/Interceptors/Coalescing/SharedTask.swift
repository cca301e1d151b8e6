internal import DiskCache

/// One piece of work that several tasks wait for, each of which can leave by itself.
///
/// The work runs in a task of its own. Depending on `cancelsWhenAbandoned` it is cancelled when the last one leaves, or
/// goes on.
final class SharedTask<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, NetworkError>

    private enum Waiter: Sendable {
        /// It has come and does not wait yet.
        case arriving
        case waiting(CheckedContinuation<Outcome, Never>)
    }

    private struct State: Sendable {
        var waiters: [UInt64: Waiter] = [:]
        var nextIdentifier: UInt64 = 0
        var outcome: Outcome?
        var isAbandoned = false
        var work: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let cancelsWhenAbandoned: Bool

    init(cancelsWhenAbandoned: Bool) {
        self.cancelsWhenAbandoned = cancelsWhenAbandoned
    }

    /// A place among those who wait; `nil` when the work has ended or is being cancelled. Each place must be used by
    /// one call of ``value(place:)``.
    func join() -> UInt64? {
        state.withLock { state in
            guard state.outcome == nil, !state.isAbandoned else { return nil }
            state.nextIdentifier += 1
            state.waiters[state.nextIdentifier] = .arriving
            return state.nextIdentifier
        }
    }

    /// Starts the work. Called once, by whoever made the task.
    func start(_ operation: @escaping @Sendable () async throws(NetworkError) -> Value) {
        let work = Task { self.finish(await Outcome.catching(operation)) }
        let isAbandoned = state.withLock { state in
            state.work = state.outcome == nil ? work : nil
            return state.isAbandoned
        }
        if isAbandoned { work.cancel() }
    }

    /// Waits for the outcome, or until the waiting task is cancelled.
    func value(place: UInt64) async throws(NetworkError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                let known = state.withLock { state -> Outcome? in
                    // The place is gone when the task was cancelled before it began to wait.
                    guard state.waiters[place] != nil else { return .failure(.cancelled) }
                    if let outcome = state.outcome {
                        state.waiters[place] = nil
                        return outcome
                    }
                    state.waiters[place] = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            leave(place)
        }
        return try outcome.get()
    }

    private func finish(_ outcome: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            state.outcome = outcome
            state.work = nil
            var continuations: [CheckedContinuation<Outcome, Never>] = []
            for (place, waiter) in state.waiters {
                guard case .waiting(let continuation) = waiter else { continue }
                continuations.append(continuation)
                state.waiters[place] = nil
            }
            return continuations
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private func leave(_ place: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: place) else { return (nil, nil) }
            guard cancelsWhenAbandoned, state.waiters.isEmpty, state.outcome == nil else { return (waiter, nil) }
            state.isAbandoned = true
            return (waiter, state.work)
        }
        abandoned?.cancel()
        if case .waiting(let continuation) = waiter { continuation.resume(returning: .failure(.cancelled)) }
    }
}
