/// Sends a request on its way: the rest of the chain, down to the transport.
public typealias HTTPHandler = @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse

/// A link in the chain between a client and its transport. The client's own features are such links too.
///
/// It may change the request, answer it without the network, look at the response, or call `next` again:
///
/// ```swift
/// struct Stopwatch: Interceptor {
///     func intercept(_ request: HTTPRequest, next: @escaping HTTPHandler) async throws(NetworkError) -> HTTPResponse {
///         let start = ContinuousClock.now
///         let response = try await next(request)
///         print(request.summary, response.status, ContinuousClock.now - start)
///         return response
///     }
/// }
/// let client = APIClient(environment: environment, interceptors: [Stopwatch()])
/// ```
///
/// The first interceptor of the list is the outermost: it sees the request first and the response last. The chain is
/// built once, when the client is made.
public protocol Interceptor: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request as the links before have left it.
    ///   - next: The rest of the chain; may be called any number of times.
    func intercept(_ request: HTTPRequest, next: @escaping HTTPHandler) async throws(NetworkError) -> HTTPResponse
}

/// Folds a list of interceptors and a transport into one handler. Done once, when a client is made.
func makeChain(_ interceptors: [any Interceptor], transport: any HTTPTransport) -> HTTPHandler {
    var handler: HTTPHandler = { (request) async throws(NetworkError) in try await transport.send(request) }
    for interceptor in interceptors.reversed() {
        let next = handler
        handler = { (request) async throws(NetworkError) in try await interceptor.intercept(request, next: next) }
    }
    return handler
}
