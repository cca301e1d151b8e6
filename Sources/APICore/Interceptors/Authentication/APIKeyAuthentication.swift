/// Sends an API key, in a header field or a query item, with every request to one origin.
///
/// The name becomes a sensitive one: the key's value is not shown in errors and logs, and not carried along when a
/// redirect leads to another origin.
///
/// ```swift
/// APIKeyAuthentication(key, in: .header("X-API-Key"), baseURL: environment.baseURL)
/// ```
public struct APIKeyAuthentication: Interceptor {
    /// Where the key goes.
    public enum Place: Sendable, Hashable {
        /// A header field of that name.
        case header(HTTPHeaderKey)
        /// A query item of that name. URLs end up in the logs of servers and proxies: prefer a header field.
        case query(String)
    }

    private let key: String
    private let place: Place
    private let origin: Origin

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - place: Where it goes.
    ///   - baseURL: The URL whose origin gets the key.
    public init(_ key: String, in place: Place, baseURL: RequestURL) {
        self.key = key
        self.place = place
        origin = baseURL.origin
    }

    /// Sends the request with the key.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard request.url.origin == origin else { return try await next(request) }
        var authorized = request
        switch place {
        case .header(let name):
            authorized.headers[name] = key
            authorized.context.sensitiveNames = authorized.context.sensitiveNames.adding(headers: [name])
        case .query(let name):
            let item = PercentEncoding.encode(name) + "=" + PercentEncoding.encode(key)
            authorized.url = authorized.url.appending(encodedQuery: item)
            authorized.context.sensitiveNames = authorized.context.sensitiveNames.adding(fields: [name])
        }
        return try await next(authorized)
    }
}
