public import APICore

extension StubResponse {
    /// The same, with nothing sent before that time has passed.
    public func delayed(by duration: Duration) -> StubResponse {
        with { $0.delay = duration }
    }

    /// The same, with that time between the head and the body.
    public func bodyDelayed(by duration: Duration) -> StubResponse {
        with { $0.bodyDelay = duration }
    }

    /// The same, in pieces of at most so many bytes, and with that time after each.
    ///
    /// - Parameter fromHead: Whether the head drips too; else only what is behind it.
    public func dripping(_ bytes: Int, every interval: Duration, fromHead: Bool = false) -> StubResponse {
        with { $0.drip = (max(bytes, 1), interval, fromHead) }
    }

    /// The same up to a place, where the connection is closed in order.
    public func closing(at position: Position) -> StubResponse {
        with { $0.fault = (.close, position) }
    }

    /// The same up to a place, where the connection is reset.
    public func resetting(at position: Position) -> StubResponse {
        with { $0.fault = (.reset, position) }
    }

    /// The same up to a place, after which nothing comes any more and the connection stays open.
    public func stalling(at position: Position) -> StubResponse {
        with { $0.fault = (.stall, position) }
    }

    /// The same with a `Content-Length` of that value, whatever the body's length is. After a body that is shorter
    /// than announced the connection is closed.
    public func announcing(contentLength: Int) -> StubResponse {
        with { $0.framing = .contentLength(contentLength) }
    }

    /// The same, with the end of the body told in that way.
    public func framed(_ framing: Framing) -> StubResponse {
        with { $0.framing = framing }
    }

    /// The same, with the connection closed behind it, which `Connection: close` announces.
    public func closingConnection() -> StubResponse {
        with { $0.closesConnection = true }
    }

    /// The same, with an interim response before it (RFC 9110 section 15.2).
    public func preceded(by status: HTTPStatusCode, headers: HTTPHeaders = [:]) -> StubResponse {
        with { $0.interim.append(ResponseHead(status: status, headers: headers)) }
    }

    /// The same with another header field.
    public func header(_ name: HTTPHeaderKey, _ value: String) -> StubResponse {
        with { $0.headers.append(value, for: name) }
    }

    private func with(_ change: (inout StubResponse) -> Void) -> StubResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
