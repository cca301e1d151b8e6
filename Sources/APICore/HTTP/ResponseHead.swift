/// What comes before a response's body: status line and header fields (RFC 9112 section 2).
public struct ResponseHead: Sendable, Hashable {
    /// The status.
    public var status: HTTPStatusCode
    /// The header fields as they came.
    public var headers: HTTPHeaders
    /// The protocol version the response came over.
    public var version: HTTPVersion
    /// The URL that answered, the last one of a chain of redirects; `nil` for answers that came from no server.
    public var url: RequestURL?

    /// Makes a head.
    public init(
        status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:], version: HTTPVersion = .http1_1,
        url: RequestURL? = nil
    ) {
        self.status = status
        self.headers = headers
        self.version = version
        self.url = url
    }
}
