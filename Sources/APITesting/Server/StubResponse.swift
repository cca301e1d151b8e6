public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An answer of a ``StubServer``: what is sent, how it is framed, how slowly, and where it breaks.
///
/// ```swift
/// .json(#"[{"id": 1}]"#)
/// .status(.serviceUnavailable, headers: [.retryAfter: "2"])
/// .text("hello").delayed(by: .milliseconds(50))
/// .data(bytes).dripping(1024, every: .milliseconds(10)).closing(at: .bodyByte(5000))
/// .chunks(["one", "two"], trailers: ["X-Checksum": "42"])
/// .raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")
/// ```
///
/// Only what is said here is sent: besides the framing (`Content-Length` or `Transfer-Encoding`) and `Connection: close`
/// where the connection will be closed, no header field is added, not even `Date`.
public struct StubResponse: Sendable {
    /// Where the bytes of the body come from.
    public enum Body: Sendable {
        /// No body; where one is allowed, `Content-Length: 0` says so.
        case none
        /// These bytes.
        case bytes(Data)
        /// Bytes that are made while they are sent: the closure is asked for a range of offsets, at most 64 KB at a
        /// time, on the server's thread. What it returns too short is filled with zeros, too long is cut.
        case generated(length: Int, @Sendable (Range<Int>) -> Data)
        /// Exactly these chunks in chunked coding (RFC 9112 section 7.1).
        case chunks([Data])
        /// Whatever the closure writes, when it writes it. Cancelled when the connection ends.
        case stream(@Sendable (StubBodyWriter) async throws -> Void)
        /// Exactly these bytes in place of the whole response, status line included.
        case raw(Data)
    }

    /// How the end of the body is told (RFC 9112 section 6.3).
    public enum Framing: Sendable, Hashable {
        /// `Content-Length` where the length is known, else chunks.
        case automatic
        /// A `Content-Length` of that value, right or wrong.
        case contentLength(Int)
        /// Chunked coding.
        case chunked
        /// The end of the connection.
        case untilClose
    }

    /// A place in the response, counted in bytes as they go over the wire.
    public enum Position: Sendable, Hashable {
        /// So many bytes of the final response, from the first of its status line.
        case byte(Int)
        /// So many bytes behind the head, chunk framing counted in.
        case bodyByte(Int)
    }

    /// How an exchange breaks.
    public enum Fault: Sendable, Hashable {
        /// The connection is closed in order (FIN).
        case close
        /// The connection is reset (RST).
        case reset
        /// Nothing more comes, and the connection stays open.
        case stall
    }

    /// The status.
    public var status: HTTPStatusCode
    /// The reason phrase, when it is not the registered one.
    public var reason: String?
    /// The header fields, sent in their order. `Content-Length` and `Transfer-Encoding` among them are sent as they
    /// are, and then none is added.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body
    /// How the end of the body is told.
    public var framing = Framing.automatic
    /// The trailer fields behind a chunked body.
    public var trailers: HTTPHeaders = [:]
    /// Interim responses before the final one (RFC 9110 section 15.2).
    public var interim: [ResponseHead] = []
    /// The time to wait before the first byte, interim responses included.
    public var delay: Duration = .zero
    /// The time to wait between head and body.
    public var bodyDelay: Duration = .zero
    /// The most bytes to send at a time, and the time to wait after each piece.
    public var drip: (bytes: Int, every: Duration, fromHead: Bool)?
    /// Where and how the exchange breaks.
    public var fault: (Fault, at: Position)?
    /// Whether the connection is closed after the response.
    public var closesConnection = false

    /// Makes a response.
    public init(status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
