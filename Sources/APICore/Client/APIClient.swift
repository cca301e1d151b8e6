/// Sends requests to one API and decodes what comes back.
///
/// A client is made once and shared: it is safe to use from any number of tasks.
///
/// ```swift
/// let environment = try APIEnvironment.load("Sandbox")
/// let client = APIClient(environment: environment)          // from APILayer: picks the platform's transport
/// let users = try await client.dataTask(with: Resource<[User], FetchUserListRequest>(request: .init()))
/// let same = try await client.send(ListUsers())
/// ```
///
/// A request passes, in this order: the check of its status, the `interceptors` given here (the first is the
/// outermost), redirects, and the transport. Interceptors that must see each hop of a chain of redirects, such as
/// ``CookieInterceptor`` and ``HTTPCache``, stand behind a ``RedirectInterceptor`` of the list's own, which takes the
/// place of the client's. Decoding and the caller's closures run on the caller's task, never on
/// the transport's thread.
public final class APIClient: NetworkServiceProtocol {
    /// Where the API is.
    public let environment: APIEnvironment
    /// How requests are treated.
    public let configuration: ClientConfiguration
    /// What moves the bytes.
    public let transport: any HTTPTransport

    private let builder: RequestBuilder
    private let handler: HTTPHandler

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - environment: Where the API is.
    ///   - transport: What moves the bytes. The module APILayer has an initializer that picks one.
    ///   - interceptors: Links of the chain, the outermost first.
    ///   - configuration: How requests are treated.
    public init(
        environment: APIEnvironment, transport: any HTTPTransport, interceptors: [any Interceptor] = [],
        configuration: ClientConfiguration = ClientConfiguration()
    ) {
        self.environment = environment
        self.configuration = configuration
        self.transport = transport
        builder = RequestBuilder(environment: environment, configuration: configuration)
        var links: [any Interceptor] = [StatusValidationInterceptor()] + interceptors
        // In front of the redirects: a hop is no attempt.
        links.append(AttemptReporter(time: configuration.time))
        if !interceptors.contains(where: { $0 is RedirectInterceptor }) { links.append(RedirectInterceptor()) }
        handler = makeChain(links, transport: transport)
    }

    /// Sends the resource's request and reads the response.
    ///
    /// - Throws: Every failure as a ``NetworkError``; a status that is no success as ``NetworkError/api(_:)``.
    public func response<Response, Request>(
        for resource: Resource<Response, Request>
    ) async throws(NetworkError) -> APIResponse<Response> {
        let request = try builder.build(resource.request, delivery: .buffered)
        do {
            let response = try await handler(request).collected(upTo: request.options.maximumBodySize ?? .max)
            let decoder = request.options.decoder ?? configuration.decoder
            let value = try resource.decode(response, decoder: decoder)
            return APIResponse(value, head: response.head, timings: response.timings)
        } catch {
            throw error.with(request: request.summary)
        }
    }

    /// Sends the request and returns when the head of the response is here; the body is read as it arrives.
    ///
    /// The size of the body is not limited unless the request's options say so.
    public func stream<Request: Requestable>(_ request: Request) async throws(NetworkError) -> HTTPResponse {
        var httpRequest = try builder.build(request, delivery: .streamed)
        httpRequest.options.maximumBodySize = request._requestOptions().maximumBodySize
        do {
            return try await handler(httpRequest)
        } catch {
            throw error.with(request: httpRequest.summary)
        }
    }

    /// Sends a request that is built already, through the same chain.
    public func execute(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        do throws(NetworkError) {
            try RequestBuilder.check(request.headers, body: request.body)
            guard request.method.isValid else {
                throw .invalidRequest(InvalidRequest(.invalidMethod(request.method.rawValue)))
            }
            return try await handler(request)
        } catch {
            throw error.with(request: request.summary)
        }
    }

    /// The request as it would be sent, before the interceptors see it.
    public func httpRequest<Request: Requestable>(for request: Request) throws(NetworkError) -> HTTPRequest {
        try builder.build(request, delivery: .buffered)
    }
}
