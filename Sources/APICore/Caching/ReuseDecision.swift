/// What may be done with a stored response that matches a request (RFC 9111 section 4).
enum ReuseDecision: Equatable {
    /// Use it; it is fresh.
    case use
    /// Use it although it is stale: the request, or its policy, allows that.
    case useStale
    /// Use it although it is stale, and ask the server for a newer one meanwhile (RFC 5861 section 3).
    case useStaleAndRevalidate
    /// Ask the server whether it is still good.
    case validate(Reason)

    /// Why the stored response is not used as it is; the words of RFC 9211 section 2.2.
    enum Reason: String {
        /// The request or its policy wants the server to be asked.
        case request
        /// It is stale, or must not be used without validation.
        case stale
    }

    /// Decides about a response.
    ///
    /// - Parameters:
    ///   - stored: The response.
    ///   - directives: Those of the request.
    ///   - policy: The request's policy.
    ///   - now: The time in seconds since 1970.
    static func decide(
        _ stored: StoredResponse, directives request: CacheControl, policy: CachePolicy, now: Double
    ) -> ReuseDecision {
        let response = stored.directives
        let age = stored.age(at: now)
        let remaining = stored.isFromTheFuture(at: now) ? -.infinity : stored.lifetime - age
        let isFresh = remaining > 0
        // RFC 8246: asking again for something immutable is a waste as long as it is fresh.
        let isImmutable = isFresh && response.immutable && !response.noCache
        if policy == .reload || request.noCache { return .validate(.request) }
        if policy == .revalidate { return isImmutable ? .use : .validate(.request) }
        if response.noCache { return .validate(.stale) }
        let isForbiddenWhenStale = response.mustRevalidate
        if policy == .onlyIfCached {
            return isFresh ? .use : isForbiddenWhenStale ? .validate(.stale) : .useStale
        }
        if let limit = request.maxAge {
            // With 0 the caller means "ask", even if the response has come in this very moment.
            let isTooOld = limit == 0 ? !isImmutable : age > Double(limit)
            if isTooOld { return .validate(.request) }
        }
        if let least = request.minFresh, remaining < Double(least) { return .validate(.request) }
        if isFresh { return .use }
        guard !isForbiddenWhenStale else { return .validate(.stale) }
        if let most = request.maxStale, most == .max || -remaining <= Double(most) { return .useStale }
        if let window = response.staleWhileRevalidate, -remaining <= Double(window), request.maxAge == nil {
            return .useStaleAndRevalidate
        }
        return .validate(.stale)
    }

    /// Whether a stored response may stand in for one that the server failed to give.
    ///
    /// - Parameters:
    ///   - disconnectedLimit: How stale it may be, in seconds, when no response came at all (RFC 9111 section 4.2.4);
    ///     `nil` when one came, with a status that says the server failed (RFC 5861 section 4).
    static func mayStandIn(
        _ stored: StoredResponse, directives request: CacheControl, now: Double, disconnectedLimit: Double?
    ) -> Bool {
        let response = stored.directives
        guard !response.mustRevalidate, !response.noCache, !request.noCache, !stored.isFromTheFuture(at: now) else {
            return false
        }
        let staleness = max(0, stored.age(at: now) - stored.lifetime)
        let window = max(response.staleIfError ?? -1, request.staleIfError ?? -1)
        return staleness <= Double(window) || staleness <= disconnectedLimit ?? -1
    }

    /// The statuses that say that the server failed (RFC 5861 section 4).
    static func isServerFailure(_ status: HTTPStatusCode) -> Bool {
        [500, 502, 503, 504].contains(status.rawValue)
    }
}
