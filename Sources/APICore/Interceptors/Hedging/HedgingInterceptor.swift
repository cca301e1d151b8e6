/// Sends a second attempt of a request that takes long, takes the first good answer, and cancels the other.
///
/// It makes the slowest of many requests quicker at the price of a few more of them. Only safe methods (RFC 9110
/// section 9.2.1) without one-shot bodies, whose response is wanted whole, are hedged; others pass. Good is every
/// answer but 429 and 5xx.
public struct HedgingInterceptor: Interceptor {
    private enum Event: Sendable {
        case delayElapsed
        case delayCancelled
        case ended(attempt: Int, Result<HTTPResponse, NetworkError>)
    }

    private let policy: HedgingPolicy
    private let time: TimeSource

    /// Makes the interceptor.
    public init(_ policy: HedgingPolicy, time: TimeSource = .system) {
        self.policy = policy
        self.time = time
    }

    /// Sends the request, more than once if it is slow.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard request.method.isSafe, request.body.isReplayable, request.delivery == .buffered,
            policy.maximumAttempts > 1
        else { return try await next(request) }
        let result = await withTaskGroup(of: Event.self) { group -> Result<HTTPResponse, NetworkError> in
            var race = HedgingRace(maximumAttempts: policy.maximumAttempts)
            func start(_ attempt: Int) {
                group.addTask {
                    .ended(
                        attempt: attempt,
                        await Result.catching { () async throws(NetworkError) in
                            try await next(request).delivered(for: request)
                        })
                }
                guard race.canStartMore else { return }
                group.addTask { [time, policy] in
                    do {
                        try await time.sleep(policy.delay)
                        return .delayElapsed
                    } catch {
                        return .delayCancelled
                    }
                }
            }
            start(1)
            while let event = await group.next() {
                let action: HedgingRace.Action
                var outcome: Result<HTTPResponse, NetworkError>?
                switch event {
                case .delayCancelled: continue
                case .delayElapsed: action = Task.isCancelled ? .wait : race.handle(.delayElapsed)
                case .ended(let attempt, let result):
                    outcome = result
                    action = race.handle(.ended(attempt: attempt, isGood: HedgingInterceptor.isGood(result)))
                }
                switch action {
                case .start(let attempt): start(attempt)
                case .wait: continue
                case .finish:
                    group.cancelAll()
                    if let outcome { return outcome }
                }
            }
            return .failure(.cancelled)
        }
        return try result.get()
    }

    private static func isGood(_ result: Result<HTTPResponse, NetworkError>) -> Bool {
        switch result {
        case .success(let response): response.status != .tooManyRequests && !response.status.isServerError
        // What will not pass by itself is an answer too: another attempt would say the same.
        case .failure(let error): !error.isTransient
        }
    }
}
