/// A request that is ready to be sent: what interceptors and transports see.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL, encoded.
    public var url: RequestURL
    /// The header fields; the transport adds `Host`, `Content-Length` and the like.
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// How it is to be sent.
    public var options: RequestOptions
    /// What the client and its interceptors know about it.
    public var context: RequestContext
    /// Whether the caller wants the body whole or as it arrives.
    public var delivery: ResponseDelivery

    /// Makes a request.
    public init(
        method: HTTPMethod = .get, url: RequestURL, headers: HTTPHeaders = [:], body: HTTPBody = .none,
        options: RequestOptions = RequestOptions(), context: RequestContext = RequestContext(),
        delivery: ResponseDelivery = .buffered
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
        self.context = context
        self.delivery = delivery
    }

    /// The request as errors show it.
    public var summary: RequestSummary {
        RequestSummary(
            operation: options.operationName ?? context.operation, method: method,
            url: url.redacted(context.sensitiveNames),
            attempt: context.attempt)
    }

    /// Whether sending it twice does no harm: marked so by the caller, carrying an idempotency key, or by its method
    /// (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool {
        options.isIdempotent ?? (options.idempotencyKey != nil || method.isIdempotent)
    }

    /// Whether it may be sent again: idempotent, and with a body that can be read again.
    public var isRetryable: Bool { isIdempotent && body.isReplayable }
}

/// How a caller wants a response's body.
public enum ResponseDelivery: Sendable, Hashable {
    /// Whole: the transport may answer once, when everything is there. The fastest way for small bodies.
    case buffered
    /// As it arrives: the transport answers when the head is there.
    case streamed
}
