public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A streamed response body that a test feeds and watches: which chunks were taken, whether the reader let go.
///
/// ```swift
/// let body = StubBodySource()
/// let stub = StubTransport { _ in HTTPResponse(head: ResponseHead(), body: .stream(body)) }
/// body.send("data: one\n\n")
/// body.finish()
/// ```
///
/// It never runs ahead: a chunk leaves it when it is asked for, which ``chunksTaken`` counts, so that a test sees
/// whether a slow reader holds the sender back.
public final class StubBodySource: ResponseBodySource {
    private struct State: Sendable {
        var chunks: [Data] = []
        var failure: NetworkError?
        var isFinished = false
        var isCancelled = false
        var taken = 0
        var reads = 0
        var trailers: HTTPHeaders = [:]
    }

    private let state: WatchedState<State>

    /// Makes a body that waits for its chunks.
    public init() {
        state = WatchedState(State())
    }

    /// Makes a body of these chunks.
    ///
    /// - Parameters:
    ///   - chunks: The chunks; empty ones are left out.
    ///   - failure: What breaks the transfer after them.
    ///   - trailers: The trailer fields.
    public init(_ chunks: some Sequence<Data>, failure: NetworkError? = nil, trailers: HTTPHeaders = [:]) {
        var initial = State()
        initial.chunks = chunks.filter { !$0.isEmpty }
        initial.failure = failure
        initial.isFinished = true
        initial.trailers = trailers
        state = WatchedState(initial)
    }

    /// How many chunks the reader has taken.
    public var chunksTaken: Int { state.read { $0.taken } }

    /// How many times the reader has asked.
    public var reads: Int { state.read { $0.reads } }

    /// Whether the reader has let go of the body, or was cancelled, before its end.
    public var isCancelled: Bool { state.read { $0.isCancelled } }

    /// The trailer fields, once everything has been taken.
    public var trailers: HTTPHeaders { state.read { $0.isFinished && $0.chunks.isEmpty ? $0.trailers : [:] } }

    /// Adds a chunk.
    public func send(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        state.update { if !$0.isFinished { $0.chunks.append(chunk) } }
    }

    /// Adds a text in UTF-8 as a chunk.
    public func send(_ text: String) {
        send(Data(text.utf8))
    }

    /// Ends the body, after the chunks that are there.
    public func finish(trailers: HTTPHeaders = [:]) {
        state.update { state in
            state.isFinished = true
            state.trailers = trailers
        }
    }

    /// Breaks the body, after the chunks that are there.
    public func fail(_ error: NetworkError) {
        state.update { state in
            state.failure = error
            state.isFinished = true
        }
    }

    /// The next chunk.
    public func next() async throws(NetworkError) -> Data? {
        state.update { $0.reads += 1 }
        let outcome = await state.wait(timeout: nil, until: { !$0.chunks.isEmpty || $0.isFinished || $0.isCancelled })
        if outcome != .fulfilled || Task.isCancelled { cancel() }
        let result = state.update { state -> Result<Data?, NetworkError> in
            if state.isCancelled { return .failure(.cancelled) }
            if !state.chunks.isEmpty {
                state.taken += 1
                return .success(state.chunks.removeFirst())
            }
            return state.failure.map { .failure($0) } ?? .success(nil)
        }
        return try result.get()
    }

    /// The reader lets go.
    public func cancel() {
        state.update { state in
            if state.isFinished, state.chunks.isEmpty { return }
            state.isCancelled = true
            state.chunks = []
        }
    }

    /// Waits until the reader has let go of the body before its end.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    public func waitForCancellation(timeout: Duration = .seconds(10)) async throws {
        try await wait(timeout, "its cancellation") { $0.isCancelled }
    }

    /// Waits until the reader has asked that often.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    public func waitForReads(_ count: Int, timeout: Duration = .seconds(10)) async throws {
        try await wait(timeout, "\(count) reads") { $0.reads >= count }
    }

    private func wait(
        _ timeout: Duration, _ what: String, until condition: @escaping @Sendable (State) -> Bool
    ) async throws {
        switch await state.wait(timeout: timeout, until: condition) {
        case .fulfilled: return
        case .cancelled: throw CancellationError()
        case .timedOut: throw WaitTimeout("StubBodySource: waited \(timeout) for \(what)")
        }
    }
}
