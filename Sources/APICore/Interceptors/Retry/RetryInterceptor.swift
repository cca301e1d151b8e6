internal import DiskCache

/// Sends requests again that failed for a reason that can pass.
///
/// Only requests that may be repeated (``HTTPRequest/isRetryable``), only for failures that ``RetryPolicy`` knows to
/// pass, with exponential backoff and decorrelated jitter, never before what `Retry-After` says, never past the
/// deadline, and within a budget that keeps an outage from being amplified. When it gives up, the caller gets the last
/// answer or error, which says the number of its attempt.
///
/// ```swift
/// let client = APIClient(environment: environment, interceptors: [RetryInterceptor(policy: RetryPolicy())])
/// ```
public struct RetryInterceptor: Interceptor {
    /// The policy.
    public let policy: RetryPolicy
    private let time: TimeSource
    private let random: RandomSource
    private let budget: Locked<RetryBudget>?

    /// Makes the interceptor.
    public init(policy: RetryPolicy = RetryPolicy(), time: TimeSource = .system, random: RandomSource = .system) {
        self.policy = policy
        self.time = time
        self.random = random
        budget = policy.budget.map { Locked(RetryBudget($0)) }
    }

    /// Sends the request until it succeeds or the policy says stop.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        budget?.withLock { $0.recordRequest(now: time.now()) }
        var attempt = request
        var previousDelay: Duration?
        while true {
            let outcome: RetryFailure.Outcome
            let result: Result<HTTPResponse, NetworkError>
            do throws(NetworkError) {
                var response = try await next(attempt)
                if !policy.statuses.contains(response.status) { response = try await response.delivered(for: attempt) }
                response.attempt = max(response.attempt, attempt.context.attempt)
                outcome = .response(response.head)
                result = .success(response)
            } catch {
                let described = error.with(request: attempt.summary)
                outcome = .error(described)
                result = .failure(described)
            }
            if case .failure(.cancelled) = result { throw .cancelled }
            let failure = RetryFailure(outcome, attempt: attempt.context.attempt)
            guard let delay = delay(after: failure, request: attempt, previousDelay: previousDelay) else {
                return try result.get()
            }
            if case .success(let response) = result { response.body.cancel() }
            attempt.context.observer?.observe(
                RequestEvent(.retry(failure, after: delay), request: attempt, now: time.now()))
            do {
                try await time.sleep(delay)
            } catch {
                throw NetworkError(error)
            }
            previousDelay = delay
            attempt.context.attempt += 1
        }
    }

    /// The delay until the next attempt, or `nil` when there is none.
    private func delay(
        after failure: RetryFailure, request: HTTPRequest, previousDelay: Duration?
    ) -> Duration? {
        // The most usual case first: a hook sees what is no success, and nothing else.
        if let status = failure.status, !policy.statuses.contains(status), policy.hook == nil || status.isSuccess {
            return nil
        }
        let action = policy.decide(
            failure, request: request, previousDelay: previousDelay, now: time.now(), date: time.date(),
            random: random)
        guard case .retry(let delay) = action, !Task.isCancelled else { return nil }
        if let budget, !budget.withLock({ $0.withdraw(now: time.now()) }) { return nil }
        return delay
    }
}
