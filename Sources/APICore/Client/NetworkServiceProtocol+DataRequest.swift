#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type that is a URL or can be read as one: `String`, `URL` and ``RequestURL``.
public protocol RequestURLConvertible: Sendable {
    /// The value as a URL.
    ///
    /// - Throws: ``InvalidRequest`` that says what is wrong with it.
    func requestURL() throws(InvalidRequest) -> RequestURL
}

extension String: RequestURLConvertible {
    /// The text read as a URL.
    public func requestURL() throws(InvalidRequest) -> RequestURL { try RequestURL(self) }
}
extension URL: RequestURLConvertible {
    /// The URL as it is written.
    public func requestURL() throws(InvalidRequest) -> RequestURL { try RequestURL(self) }
}
extension RequestURL: RequestURLConvertible {
    /// Itself.
    public func requestURL() throws(InvalidRequest) -> RequestURL { self }
}

extension NetworkServiceProtocol {
    /// Requests an absolute URL and returns the body.
    ///
    /// The client's environment does not matter here, but for its header fields when the origin is the same.
    ///
    /// ```swift
    /// let bytes: Data = try await client.dataRequest(url: "https://example.com/report", parameters: ["year": 2026])
    /// ```
    @discardableResult
    public func dataRequest(
        url: some RequestURLConvertible, method: HTTPMethod = .get, headers: [HTTPHeader] = [],
        parameters: QueryParameters? = nil, body: HTTPBody = .none
    ) async throws(NetworkError) -> Data {
        let endpoint = try Endpoint(url: url, method: method, headers: headers, parameters: parameters, body: body)
        return try await request(endpoint)
    }

    /// Requests an absolute URL and decodes the body.
    ///
    /// ```swift
    /// let login: LoginResponse = try await client.dataRequest(
    ///     url: url, method: .post, parameters: QueryParameters(["userName": name, "password": word], in: .body(.form)))
    /// ```
    @_disfavoredOverload  // So that `Data` is the bytes' own overload, which needs no type to be inferred.
    @discardableResult
    public func dataRequest<Response: Decodable & Sendable>(
        url: some RequestURLConvertible, method: HTTPMethod = .get, headers: [HTTPHeader] = [],
        parameters: QueryParameters? = nil, body: HTTPBody = .none
    ) async throws(NetworkError) -> Response {
        try await request(
            Endpoint(url: url, method: method, headers: headers, parameters: parameters, body: body))
    }

    /// Requests a path below the base URL and decodes the body.
    @discardableResult
    public func dataRequest<Response: Decodable & Sendable>(
        path: some RequestPathConvertible, method: HTTPMethod = .get, headers: [HTTPHeader] = [],
        parameters: QueryParameters? = nil, body: HTTPBody = .none
    ) async throws(NetworkError) -> Response {
        try await request(
            Endpoint(
                path: path.requestPath, method: method, parameters: parameters, headers: HTTPHeaders(headers),
                body: body))
    }
}

extension Endpoint {
    /// An endpoint at an absolute URL, whatever the client's base URL is.
    ///
    /// - Throws: ``NetworkError/invalidRequest(_:)`` when it is not an absolute `http` or `https` URL.
    public init(
        url: some RequestURLConvertible, method: HTTPMethod = .get, headers: [HTTPHeader] = [],
        parameters: QueryParameters? = nil, body: HTTPBody = .none
    ) throws(NetworkError) {
        let base: RequestURL
        do {
            base = try url.requestURL()
        } catch {
            throw .invalidRequest(error)
        }
        self.init(
            path: RequestPath(""), method: method, parameters: parameters, headers: HTTPHeaders(headers), body: body,
            options: RequestOptions(baseURL: base))
    }
}
