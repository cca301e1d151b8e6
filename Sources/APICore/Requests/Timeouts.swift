/// Time limits of a request. `nil` means no opinion: the next level decides, and in the end there is no limit.
public struct Timeouts: Sendable, Hashable {
    /// Name resolution, connection and TLS handshake together.
    public var connect: Duration?
    /// The longest time without a byte in either direction.
    public var idle: Duration?
    /// From the call to the last byte, redirects and retries included.
    public var overall: Duration?

    /// Makes limits.
    public init(connect: Duration? = nil, idle: Duration? = nil, overall: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.overall = overall
    }

    /// What a client uses when nobody says otherwise: 10 s to connect, 60 s idle, no overall limit.
    public static let standard = Timeouts(connect: .seconds(10), idle: .seconds(60))

    /// These limits laid over others.
    public func over(_ other: Timeouts) -> Timeouts {
        Timeouts(
            connect: connect ?? other.connect, idle: idle ?? other.idle, overall: overall ?? other.overall)
    }
}
