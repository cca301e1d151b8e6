/// Holds tasks back until a test opens it: for answers that must not come before something else has happened.
///
/// ```swift
/// let gate = Gate()
/// server.on(.get, "/slow") { _ in
///     try await gate.wait()
///     return .text("at last")
/// }
/// async let answer = client.send(Slow())
/// try await server.waitForRequests(1)
/// gate.open()
/// ```
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }

    private let state = WatchedState(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether the gate is open.
    public var isOpen: Bool { state.read { $0.isOpen } }

    /// How many tasks have come to the gate so far.
    public var arrivals: Int { state.read { $0.arrivals } }

    /// Lets everybody through, now and later.
    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Holds whoever comes from now on.
    public func close() {
        state.update { $0.isOpen = false }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func wait() async throws {
        state.update { $0.arrivals += 1 }
        if await state.wait(timeout: nil, until: { $0.isOpen }) != .fulfilled { throw CancellationError() }
    }

    /// Waits until that many tasks have come to the gate.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    public func waitForArrivals(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        switch await state.wait(timeout: timeout, until: { $0.arrivals >= count }) {
        case .fulfilled: return
        case .cancelled: throw CancellationError()
        case .timedOut: throw WaitTimeout("waited \(timeout) for \(count) arrivals at the gate; there were \(arrivals)")
        }
    }
}
