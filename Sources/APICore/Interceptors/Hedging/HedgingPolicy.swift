/// When a second attempt of a slow request starts.
public struct HedgingPolicy: Sendable, Hashable {
    /// How long an attempt may take before the next one starts beside it: about the time 95 of 100 requests need.
    public var delay: Duration
    /// The most attempts at the same time; at least 1, which hedges nothing.
    public var maximumAttempts: Int

    /// Makes a policy.
    public init(delay: Duration, maximumAttempts: Int = 2) {
        self.delay = delay
        self.maximumAttempts = maximumAttempts
    }
}
