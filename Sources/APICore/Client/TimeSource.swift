#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where the client takes time and sleep from, so that tests can give it another clock.
public struct TimeSource: Sendable {
    /// The time that only goes forward: for deadlines and durations.
    public var now: @Sendable () -> ContinuousClock.Instant
    /// The date, for header fields.
    public var date: @Sendable () -> Date
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (_ duration: Duration) async throws -> Void

    /// Makes a source.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant, date: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (_ duration: Duration) async throws -> Void
    ) {
        self.now = now
        self.date = date
        self.sleep = sleep
    }

    /// The system's clocks.
    public static let system = TimeSource(
        now: { ContinuousClock.now }, date: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
