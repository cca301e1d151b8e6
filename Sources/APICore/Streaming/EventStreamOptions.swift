/// How an event stream is read and when it connects again.
public struct EventStreamOptions: Sendable {
    /// When to connect again after the connection ended; `nil` decides by the request: ``ReconnectionPolicy/standard``
    /// for a safe method (RFC 9110 section 9.2.1), ``ReconnectionPolicy/never`` for any other.
    public var reconnection: ReconnectionPolicy?
    /// The data of an event that ends the stream and is not given out, such as `[DONE]`. When it is set, a connection
    /// that ends before it, and is not made again, is an error: ``NetworkError/truncated(_:)``.
    public var endMarker: String?
    /// Sent as `Last-Event-ID` with the first connection, to go on where another process stopped.
    public var lastEventID: String
    /// The most bytes an event may have.
    public var maximumEventSize: Int

    /// Makes options; everything has a default.
    public init(
        reconnection: ReconnectionPolicy? = nil, endMarker: String? = nil, lastEventID: String = "",
        maximumEventSize: Int = 16 << 20
    ) {
        self.reconnection = reconnection
        self.endMarker = endMarker
        self.lastEventID = lastEventID
        self.maximumEventSize = maximumEventSize
    }
}

/// When a stream connects again.
public struct ReconnectionPolicy: Sendable {
    /// How many times in a row it may fail, without an event in between, before the error is thrown; `nil` for ever.
    public var maximumAttempts: Int?
    /// The time to wait before the first attempt, until the server says another one (`retry`).
    public var delay: Duration
    /// The longest time to wait. The delay doubles with every attempt that fails.
    public var maximumDelay: Duration
    /// How much longer the delay may become at random, as a part of it, so that not all clients come at once.
    public var jitter: Double
    /// The statuses after which it is worth to try again.
    public var retriedStatuses: Set<HTTPStatusCode>
    /// Numbers from 0 to 1 for the jitter.
    public var random: @Sendable () -> Double

    /// Makes a policy; everything has a default.
    public init(
        maximumAttempts: Int? = 8, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60),
        jitter: Double = 0.2,
        retriedStatuses: Set<HTTPStatusCode> = [408, 429, 500, 502, 503, 504],
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.maximumAttempts = maximumAttempts
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.jitter = jitter
        self.retriedStatuses = retriedStatuses
        self.random = random
    }

    /// Eight attempts in a row, 3 s apart at first and at most 60 s.
    public static let standard = ReconnectionPolicy()
    /// The stream ends with its connection.
    public static let never = ReconnectionPolicy(maximumAttempts: 0)

    /// The delay before an attempt.
    ///
    /// - Parameters:
    ///   - failures: How many attempts have failed in a row before it.
    ///   - serverDelay: What the server asked for.
    func delay(afterFailures failures: Int, serverDelay: Duration?) -> Duration {
        let base = max(serverDelay ?? delay, .zero)
        let longest = max(maximumDelay, base)
        var result = base
        for _ in 0..<min(max(failures, 0), 40) where result < longest { result = result * 2 }
        let factor = 1 + min(max(jitter, 0), 1) * min(max(random(), 0), 1)
        return min(result, longest) * factor
    }
}
