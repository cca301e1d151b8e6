/// How long the parts of one exchange took. Durations count from the moment the transport took the request.
public struct TransferTimings: Sendable, Hashable {
    /// Waiting for a connection or a place in a queue.
    public var queue: Duration?
    /// Until the name was resolved.
    public var nameLookup: Duration?
    /// Until the connection stood.
    public var connect: Duration?
    /// Until the TLS handshake was done; `nil` without TLS.
    public var secureConnect: Duration?
    /// Until the first byte of the response.
    public var firstByte: Duration?
    /// Until the end; `nil` while the body is on its way.
    public var total: Duration?
    /// Bytes of body sent.
    public var bytesSent: Int
    /// Bytes of body received, before content decoding.
    public var bytesReceived: Int
    /// Whether a kept-alive connection was used.
    public var connectionReused: Bool
    /// The address of the other end: `127.0.0.1:8080`.
    public var remoteAddress: String?

    /// Makes timings; what is not known stays `nil`.
    public init(
        queue: Duration? = nil, nameLookup: Duration? = nil, connect: Duration? = nil, secureConnect: Duration? = nil,
        firstByte: Duration? = nil, total: Duration? = nil, bytesSent: Int = 0, bytesReceived: Int = 0,
        connectionReused: Bool = false, remoteAddress: String? = nil
    ) {
        self.queue = queue
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnect = secureConnect
        self.firstByte = firstByte
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.connectionReused = connectionReused
        self.remoteAddress = remoteAddress
    }
}
