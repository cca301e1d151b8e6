internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends bearer tokens (RFC 6750), and replaces them when they expire or are refused.
///
/// However many requests are answered 401 at the same time, one new token is fetched, and each request is sent once
/// more with it. A request whose token has been replaced meanwhile is just sent again. A token is replaced ahead of its
/// end; if that fails, it is used for as long as it lasts. When a fetch fails, everyone who waits gets its error, and
/// the next request tries again. A caller that is cancelled does not cancel the fetch. A second 401 is the answer.
///
/// ```swift
/// let client = APIClient(
///     environment: environment,
///     interceptors: [RetryInterceptor(), BearerAuthentication(provider: tokens, baseURL: environment.baseURL)])
/// ```
///
/// Only requests to the origin it is made for get a token, and none that bring their own `Authorization`.
public struct BearerAuthentication: Interceptor {
    private struct Shared: Sendable {
        var state: TokenState
        var fetch: SharedTask<AccessToken>?
        var hasAskedForStored = false
    }

    /// The interceptors whose token is being fetched by the current task, by their identity.
    @TaskLocal private static var fetching: Set<ObjectIdentifier> = []

    private let provider: any TokenProvider
    private let origin: Origin
    private let time: TimeSource
    private let shared: Locked<Shared>

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - provider: Where tokens come from.
    ///   - baseURL: The URL whose origin gets the tokens.
    ///   - leeway: How long before its end a token is replaced.
    ///   - time: The clock.
    public init(
        provider: any TokenProvider, baseURL: RequestURL, leeway: Duration = .seconds(30), time: TimeSource = .system
    ) {
        self.provider = provider
        self.origin = baseURL.origin
        self.time = time
        shared = Locked(Shared(state: TokenState(leeway: leeway)))
    }

    /// Sends the request with a token.
    ///
    /// - Throws: What the token provider throws, as a ``NetworkError``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard request.url.origin == origin, !request.headers.contains(.authorization),
            !BearerAuthentication.fetching.contains(ObjectIdentifier(shared))
        else { return try await next(request) }
        let token = try await token { [time] state in state.beforeSending(date: time.date()) }
        let response = try await next(request.authorized(with: token))
        guard response.status == .unauthorized else { return response }
        guard request.body.isReplayable else {
            shared.withLock { $0.state.refused(token) }
            return response
        }
        let replacement: AccessToken
        do throws(NetworkError) {
            replacement = try await self.token { [time] state in state.unauthorized(with: token, date: time.date()) }
        } catch {
            response.body.cancel()
            throw error
        }
        response.body.cancel()
        let second = try await next(request.authorized(with: replacement))
        if second.status == .unauthorized { shared.withLock { $0.state.refused(replacement) } }
        return second
    }

    /// What a request waits for.
    private enum Step: Sendable {
        case use(AccessToken)
        case wait(SharedTask<AccessToken>, place: UInt64)
        case fetch(SharedTask<AccessToken>, place: UInt64, replacing: AccessToken?, asksForStored: Bool)
    }

    /// The token a decision leads to.
    private func token(
        _ decide: @Sendable (inout TokenState) -> TokenState.Action
    ) async throws(NetworkError) -> AccessToken {
        let step = shared.withLock { shared -> Step in
            switch decide(&shared.state) {
            case .use(let token): return .use(token)
            case .wait:
                if let fetch = shared.fetch, let place = fetch.join() { return .wait(fetch, place: place) }
                return BearerAuthentication.newFetch(&shared, replacing: shared.state.token)
            case .fetch(let old):
                return BearerAuthentication.newFetch(&shared, replacing: old)
            }
        }
        let (fetch, place): (SharedTask<AccessToken>, UInt64)
        switch step {
        case .use(let token): return token
        case .wait(let running, let free): (fetch, place) = (running, free)
        case .fetch(let new, let free, let old, let asksForStored):
            (fetch, place) = (new, free)
            start(new, replacing: old, asksForStored: asksForStored)
        }
        do throws(NetworkError) {
            return try await fetch.value(place: place)
        } catch {
            // A token that was to be replaced early is good until its end.
            if !error.isCancellation, let token = shared.withLock({ $0.state.usable(date: time.date()) }) {
                return token
            }
            throw error
        }
    }

    private static func newFetch(_ shared: inout Shared, replacing old: AccessToken?) -> Step {
        let fetch = SharedTask<AccessToken>(cancelsWhenAbandoned: false)
        let asksForStored = !shared.hasAskedForStored
        shared.hasAskedForStored = true
        shared.fetch = fetch
        // A new task has not ended: there is always a place.
        return .fetch(fetch, place: fetch.join() ?? 0, replacing: old, asksForStored: asksForStored)
    }

    private func start(_ fetch: SharedTask<AccessToken>, replacing old: AccessToken?, asksForStored: Bool) {
        let fetching = BearerAuthentication.fetching.union([ObjectIdentifier(shared)])
        // The fetch outlives the caller that began it, so that caller's deadline is not its own.
        BearerAuthentication.$fetching.withValue(fetching) {
            RequestDeadline.$current.withValue(nil) {
                fetch.start { () async throws(NetworkError) -> AccessToken in
                    do {
                        let token = try await fetchToken(replacing: old, asksForStored: asksForStored)
                        shared.withLock { $0.state.fetched(token) }
                        return token
                    } catch {
                        shared.withLock { $0.state.fetched(nil) }
                        throw NetworkError(error)
                    }
                }
            }
        }
    }

    private func fetchToken(replacing old: AccessToken?, asksForStored: Bool) async throws -> AccessToken {
        if asksForStored, let stored = try await provider.storedToken(),
            stored.expiresAt.map({ $0 > time.date() }) ?? true
        {
            return stored
        }
        return try await provider.refreshedToken(replacing: old)
    }
}

extension HTTPRequest {
    fileprivate func authorized(with token: AccessToken) -> HTTPRequest {
        var request = self
        request.headers[.authorization] = "Bearer \(token.value)"
        return request
    }
}
