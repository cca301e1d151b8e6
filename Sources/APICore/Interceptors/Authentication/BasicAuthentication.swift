/// Sends a user name and password (RFC 7617) with every request to one origin.
///
/// A request that brings its own `Authorization` is left as it is.
public struct BasicAuthentication: Interceptor {
    private let header: HTTPHeader
    private let origin: Origin

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - username: The user name; may hold no colon (RFC 7617 section 2).
    ///   - password: The password.
    ///   - baseURL: The URL whose origin gets the credentials.
    public init(username: String, password: String, baseURL: RequestURL) {
        header = .authorization(username: username, password: password)
        origin = baseURL.origin
    }

    /// Sends the request with the credentials.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard request.url.origin == origin, !request.headers.contains(.authorization) else {
            return try await next(request)
        }
        var authorized = request
        authorized.headers[.authorization] = header.value
        return try await next(authorized)
    }
}
