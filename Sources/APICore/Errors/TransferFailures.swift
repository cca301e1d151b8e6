/// No connection could be made, or it was lost.
public struct ConnectivityFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable {
        /// The host's name could not be resolved.
        case nameResolution = "the host name could not be resolved"
        /// The host refused the connection.
        case connectionRefused = "the connection was refused"
        /// There is no way to the host or no network at all.
        case unreachable = "the host is unreachable"
        /// The connection ended while the request or the response was under way.
        case connectionLost = "the connection was lost"
        /// The proxy could not be reached or refused.
        case proxy = "the proxy failed"
        /// The address is not allowed by the request's address filter.
        case addressRefused = "the address is not allowed"
        /// Anything else.
        case other = "the connection failed"
    }

    /// What failed.
    public let kind: Kind
    /// The cause in the words of the transport.
    public let reason: String
    /// Whether at least one byte of a response had arrived. If not, and the request is idempotent, it may be sent
    /// again (RFC 9110 section 9.2.2).
    public let responseStarted: Bool
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ kind: Kind, reason: String, responseStarted: Bool = false, request: RequestSummary? = nil) {
        self.kind = kind
        self.reason = reason
        self.responseStarted = responseStarted
        self.request = request
    }

    /// The request, what failed, and the cause.
    public var description: String { request.prefixing("\(kind.rawValue): \(reason)") }
}

/// A time limit expired.
public struct TimeoutFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which limit.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable {
        /// Name resolution, connection and TLS handshake together.
        case connect = "connect timeout"
        /// No byte in either direction.
        case idle = "idle timeout"
        /// The whole request, redirects and retries included.
        case deadline = "deadline"
        /// One attempt of several.
        case attempt = "attempt timeout"
        /// Waiting for a place in a queue: connections, rate or concurrency limits.
        case queue = "queue timeout"
        /// Waiting for a network.
        case connectivity = "connectivity timeout"
    }

    /// Which limit expired.
    public let kind: Kind
    /// How long it was, where that is known.
    public let limit: Duration?
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ kind: Kind, limit: Duration?, request: RequestSummary? = nil) {
        self.kind = kind
        self.limit = limit
        self.request = request
    }

    /// The request and the limit that expired.
    public var description: String {
        request.prefixing(kind.rawValue + (limit.map { " of \($0.shortDescription)" } ?? "") + " expired")
    }
}

/// The secure channel could not be made.
public struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable {
        /// The server's certificate is not trusted, expired, or for another name.
        case untrustedCertificate = "the server's certificate was refused"
        /// The key of the server's certificate is not one of the pinned ones.
        case pinMismatch = "the server's key is not a pinned one"
        /// The client certificate or its key cannot be used.
        case clientCertificate = "the client certificate cannot be used"
        /// The file or bytes with certificate authorities cannot be used.
        case certificateAuthorities = "the certificate authorities cannot be used"
        /// No common protocol version or cipher, or a broken handshake.
        case handshake = "the TLS handshake failed"
    }

    /// What failed.
    public let kind: Kind
    /// The cause in the words of the TLS library.
    public let reason: String
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ kind: Kind, reason: String, request: RequestSummary? = nil) {
        self.kind = kind
        self.reason = reason
        self.request = request
    }

    /// The request, what failed, and the cause.
    public var description: String { request.prefixing("\(kind.rawValue): \(reason)") }
}

/// The response's body is larger than allowed.
public struct BodyTooLarge: Error, Sendable, Hashable, CustomStringConvertible {
    /// The limit in bytes after content decoding.
    public let limit: Int
    /// Why it was exceeded, when it was not the plain size: a suspicious compression ratio, say.
    public let reason: String?
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(limit: Int, reason: String? = nil, request: RequestSummary? = nil) {
        self.limit = limit
        self.reason = reason
        self.request = request
    }

    /// The request and the limit.
    public var description: String {
        request.prefixing("the body is larger than \(limit) bytes" + (reason.map { ": \($0)" } ?? ""))
    }
}

/// The response ended early: fewer bytes than announced, or no last chunk (RFC 9112 section 8).
public struct TruncatedBody: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many bytes of the body had come.
    public let received: Int
    /// How many were announced, if they were.
    public let expected: Int?
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(received: Int, expected: Int?, request: RequestSummary? = nil) {
        self.received = received
        self.expected = expected
        self.request = request
    }

    /// The request and the numbers.
    public var description: String {
        request.prefixing("the body ended after \(received) bytes" + (expected.map { " of \($0)" } ?? ""))
    }
}

/// What came is not HTTP, or breaks its rules in a way that makes it unsafe to go on.
public struct InvalidResponse: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    public let reason: String
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ reason: String, request: RequestSummary? = nil) {
        self.reason = reason
        self.request = request
    }

    /// The request and what was wrong.
    public var description: String { request.prefixing("invalid response: \(reason)") }
}

/// A chain of redirects could not be followed.
public struct RedirectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// More redirects than the limit allows.
        case tooMany(limit: Int)
        /// The target is not an `http` or `https` URL.
        case invalidTarget(InvalidRequest.Reason)
        /// The policy refused the target.
        case refused
        /// The body can only be read once and was read already.
        case bodyNotReplayable
    }

    /// What was wrong.
    public let kind: Kind
    /// The URLs that were visited, in order, secrets replaced.
    public let chain: [String]
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ kind: Kind, chain: [String], request: RequestSummary? = nil) {
        self.kind = kind
        self.chain = chain
        self.request = request
    }

    /// The request, what was wrong, and the chain.
    public var description: String {
        let what =
            switch kind {
            case .tooMany(let limit): "more than \(limit) redirects"
            case .invalidTarget(let reason): "a redirect led nowhere: \(reason)"
            case .refused: "a redirect was refused by the policy"
            case .bodyNotReplayable: "a redirect needs the body again, which can only be read once"
            }
        return request.prefixing(what + ": " + chain.joined(separator: " -> "))
    }
}

/// The body or the parameters of a request could not be encoded.
public struct EncodingFailure: Error, Sendable, CustomStringConvertible {
    /// The type that could not be encoded.
    public let type: String
    /// The encoder's error.
    public let underlying: any Error
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(type: String, underlying: any Error, request: RequestSummary? = nil) {
        self.type = type
        self.underlying = underlying
        self.request = request
    }

    /// The request, the type, and the encoder's words.
    public var description: String { request.prefixing("\(type) could not be encoded: \(underlying)") }
}

extension Optional where Wrapped == RequestSummary {
    /// The text behind the request it is about.
    func prefixing(_ text: String) -> String {
        map { "\($0): \(text)" } ?? text
    }
}

extension Duration {
    /// `250 ms`, `1.5 s`, `90 s`.
    var shortDescription: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        if seconds == 0 { return "\(milliseconds) ms" }
        if milliseconds == 0 { return "\(seconds) s" }
        var fraction = "\(milliseconds + 1000)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(seconds).\(fraction) s"
    }
}
