internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps the number of requests under way, in all and to each origin, below a limit. Others wait, first come, first
/// served, and leave when they are cancelled.
///
/// A stream counts until its body has been read to the end or let go.
public struct ConcurrencyLimitInterceptor: Interceptor {
    private let limit: ConcurrencyLimit
    private let time: TimeSource
    private let gate: ConcurrencyGate

    /// Makes the interceptor.
    public init(_ limit: ConcurrencyLimit, time: TimeSource = .system) {
        self.limit = limit
        self.time = time
        gate = ConcurrencyGate(limit)
    }

    /// Sends the request when there is a free place.
    ///
    /// - Throws: ``NetworkError/timeout(_:)`` of the kind ``TimeoutFailure/Kind/queue``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let origin = request.url.origin
        try await enter(origin, request: request)
        let place = ConcurrencyPlace(gate: gate, origin: origin)
        do throws(NetworkError) {
            var response = try await next(request).delivered(for: request)
            guard response.body.data == nil else {
                place.release()
                return response
            }
            response.body = .stream(
                PlaceHoldingSource(body: response.body, place: place), length: response.body.length)
            return response
        } catch {
            place.release()
            throw error
        }
    }

    private func enter(_ origin: Origin, request: HTTPRequest) async throws(NetworkError) {
        if gate.tryEnter(origin) { return }
        let now = time.now()
        let untilDeadline = RequestDeadline.earliest(request.context.deadline, RequestDeadline.current)
            .map { now.duration(to: $0) }
        guard let longest = [limit.maximumWait, untilDeadline].compactMap({ $0 }).min() else {
            return try await gate.enter(origin)
        }
        let gate = gate
        // A place that is given while time runs out is returned by the limit, as a success.
        try await withTimeLimit(
            longest, time: time, failure: .timeout(TimeoutFailure(.queue, limit: longest, request: request.summary))
        ) { () async throws(NetworkError) in try await gate.enter(origin) }
    }
}

/// The queue with those who wait in it.
final class ConcurrencyGate: Sendable {
    private struct State: Sendable {
        var queue: ConcurrencyQueue
        var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var nextIdentifier: UInt64 = 0
    }

    private let state: Locked<State>

    init(_ limit: ConcurrencyLimit) {
        state = Locked(State(queue: ConcurrencyQueue(total: limit.total, perOrigin: limit.perOrigin)))
    }

    /// Enters if nobody has to wait.
    func tryEnter(_ origin: Origin) -> Bool {
        state.withLock { state in
            state.nextIdentifier += 1
            if state.queue.enter(state.nextIdentifier, origin: origin) { return true }
            _ = state.queue.leave(state.nextIdentifier)
            return false
        }
    }

    /// Waits for a place.
    func enter(_ origin: Origin) async throws(NetworkError) {
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        let entered = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let result = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.queue.enter(identifier, origin: origin) { return true }
                    state.waiters[identifier] = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                // One that was let in already keeps its place: its task finds out for itself.
                guard state.queue.leave(identifier) else { return nil }
                return state.waiters.removeValue(forKey: identifier)
            }
            waiter?.resume(returning: false)
        }
        if !entered { throw .cancelled }
    }

    /// Gives a place back, to whoever is next.
    func release(_ origin: Origin) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.queue.release(origin).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }
}

/// A place that is given back once.
private final class ConcurrencyPlace: Sendable {
    private let gate: ConcurrencyGate
    private let origin: Origin
    private let isHeld = Locked(true)

    init(gate: ConcurrencyGate, origin: Origin) {
        self.gate = gate
        self.origin = origin
    }

    func release() {
        let wasHeld = isHeld.withLock { held in
            defer { held = false }
            return held
        }
        if wasHeld { gate.release(origin) }
    }

    deinit { release() }
}

/// A body that holds a place until its end.
private actor PlaceHoldingSource: ResponseBodySource {
    private var iterator: HTTPResponseBody.AsyncIterator?
    private nonisolated let body: HTTPResponseBody
    private nonisolated let place: ConcurrencyPlace

    init(body: HTTPResponseBody, place: ConcurrencyPlace) {
        self.body = body
        self.place = place
        iterator = body.makeAsyncIterator()
    }

    func next() async throws(NetworkError) -> Data? {
        guard var current = iterator.take() else { return nil }
        do throws(NetworkError) {
            if let chunk = try await current.next(isolation: self) {
                iterator = current
                return chunk
            }
        } catch {
            place.release()
            throw error
        }
        place.release()
        return nil
    }

    nonisolated func cancel() {
        body.cancel()
        place.release()
    }

    nonisolated var trailers: HTTPHeaders { body.trailers }
}
