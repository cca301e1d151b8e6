internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPCache {
    /// Lets a request with another method than GET and HEAD through, and forgets what it makes obsolete.
    func forwardUnsafe(
        _ request: HTTPRequest, policy: CachePolicy, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let requestTime = now()
        var response = try await next(request)
        for url in Invalidation.urls(request: request, response: response.head) { await remove(url) }
        var status = CacheStatus(cache: configuration.name, forward: policy == .ignore ? .bypass : .method)
        if policy != .ignore, Invalidation.isStorableAsGet(request: request, response: response.head) {
            var get = request
            get.method = .get
            if let key = configuration.key(get) {
                var exchange = Exchange(request: get, policy: policy, next: next)
                exchange.key = CacheKey(key)
                response = await store(
                    response, to: exchange, requestTime: requestTime, variants: nil, status: &status)
            }
        }
        status.add(to: &response.head.headers)
        return response
    }

    /// Lets a request through that the cache has nothing to do with.
    func forward(
        _ exchange: Exchange, because reason: CacheStatus.Forward
    ) async throws(NetworkError) -> HTTPResponse {
        var response = try await exchange.next(exchange.request)
        CacheStatus(cache: configuration.name, forward: reason).add(to: &response.head.headers)
        return response
    }

    /// Asks the server whether a stored response is still good (RFC 9111 section 4.3).
    func validate(
        _ found: Found, _ exchange: Exchange, because reason: CacheStatus.Forward
    ) async throws(NetworkError) -> HTTPResponse {
        var conditional = exchange
        // A reload wants the whole response, a range or a HEAD cannot be answered with the validated body's fields.
        let mayBeConditional =
            exchange.policy != .reload && exchange.range == nil && exchange.request.method == .get
            && Validation.addConditions(of: found.stored, to: &conditional.request.headers)
        guard mayBeConditional else {
            return try await fetch(exchange, because: reason, replacing: found, variants: found.variants)
        }
        conditional.tellServersCaches()
        let requestTime = now()
        let response: HTTPResponse
        do {
            response = try await conditional.next(conditional.request)
        } catch {
            if let standIn = standIn(for: error, found, exchange, reason) { return standIn }
            throw error
        }
        guard response.status == .notModified else {
            return await receive(
                response, to: exchange, requestTime: requestTime, because: reason, replacing: found,
                variants: found.variants)
        }
        response.body.cancel()
        guard Validation.isAbout(found.stored, response.headers) else {
            // It is about some other response: ask for the whole one.
            return try await fetch(exchange, because: reason, replacing: nil, variants: found.variants)
        }
        let fresh = await freshen(found, with: response.headers, requestTime: requestTime)
        return self.response(
            from: fresh, to: exchange, at: now(),
            status: CacheStatus(cache: configuration.name, forward: reason, forwardStatus: 304))
    }

    /// Asks the server for a response and stores it, if that is allowed.
    ///
    /// - Parameters:
    ///   - found: A stored response that may stand in if there is no other.
    ///   - variants: What is known of the URL's variants.
    func fetch(
        _ exchange: Exchange, because reason: CacheStatus.Forward, replacing found: Found?,
        variants: StoredRecord.Variants?
    ) async throws(NetworkError) -> HTTPResponse {
        var exchange = exchange
        exchange.tellServersCaches()
        let requestTime = now()
        let response: HTTPResponse
        do {
            response = try await exchange.next(exchange.request)
        } catch {
            if let found, let standIn = standIn(for: error, found, exchange, reason) { return standIn }
            throw error
        }
        return await receive(
            response, to: exchange, requestTime: requestTime, because: reason, replacing: found, variants: variants)
    }

    private func receive(
        _ response: HTTPResponse, to exchange: Exchange, requestTime: Double, because reason: CacheStatus.Forward,
        replacing found: Found?, variants: StoredRecord.Variants?
    ) async -> HTTPResponse {
        var response = response
        var status = CacheStatus(cache: configuration.name, forward: reason)
        if let found, ReuseDecision.isServerFailure(response.status), exchange.policy != .reload,
            ReuseDecision.mayStandIn(
                found.stored, directives: exchange.directives, now: now(), disconnectedLimit: nil)
        {
            response.body.cancel()
            status.forwardStatus = response.status.rawValue
            status.detail = "stale-if-error"
            return self.response(from: found, to: exchange, at: now(), status: status)
        }
        if exchange.request.method == .head {
            if let found { await apply(response.head, to: found, requestTime: requestTime) }
        } else {
            response = await store(
                response, to: exchange, requestTime: requestTime, variants: variants, status: &status)
            if let found, !status.isStored, response.status.isSuccess, response.status != .partialContent {
                // There is something newer, if only it may not be stored.
                await storage.removeValue(for: found.key)
            }
        }
        status.add(to: &response.head.headers)
        return response
    }

    /// The stored response in place of one that could not be had.
    private func standIn(
        for error: NetworkError, _ found: Found, _ exchange: Exchange, _ reason: CacheStatus.Forward
    ) -> HTTPResponse? {
        switch error {
        case .connectivity, .timeout, .tls, .truncated, .invalidResponse: break
        default: return nil
        }
        let now = now()
        guard exchange.policy != .reload,
            ReuseDecision.mayStandIn(
                found.stored, directives: exchange.directives, now: now,
                disconnectedLimit: disconnectedLimit(for: error))
        else { return nil }
        return response(
            from: found, to: exchange, at: now,
            status: CacheStatus(cache: configuration.name, forward: reason, detail: "disconnected"))
    }

    /// A server whose certificate is refused is not out of reach; it may be somebody else.
    private func disconnectedLimit(for error: NetworkError) -> Double? {
        if case .tls = error { return nil }
        let limit = configuration.staleWhenDisconnected
        return limit > .zero ? limit / .seconds(1) : nil
    }

    /// Puts the fields of a 304 into a stored response (section 4.3.4).
    private func freshen(_ found: Found, with headers: HTTPHeaders, requestTime: Double) async -> Found {
        var found = found
        found.stored.update(with: headers, requestTime: requestTime, responseTime: now())
        let metadata = StoredRecord.response(found.stored).encoded
        await storage.replaceMetadata(for: found.key, from: found.metadata, to: metadata)
        found.metadata = metadata
        return found
    }

    /// Puts the fields of a HEAD response into a stored response, or drops that if they are about other content
    /// (section 4.3.5).
    private func apply(_ head: ResponseHead, to found: Found, requestTime: Double) async {
        guard head.status == .ok, found.stored.status == .ok else { return }
        if Validation.isUnchanged(found.stored, head: head.headers) {
            _ = await freshen(found, with: head.headers, requestTime: requestTime)
        } else {
            await storage.removeValue(for: found.key)
        }
    }
}

extension HTTPCache.Exchange {
    /// Passes the caller's wish for a newer response on to caches on the way (RFC 9111 section 5.2.1).
    mutating func tellServersCaches() {
        guard !request.headers.contains(.cacheControl) else { return }
        switch policy {
        case .reload: request.headers[.cacheControl] = "no-cache"
        case .revalidate: request.headers[.cacheControl] = "max-age=0"
        default: break
        }
    }
}
