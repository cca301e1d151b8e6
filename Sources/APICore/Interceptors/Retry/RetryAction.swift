/// What follows a failed attempt.
public enum RetryAction: Sendable, Hashable {
    /// Send the request again after a delay.
    case retry(after: Duration)
    /// Give the caller what there is.
    case stop(RetryStop)
}

/// Why a request is not tried again.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RetryStop: Sendable, Hashable {
    /// Sending it twice could do harm, or its body can only be read once.
    case notRepeatable
    /// The failure will not pass by itself.
    case permanent
    /// It has been tried often enough.
    case attemptsExhausted
    /// The deadline would pass before the next attempt.
    case deadline
    /// The server asks for more patience than the policy has.
    case retryAfterTooLong(Duration)
    /// Too large a part of recent requests were retries already.
    case budgetExhausted
    /// The hook said so.
    case hook
}
