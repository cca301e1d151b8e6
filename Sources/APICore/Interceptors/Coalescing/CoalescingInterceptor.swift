internal import DiskCache

/// Sends identical requests that are under way at the same time once, and gives everyone the answer.
///
/// Identical means: method, URL, header fields and the options that change the answer. Only GET and HEAD requests
/// without a body, whose response is wanted whole, are shared; others pass. A caller that is cancelled leaves alone;
/// when the last one leaves, the exchange is cancelled, and a caller that arrives after that starts afresh. Failures
/// are shared too.
///
/// Belongs outside of what adds credentials only if those are the same for all callers. A caller with a deadline joins
/// an exchange only if that has at least as much time, and still leaves at its own.
public struct CoalescingInterceptor: Interceptor {
    private struct Key: Hashable {
        let method: HTTPMethod
        let url: RequestURL
        let headers: HTTPHeaders
        let maximumBodySize: Int?
        let cachePolicy: CachePolicy?
        let redirectLimit: Int?
    }

    private struct Flight: Sendable {
        let task: SharedTask<HTTPResponse>
        let deadline: ContinuousClock.Instant?
        let number: UInt64
    }

    private struct State: Sendable {
        var flights: [Key: Flight] = [:]
        var nextNumber: UInt64 = 0
    }

    private let time: TimeSource
    private let state = Locked(State())

    /// Makes the interceptor.
    public init(time: TimeSource = .system) {
        self.time = time
    }

    /// How many exchanges are under way that others could join.
    var inFlight: Int { state.withLock { $0.flights.count } }

    /// Joins an identical exchange, or starts one.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard let key = CoalescingInterceptor.key(of: request) else { return try await next(request) }
        if Task.isCancelled { throw .cancelled }
        let deadline = request.context.deadline
        let (flight, place, isNew) = state.withLock { state -> (Flight, UInt64, Bool) in
            if let flight = state.flights[key], CoalescingInterceptor.reaches(flight.deadline, deadline),
                let place = flight.task.join()
            {
                return (flight, place, false)
            }
            state.nextNumber += 1
            let flight = Flight(
                task: SharedTask(cancelsWhenAbandoned: true), deadline: deadline, number: state.nextNumber)
            state.flights[key] = flight
            // A new task has not ended: there is always a place.
            return (flight, flight.task.join() ?? 0, true)
        }
        if isNew {
            flight.task.start { () async throws(NetworkError) -> HTTPResponse in
                defer { remove(flight, key: key) }
                return try await next(request).delivered(for: request)
            }
        }
        guard let deadline, flight.deadline != deadline else { return try await flight.task.value(place: place) }
        let left = time.now().duration(to: deadline)
        return try await withTimeLimit(
            max(left, .nanoseconds(1)), time: time,
            failure: .timeout(TimeoutFailure(.deadline, limit: left, request: request.summary))
        ) { () async throws(NetworkError) -> HTTPResponse in
            try await flight.task.value(place: place)
        }
    }

    private func remove(_ flight: Flight, key: Key) {
        state.withLock { state in
            // A newer exchange may have taken its place.
            if state.flights[key]?.number == flight.number { state.flights[key] = nil }
        }
    }

    /// Whether an exchange lasts at least as long as a caller would wait.
    private static func reaches(_ flight: ContinuousClock.Instant?, _ caller: ContinuousClock.Instant?) -> Bool {
        guard let flight else { return true }
        guard let caller else { return false }
        return flight >= caller
    }

    private static func key(of request: HTTPRequest) -> Key? {
        // Closures cannot be compared, so requests that bring their own are not shared.
        guard request.method == .get || request.method == .head, request.body.isNone, request.delivery == .buffered,
            request.options.addressFilter == nil, request.options.redirects?.decide == nil
        else { return nil }
        return Key(
            method: request.method, url: request.url, headers: request.headers,
            maximumBodySize: request.options.maximumBodySize, cachePolicy: request.options.cachePolicy,
            redirectLimit: request.options.redirects?.limit)
    }
}
