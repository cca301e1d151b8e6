/// How many requests a ``RateLimitInterceptor`` lets through.
public struct RateLimit: Sendable, Hashable {
    /// Requests each second, on average.
    public var requestsPerSecond: Double
    /// How many may go at once after a pause.
    public var burst: Int
    /// Whether each origin has a limit of its own.
    public var isPerOrigin: Bool
    /// The longest a request waits for its turn; `nil` waits for as long as its deadline allows.
    public var maximumWait: Duration?

    /// Makes a limit.
    public init(
        requestsPerSecond: Double, burst: Int = 1, isPerOrigin: Bool = false, maximumWait: Duration? = nil
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst
        self.isPerOrigin = isPerOrigin
        self.maximumWait = maximumWait
    }
}
