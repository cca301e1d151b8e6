/// Moves one request to a server and its response back: connections, TLS, framing, content decoding. Nothing of HTTP's
/// meaning: redirects, cookies, credentials, retries and caching are the client's.
///
/// A transport
/// - returns as soon as the head of the final response is there, for a request that wants its body
///   ``ResponseDelivery/streamed``; for a ``ResponseDelivery/buffered`` one it may wait for the whole body and return
///   it in memory;
/// - keeps a bounded buffer, and lets a slow reader slow the server down;
/// - ends the transfer, and frees what it holds, as soon as the task is cancelled or the body is let go;
/// - honours `options.timeouts`, `options.maximumBodySize` and `context.deadline`;
/// - throws only what is in ``NetworkError``, exactly once, and never returns part of a body as a whole.
///
/// A transport for tests is a few lines:
///
/// ```swift
/// struct Echo: HTTPTransport {
///     func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
///         HTTPResponse(status: .ok, headers: ["X-Method": request.method.rawValue])
///     }
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request.
    ///
    /// - Returns: The final response (never 1xx).
    /// - Throws: What kept the response from coming.
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Ends what is going on and frees connections and threads. Requests after it fail.
    func shutdown() async
}

extension HTTPTransport {
    /// Nothing to free.
    public func shutdown() async {}
}
