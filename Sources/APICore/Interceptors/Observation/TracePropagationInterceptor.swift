/// Sends `traceparent` and `tracestate` with every request, so that traces go on across services (W3C Trace Context).
///
/// The trace is the task's (``TraceContext/current``); without one a new trace begins. Each request is a span of its
/// own, which calls made inside it, such as a token refresh, continue. A `traceparent` that the caller set is left as
/// it is.
public struct TracePropagationInterceptor: Interceptor {
    private let random: RandomSource
    private let startsTraces: Bool

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - startsTraces: Whether a request outside any trace begins one.
    ///   - random: Where identifiers come from.
    public init(startsTraces: Bool = true, random: RandomSource = .system) {
        self.startsTraces = startsTraces
        self.random = random
    }

    /// Sends the request with its place in the trace.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard !request.headers.contains(.traceparent) else { return try await next(request) }
        let parent = TraceContext.current
        guard startsTraces || parent != nil else { return try await next(request) }
        let span = parent?.child(random: random) ?? TraceContext.generate(random: random)
        var traced = request
        traced.headers[.traceparent] = span.traceparent
        traced.headers["tracestate"] = span.state
        let sent = traced
        return try await TraceContext.$current.withValue(span) {
            await Result.catching { () async throws(NetworkError) in try await next(sent) }
        }.get()
    }
}
