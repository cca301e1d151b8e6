/// A token bucket: a steady rate, with room for a burst. A value without I/O.
///
/// Requests take their turn in the order they ask. Each is told how long to wait; a bucket whose tokens are all
/// promised counts below zero.
public struct TokenBucket: Sendable {
    /// Tokens each second.
    public let rate: Double
    /// The most tokens it holds.
    public let burst: Double

    private var tokens: Double
    private var updated: ContinuousClock.Instant?

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - rate: Tokens each second; more than zero.
    ///   - burst: The most tokens it holds; at least one.
    public init(rate: Double, burst: Int = 1) {
        self.rate = rate > 0 && rate.isFinite ? rate : .leastNormalMagnitude
        self.burst = Double(max(burst, 1))
        tokens = self.burst
    }

    /// How long the next request would have to wait.
    public mutating func delay(now: ContinuousClock.Instant) -> Duration {
        refill(now: now)
        guard tokens < 1 else { return .zero }
        // A century is "never": larger numbers of seconds do not fit a duration.
        return .seconds(min((1 - tokens) / rate, 3_155_760_000))
    }

    /// Takes a token.
    ///
    /// - Returns: How long to wait before using it.
    public mutating func take(now: ContinuousClock.Instant) -> Duration {
        let delay = delay(now: now)
        tokens -= 1
        return delay
    }

    /// Gives back a token that was not used.
    public mutating func giveBack() {
        tokens = min(tokens + 1, burst)
    }

    private mutating func refill(now: ContinuousClock.Instant) {
        defer { updated = max(updated ?? now, now) }
        guard let updated, now > updated else { return }
        tokens = min(tokens + updated.duration(to: now).inSeconds * rate, burst)
    }
}
