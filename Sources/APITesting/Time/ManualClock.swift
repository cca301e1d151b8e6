public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock whose time moves only when a test says so.
///
/// Hand its ``timeSource`` to the client. Everything that sleeps in it, such as retries, limits, deadlines and hedges,
/// then waits for the test:
///
/// ```swift
/// let clock = ManualClock()
/// let client = APIClient(environment: environment, transport: stub, time: clock.timeSource)
/// async let users = client.send(ListUsers())        // answered 503 with Retry-After: 30
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(30))
/// #expect(try await users.count == 3)
/// ```
///
/// The date and the instant move together.
public final class ManualClock: Sendable {
    private struct Sleeper: Sendable {
        let identifier: UInt64
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var now: ContinuousClock.Instant
        var elapsed = Duration.zero
        /// In the order they are to be woken.
        var sleepers: [Sleeper] = []
        var nextIdentifier: UInt64 = 0
        /// Sleeps that were cancelled before they had begun.
        var cancelled: Set<UInt64> = []
        var requested: [Duration] = []
    }

    private let state: WatchedState<State>
    private let startDate: Date

    /// Makes a clock that stands still.
    ///
    /// - Parameter date: The date it shows at first: by default 1 January 2030, 00:00 UTC.
    public init(date: Date = Date(timeIntervalSince1970: 1_893_456_000)) {
        startDate = date
        state = WatchedState(State(now: ContinuousClock.now))
    }

    /// The instant the clock shows.
    public var now: ContinuousClock.Instant { state.read { $0.now } }

    /// The date the clock shows.
    public var date: Date { startDate.addingTimeInterval(elapsed.seconds) }

    /// How far the clock has been moved in all.
    public var elapsed: Duration { state.read { $0.elapsed } }

    /// How many tasks are sleeping.
    public var sleepers: Int { state.read { $0.sleepers.count } }

    /// How long until the next sleeper wakes; `nil` when nobody sleeps.
    public var nextWakeUp: Duration? { state.read { state in state.sleepers.first.map { $0.deadline - state.now } } }

    /// Every duration that was asked for, in order: what a test of backoff looks at.
    public var requestedSleeps: [Duration] { state.read { $0.requested } }

    /// The clock as the client takes it.
    public var timeSource: TimeSource {
        TimeSource(now: { self.now }, date: { self.date }, sleep: { try await self.sleep(for: $0) })
    }

    /// Moves the time and wakes everybody whose time has come, the earliest first, those of the same instant in the
    /// order they went to sleep. A negative duration moves nothing.
    ///
    /// Tasks run when they are scheduled, so whoever wakes and sleeps again counts from the new time.
    public func advance(by duration: Duration) {
        guard duration >= .zero else { return }
        let woken = state.update { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            state.elapsed += duration
            let due = state.sleepers.prefix { $0.deadline <= state.now }
            state.sleepers.removeFirst(due.count)
            return Array(due)
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// Moves the time to the next sleeper's instant and wakes it, and others of the same instant.
    ///
    /// - Returns: How far the time moved; `nil` when nobody sleeps.
    @discardableResult
    public func advanceToNextWakeUp() -> Duration? {
        guard let duration = nextWakeUp else { return nil }
        advance(by: max(duration, .zero))
        return max(duration, .zero)
    }

    /// Waits until at least that many tasks sleep.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - timeout: The real time to wait for them.
    /// - Throws: ``WaitTimeout``, or `CancellationError`.
    public func waitForSleepers(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        switch await state.wait(timeout: timeout, until: { $0.sleepers.count >= count }) {
        case .fulfilled: return
        case .cancelled: throw CancellationError()
        case .timedOut: throw WaitTimeout("waited \(timeout) for \(count) sleepers; there are \(sleepers)")
        }
    }

    /// Runs an operation and moves the time by itself, to the next sleeper each time one is there, until it ends: hours
    /// of backoff in a moment.
    ///
    /// Before each step other tasks get a chance to run, but the order in which unrelated tasks meet the time is the
    /// scheduler's. A test about the order advances by hand.
    public func running<Result: Sendable>(
        _ operation: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        let driver = Task {
            while !Task.isCancelled {
                guard await state.wait(timeout: nil, until: { !$0.sleepers.isEmpty }) == .fulfilled else { return }
                for _ in 0..<16 { await Task.yield() }
                if !Task.isCancelled { advanceToNextWakeUp() }
            }
        }
        defer { driver.cancel() }
        return try await operation()
    }

    /// Sleeps until the clock has been moved that far.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let identifier = state.update { state in
            state.nextIdentifier += 1
            state.requested.append(duration)
            return state.nextIdentifier
        }
        guard duration > .zero else { return }
        let completed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.update { state in
                    if state.cancelled.remove(identifier) != nil { return true }
                    let sleeper = Sleeper(
                        identifier: identifier, deadline: state.now.advanced(by: duration), continuation: continuation)
                    let place = state.sleepers.firstIndex { $0.deadline > sleeper.deadline }
                    state.sleepers.insert(sleeper, at: place ?? state.sleepers.endIndex)
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            cancel(identifier)
        }
        if !completed { throw CancellationError() }
    }

    private func cancel(_ identifier: UInt64) {
        let sleeper = state.update { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.identifier == identifier }) else {
                state.cancelled.insert(identifier)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(returning: false)
    }
}

extension Duration {
    /// In seconds, as Foundation counts them.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
