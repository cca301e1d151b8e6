/// Ends a single attempt that takes too long, so that a retry has time left.
///
/// Belongs inside a ``RetryInterceptor``. For a buffered request the attempt lasts until the whole body is here, for
/// a stream until its head is.
public struct AttemptTimeoutInterceptor: Interceptor {
    private let limit: Duration
    private let time: TimeSource

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - limit: How long an attempt may take; more than zero.
    ///   - time: The clock.
    public init(limit: Duration, time: TimeSource = .system) {
        self.limit = limit
        self.time = time
    }

    /// Sends the request within the limit.
    ///
    /// - Throws: ``NetworkError/timeout(_:)`` of the kind ``TimeoutFailure/Kind/attempt``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        try await withTimeLimit(
            limit, time: time, failure: .timeout(TimeoutFailure(.attempt, limit: limit, request: request.summary))
        ) { () async throws(NetworkError) -> HTTPResponse in
            try await next(request).delivered(for: request)
        }
    }
}
