#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which failures are tried again, how often, and after which delay. A value without I/O: ``RetryInterceptor`` carries
/// out what it decides.
///
/// ```swift
/// var policy = RetryPolicy(maximumAttempts: 4, baseDelay: .milliseconds(100))
/// policy.hook = { failure, proposed in
///     failure.status == .conflict ? .retry(after: .seconds(1)) : proposed
/// }
/// ```
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most, the first time included; less than 1 is 1.
    public var maximumAttempts: Int
    /// The shortest delay.
    public var baseDelay: Duration
    /// The longest delay, but for what a server asks with `Retry-After`.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for; a longer one ends the attempts.
    public var maximumRetryAfter: Duration
    /// The statuses that can pass by themselves.
    public var statuses: Set<HTTPStatusCode>
    /// How many retries there may be in proportion to requests, over all requests of the client; `nil` for no limit.
    public var budget: RetryBudget.Limits?
    /// Asked after each failure with what the policy proposes; what it returns is done, within the rules that are not
    /// up to it: a request that must not be repeated is not, nor is one whose deadline would pass meanwhile.
    public var hook: (@Sendable (_ failure: RetryFailure, _ proposed: RetryAction) -> RetryAction)?

    /// Makes a policy.
    public init(
        maximumAttempts: Int = 3, baseDelay: Duration = .milliseconds(200), maximumDelay: Duration = .seconds(20),
        maximumRetryAfter: Duration = .seconds(120), statuses: Set<HTTPStatusCode> = RetryPolicy.standardStatuses,
        budget: RetryBudget.Limits? = RetryBudget.Limits(),
        hook: (@Sendable (_ failure: RetryFailure, _ proposed: RetryAction) -> RetryAction)? = nil
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.statuses = statuses
        self.budget = budget
        self.hook = hook
    }

    /// 408, 425, 429, 500, 502, 503 and 504.
    public static let standardStatuses: Set<HTTPStatusCode> = [408, 425, 429, 500, 502, 503, 504]

    /// Decides what follows a failed attempt.
    ///
    /// - Parameters:
    ///   - failure: What happened, in which attempt.
    ///   - request: The request.
    ///   - previousDelay: The delay before the failed attempt, if it was a retry itself.
    ///   - now: The instant deadlines are measured by.
    ///   - date: The date that a `Retry-After` date is related to.
    ///   - random: Where jitter comes from.
    public func decide(
        _ failure: RetryFailure, request: HTTPRequest, previousDelay: Duration?, now: ContinuousClock.Instant,
        date: Date, random: RandomSource
    ) -> RetryAction {
        guard request.isRetryable else { return .stop(.notRepeatable) }
        var action = propose(failure, previousDelay: previousDelay, date: date, random: random)
        if let hook { action = hook(failure, action) }
        guard case .retry(let delay) = action else { return action }
        let wait = max(delay, .zero)
        if let deadline = request.context.deadline, wait >= now.duration(to: deadline) { return .stop(.deadline) }
        return .retry(after: wait)
    }

    private func propose(
        _ failure: RetryFailure, previousDelay: Duration?, date: Date, random: RandomSource
    ) -> RetryAction {
        guard failure.canPass(statuses: statuses) else { return .stop(.permanent) }
        guard failure.attempt < max(maximumAttempts, 1) else { return .stop(.attemptsExhausted) }
        let floor = failure.head.flatMap { RetryAfter.delay(in: $0.headers, date: date) }
        if let floor, floor > maximumRetryAfter { return .stop(.retryAfterTooLong(floor)) }
        return .retry(after: max(floor ?? .zero, backoff(after: previousDelay, random: random)))
    }

    /// Decorrelated jitter: a random delay between the base and three times the previous one, capped. It grows like
    /// exponential backoff, and clients that failed together drift apart ("Exponential Backoff and Jitter", AWS
    /// Architecture Blog, 2015).
    ///
    /// Always between ``baseDelay`` (or the cap, if that is shorter) and ``maximumDelay``, for any attempt.
    public func backoff(after previousDelay: Duration?, random: RandomSource) -> Duration {
        let cap = max(maximumDelay, .zero)
        let base = min(max(baseDelay, .zero), cap)
        let previous = min(max(previousDelay ?? base, base), cap)
        // Compared before it is multiplied: a cap of centuries must not overflow.
        let high = previous > cap / 3 ? cap : previous * 3
        return random.duration(between: base, and: high)
    }
}
