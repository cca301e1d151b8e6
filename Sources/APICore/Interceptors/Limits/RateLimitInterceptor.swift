internal import DiskCache

/// Keeps requests to a rate, by a ``TokenBucket``: they wait for their turn, first come, first served.
///
/// A request that would have to wait longer than it may fails at once. One that is cancelled while it waits gives its
/// turn back.
public struct RateLimitInterceptor: Interceptor {
    private let limit: RateLimit
    private let time: TimeSource
    private let buckets = Locked<[Origin?: TokenBucket]>([:])

    /// Makes the interceptor.
    public init(_ limit: RateLimit, time: TimeSource = .system) {
        self.limit = limit
        self.time = time
    }

    /// Sends the request when it is its turn.
    ///
    /// - Throws: ``NetworkError/timeout(_:)`` of the kind ``TimeoutFailure/Kind/queue`` when that would be too late.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled }
        let now = time.now()
        let key = limit.isPerOrigin ? request.url.origin : nil
        let untilDeadline = RequestDeadline.earliest(request.context.deadline, RequestDeadline.current)
            .map { now.duration(to: $0) }
        let longest = [limit.maximumWait, untilDeadline].compactMap { $0 }.min()
        let wait = buckets.withLock { buckets -> Duration? in
            var bucket = buckets[key] ?? TokenBucket(rate: limit.requestsPerSecond, burst: limit.burst)
            defer { buckets[key] = bucket }
            let delay = bucket.delay(now: now)
            if let longest, delay > longest { return nil }
            return bucket.take(now: now)
        }
        guard let wait else {
            throw .timeout(TimeoutFailure(.queue, limit: longest, request: request.summary))
        }
        if wait > .zero {
            do {
                try await time.sleep(wait)
            } catch {
                buckets.withLock { $0[key]?.giveBack() }
                throw NetworkError(error)
            }
        }
        return try await next(request)
    }
}
