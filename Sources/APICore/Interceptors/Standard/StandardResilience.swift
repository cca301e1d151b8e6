/// The usual links between a service and an unreliable API, in the right order.
///
/// ```swift
/// let client = APIClient(environment: environment, interceptors: .standard(for: environment))
/// ```
///
/// From the outside in:
/// 1. **rate limit**: a request and all of its attempts take one turn;
/// 2. **total deadline**: bounds everything below, waits included, and travels to nested calls;
/// 3. **retry**: within the deadline;
/// 4. **circuit breaker**: sees every attempt, and ends a retry's attempts when it opens;
/// 5. **concurrency limit**: holds a place for an attempt only, not while a retry waits;
/// 6. **attempt timeout**: leaves time for another attempt.
///
/// Logging and observation go in front of them, authentication behind them (inside the retry, so that each attempt
/// has the newest token).
public struct StandardResilience: Sendable {
    /// How many requests each second; none by default.
    public var rateLimit: RateLimit?
    /// The time for a request, all attempts included; none by default but the request's own
    /// (`options.timeouts.overall`).
    public var deadline: Duration?
    /// What is tried again; `nil` for nothing.
    public var retry: RetryPolicy?
    /// When a server that fails gets a pause; `nil` for never.
    public var circuitBreaker: CircuitBreaker.Limits?
    /// How many requests at a time; no limit by default.
    public var concurrency: ConcurrencyLimit?
    /// The time for one attempt; none by default but the limits for connecting and idling.
    public var attemptTimeout: Duration?

    /// Makes a configuration: retries and circuit breaker as they are by default, nothing else.
    public init(
        rateLimit: RateLimit? = nil, deadline: Duration? = nil, retry: RetryPolicy? = RetryPolicy(),
        circuitBreaker: CircuitBreaker.Limits? = CircuitBreaker.Limits(), concurrency: ConcurrencyLimit? = nil,
        attemptTimeout: Duration? = nil
    ) {
        self.rateLimit = rateLimit
        self.deadline = deadline
        self.retry = retry
        self.circuitBreaker = circuitBreaker
        self.concurrency = concurrency
        self.attemptTimeout = attemptTimeout
    }

    /// The links, the outermost first. Each call makes new ones, with a state of their own.
    public func interceptors(time: TimeSource = .system, random: RandomSource = .system) -> [any Interceptor] {
        var links: [any Interceptor] = []
        if let rateLimit { links.append(RateLimitInterceptor(rateLimit, time: time)) }
        links.append(DeadlineInterceptor(limit: deadline, time: time))
        if let retry { links.append(RetryInterceptor(policy: retry, time: time, random: random)) }
        if let circuitBreaker { links.append(CircuitBreakerInterceptor(limits: circuitBreaker, time: time)) }
        if let concurrency { links.append(ConcurrencyLimitInterceptor(concurrency, time: time)) }
        if let attemptTimeout { links.append(AttemptTimeoutInterceptor(limit: attemptTimeout, time: time)) }
        return links
    }
}

extension Array where Element == any Interceptor {
    /// The standard pipeline: see ``StandardResilience``.
    public static func standard(
        _ resilience: StandardResilience = StandardResilience(), time: TimeSource = .system,
        random: RandomSource = .system
    ) -> [any Interceptor] {
        resilience.interceptors(time: time, random: random)
    }

    /// The standard pipeline as the environment's file configures it, with logging in front if there is a sink.
    ///
    /// - Parameters:
    ///   - environment: What was configured under `retry`, `rateLimit`, `concurrency`, `circuitBreaker`,
    ///     `timeouts.attempt` and `log`.
    ///   - time: The clock.
    ///   - random: Where jitter comes from.
    ///   - log: Takes log messages, of the level the environment says.
    public static func standard(
        for environment: APIEnvironment, time: TimeSource = .system, random: RandomSource = .system,
        log: (@Sendable (LogMessage) -> Void)? = nil
    ) -> [any Interceptor] {
        let links = environment.resilience.interceptors(time: time, random: random)
        guard let log, environment.log.level > .off else { return links }
        let settings = environment.log
        return [LoggingInterceptor(level: settings.level, bodyLimit: settings.bodyLimit, time: time, sink: log)] + links
    }
}
