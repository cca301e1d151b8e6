/// An endpoint put together at the call, for code that has no type for each request.
///
/// ```swift
/// let users: [User] = try await service.request(Endpoint(path: "users", parameters: ["page": 2]))
/// ```
public struct Endpoint: Requestable {
    /// Where, below the base URL.
    public var path: RequestPath
    /// The method.
    public var method: HTTPMethod
    /// What goes behind the question mark, or into the body if they say so.
    public var parameters: QueryParameters
    /// Header fields, laid over the environment's.
    public var headers: HTTPHeaders
    /// What is sent.
    public var body: HTTPBody
    /// How it is sent.
    public var options: RequestOptions

    /// Makes an endpoint. A question mark in a path of type `String` is refused when the request is built.
    public init(
        path: some RequestPathConvertible, method: HTTPMethod = .get, parameters: QueryParameters? = nil,
        headers: (any HTTPHeadersConvertible)? = nil, body: HTTPBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.path = path.requestPath
        self.method = method
        self.parameters = parameters ?? QueryParameters()
        self.headers = headers?.httpHeaders ?? HTTPHeaders()
        self.body = body
        self.options = options
    }

    /// Makes an endpoint; the path's values are encoded as segments.
    public init(
        path: RequestPath, method: HTTPMethod = .get, parameters: QueryParameters? = nil, headers: HTTPHeaders? = nil,
        body: HTTPBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.path = path
        self.method = method
        self.parameters = parameters ?? QueryParameters()
        self.headers = headers ?? HTTPHeaders()
        self.body = body
        self.options = options
    }
}

extension NetworkServiceProtocol {
    /// Sends an endpoint and decodes what comes back.
    public func request<Response: Decodable & Sendable>(
        _ endpoint: Endpoint
    ) async throws(NetworkError) -> Response {
        try await response(for: Resource<Response, Endpoint>(request: endpoint)).value
    }

    /// Sends an endpoint and ignores what comes back.
    public func request(_ endpoint: Endpoint) async throws(NetworkError) {
        _ = try await response(for: Resource<Void, Endpoint>(request: endpoint))
    }
}
