/// A value behind a lock that tasks can wait on: each change wakes those whose condition now holds.
final class WatchedState<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let identifier: UInt64
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// How a wait ended.
    enum Outcome: Sendable {
        case fulfilled
        case timedOut
        case cancelled
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Waiter] = []
        var nextIdentifier: UInt64 = 0
        /// Waits that were cancelled before they had begun.
        var cancelled: Set<UInt64> = []
    }

    private let state: Lock<State>

    init(_ value: Value) {
        state = Lock(State(value: value))
    }

    /// The value as it is now.
    var current: Value { state.withLock { $0.value } }

    /// Reads without copying the whole.
    func read<Result: Sendable>(_ body: (Value) -> Result) -> Result {
        state.withLock { body($0.value) }
    }

    /// Changes the value, then wakes whoever waited for the change.
    @discardableResult
    func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, ready) = state.withLock { state -> (Result, [CheckedContinuation<Outcome, Never>]) in
            let result = body(&state.value)
            guard !state.waiters.isEmpty else { return (result, []) }
            let value = state.value
            var ready: [CheckedContinuation<Outcome, Never>] = []
            state.waiters.removeAll { waiter in
                guard waiter.condition(value) else { return false }
                ready.append(waiter.continuation)
                return true
            }
            return (result, ready)
        }
        for continuation in ready { continuation.resume(returning: .fulfilled) }
        return result
    }

    /// Waits until the condition holds, the task is cancelled, or the real time is over (`nil`: no limit).
    func wait(timeout: Duration?, until condition: @escaping @Sendable (Value) -> Bool) async -> Outcome {
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        let timer = timeout.map { limit in
            Task { [weak self] in
                try? await Task.sleep(for: limit)
                if !Task.isCancelled { self?.end(identifier, with: .timedOut) }
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let immediate = state.withLock { state -> Outcome? in
                    if condition(state.value) { return .fulfilled }
                    if state.cancelled.remove(identifier) != nil { return .cancelled }
                    state.waiters.append(
                        Waiter(identifier: identifier, condition: condition, continuation: continuation))
                    return nil
                }
                if let immediate { continuation.resume(returning: immediate) }
            }
        } onCancel: {
            end(identifier, with: .cancelled)
        }
    }

    private func end(_ identifier: UInt64, with outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard let index = state.waiters.firstIndex(where: { $0.identifier == identifier }) else {
                if outcome == .cancelled { state.cancelled.insert(identifier) }
                return nil
            }
            return state.waiters.remove(at: index).continuation
        }
        continuation?.resume(returning: outcome)
    }
}
