/// A request was not sent, because its server has been failing and is given a pause.
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
    /// The server.
    public let origin: Origin
    /// How long until a request may pass again, as far as that is known.
    public let retryAfter: Duration
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(origin: Origin, retryAfter: Duration, request: RequestSummary? = nil) {
        self.origin = origin
        self.retryAfter = retryAfter
        self.request = request
    }

    /// The request, the server, and the pause.
    public var description: String {
        request.prefixing(
            "not sent: \(origin) has been failing"
                + (retryAfter > .zero ? "; the next attempt is in \(retryAfter.shortDescription)" : ""))
    }
}
