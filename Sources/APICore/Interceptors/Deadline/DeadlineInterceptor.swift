/// Ends a request, all of its attempts and waits included, when its deadline passes.
///
/// The deadline is the earliest of the request's own (`options.timeouts.overall`), the task's
/// (``RequestDeadline/current``), and this interceptor's limit. Calls made inside the request inherit it. Until the
/// head of the response is here it is kept by a timer; the body of a stream is the transport's to watch, by
/// `context.deadline`.
public struct DeadlineInterceptor: Interceptor {
    private let limit: Duration?
    private let time: TimeSource

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - limit: A limit for every request; `nil` leaves requests without a deadline of their own alone.
    ///   - time: The clock.
    public init(limit: Duration? = nil, time: TimeSource = .system) {
        self.limit = limit
        self.time = time
    }

    /// Sends the request with its deadline.
    ///
    /// - Throws: ``NetworkError/timeout(_:)`` of the kind ``TimeoutFailure/Kind/deadline``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let now = time.now()
        let own = RequestDeadline.earliest(request.context.deadline, limit.map { now.advanced(by: $0) })
        guard let deadline = RequestDeadline.earliest(own, RequestDeadline.current) else {
            return try await next(request)
        }
        var bounded = request
        bounded.context.deadline = deadline
        let sent = bounded
        let left = now.duration(to: deadline)
        return try await withTimeLimit(
            left, time: time,
            failure: .timeout(TimeoutFailure(.deadline, limit: max(left, .zero), request: sent.summary))
        ) { () async throws(NetworkError) -> HTTPResponse in
            try await RequestDeadline.at(deadline) { () async throws(NetworkError) -> HTTPResponse in
                try await next(sent).delivered(for: sent)
            }
        }
    }
}
