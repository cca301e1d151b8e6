/// What service code depends on, so that a unit test can swap the network for a mock.
///
/// ``APIClient`` is the real one. There is one thing to implement, and everything else is made from it:
///
/// ```swift
/// struct UserService {
///     let network: any NetworkServiceProtocol
///     func names() async throws(NetworkError) -> [String] {
///         try await network.send(ListUsers()).map(\.name)
///     }
/// }
/// ```
///
/// `MockNetworkService` in the module APITesting answers by request type and records calls; by hand it is three lines:
///
/// ```swift
/// struct OneUser: NetworkServiceProtocol {
///     func response<R, Q>(for resource: Resource<R, Q>) async throws(NetworkError) -> APIResponse<R> {
///         APIResponse(try resource.decode(.json(#"[{"id": 1, "name": "Ann", "email": "ann@example.com"}]"#)))
///     }
/// }
/// ```
public protocol NetworkServiceProtocol: Sendable {
    /// Sends the resource's request and reads the response.
    ///
    /// - Throws: Every failure as a ``NetworkError``; a status that is no success as ``NetworkError/api(_:)``.
    func response<Response, Request>(
        for resource: Resource<Response, Request>
    ) async throws(NetworkError) -> APIResponse<Response>

    /// Sends the request and returns when the head of the response is here; the body is read as it arrives.
    ///
    /// The default reads the whole body first, which is enough for a mock.
    func stream<Request: Requestable>(_ request: Request) async throws(NetworkError) -> HTTPResponse

    /// Where streams, downloads and pages take decoder, encoder and clock from. The default is the standard
    /// configuration, which is enough for a mock.
    var configuration: ClientConfiguration { get }
}

extension NetworkServiceProtocol {
    /// The standard configuration.
    public var configuration: ClientConfiguration { ClientConfiguration() }

    /// Reads the whole body first.
    public func stream<Request: Requestable>(_ request: Request) async throws(NetworkError) -> HTTPResponse {
        let response = try await response(for: Resource(request: request) { data, head in data })
        return HTTPResponse(head: response.head, body: .bytes(response.value), timings: response.timings)
    }

    /// Sends the resource's request and returns the decoded value.
    @discardableResult
    public func dataTask<Response, Request>(
        with resource: Resource<Response, Request>
    ) async throws(NetworkError) -> Response {
        try await response(for: resource).value
    }

    /// Sends a request that knows what comes back.
    @discardableResult
    public func send<Request: APIRequest>(_ request: Request) async throws(NetworkError) -> Request.Response {
        try await response(for: Resource(request)).value
    }

    /// Sends a request that knows what comes back, and returns the head with the value.
    public func response<Request: APIRequest>(
        for request: Request
    ) async throws(NetworkError) -> APIResponse<Request.Response> {
        try await response(for: Resource(request))
    }
}
