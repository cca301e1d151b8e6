/// Follows redirects as RFC 9110 section 15.4 says, for every transport.
///
/// - 301 and 302 turn a POST into a GET without a body, as every client does; other methods stay. 303 turns everything
///   but HEAD into a GET. 307 and 308 keep method and body.
/// - `Location` is resolved against the URL that answered (RFC 3986 section 5.2). Only `http` and `https` are followed.
/// - When the origin (scheme, host or port) changes, the fields that hold credentials are left behind:
///   `Authorization`, `Cookie`, and everything in ``SensitiveNames/standard``, also `Host`.
/// - Past the limit of the ``RedirectPolicy`` the request fails with the whole chain in the error.
///
/// The policy of the request's options comes before the one given here. Put it around interceptors that look at each
/// hop, such as ``CookieInterceptor``.
public struct RedirectInterceptor: Interceptor {
    /// The policy for requests that name none.
    public let policy: RedirectPolicy

    /// Makes an interceptor.
    public init(policy: RedirectPolicy = .follow) {
        self.policy = policy
    }

    /// Sends a request, and the ones it is redirected to.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let policy = request.options.redirects ?? policy
        var request = request
        var chain: [String] = []
        while true {
            let response = try await next(request)
            guard let location = RedirectRules.location(of: response.head) else { return response }
            chain.append(request.url.description)
            func failure(_ kind: RedirectFailure.Kind) -> NetworkError {
                response.body.cancel()
                return .redirect(RedirectFailure(kind, chain: chain, request: request.summary))
            }
            let target: RequestURL
            do {
                target = try request.url.resolving(location)
            } catch {
                throw failure(.invalidTarget(error.reason))
            }
            guard var following = RedirectRules.following(request, status: response.status, target: target) else {
                throw failure(.bodyNotReplayable)
            }
            if let decide = policy.decide {
                guard let decided = decide(response.head, following) else { return response }
                following = decided
            }
            guard chain.count <= policy.limit else {
                chain.append(following.url.description)
                throw failure(.tooMany(limit: policy.limit))
            }
            await response.body.discard()
            request = following
        }
    }
}

extension HTTPResponseBody {
    /// Gets an unwanted body out of the way: a short one is read, which keeps the connection; any other is cut off.
    fileprivate func discard() async {
        guard data == nil else { return }
        if let length, length <= 64 << 10 {
            _ = try? await collect(upTo: length)
        } else {
            cancel()
        }
    }
}
