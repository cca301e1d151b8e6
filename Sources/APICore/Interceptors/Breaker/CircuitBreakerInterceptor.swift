internal import DiskCache

/// Refuses requests to an origin that keeps failing, without sending them: a ``CircuitBreaker`` for each origin.
///
/// What counts as a failure: no answer (connections, TLS, timeouts, broken bodies), and the statuses 500, 502, 503 and
/// 504. A cancelled request counts as nothing.
public struct CircuitBreakerInterceptor: Interceptor {
    private let limits: CircuitBreaker.Limits
    private let time: TimeSource
    private let breakers = Locked<[Origin: CircuitBreaker]>([:])

    /// Makes the interceptor.
    public init(limits: CircuitBreaker.Limits = CircuitBreaker.Limits(), time: TimeSource = .system) {
        self.limits = limits
        self.time = time
    }

    /// The state of an origin's breaker.
    public func state(of origin: Origin) -> CircuitBreaker.State {
        breakers.withLock { $0[origin]?.state ?? .closed }
    }

    /// Sends the request if the origin's breaker lets it pass.
    ///
    /// - Throws: ``NetworkError/circuitOpen(_:)``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let origin = request.url.origin
        let admission = breakers.withLock { $0[origin, default: CircuitBreaker(limits)].admit(now: time.now()) }
        let ticket: CircuitBreaker.Ticket
        switch admission {
        case .refused(let retryAfter):
            throw .circuitOpen(CircuitOpen(origin: origin, retryAfter: retryAfter, request: request.summary))
        case .allowed(let allowed): ticket = allowed
        }
        do throws(NetworkError) {
            let response = try await next(request)
            record(CircuitBreakerInterceptor.outcome(of: response.status), ticket: ticket, origin: origin)
            return response
        } catch {
            record(CircuitBreakerInterceptor.outcome(of: error), ticket: ticket, origin: origin)
            throw error
        }
    }

    private func record(_ outcome: CircuitBreaker.Outcome, ticket: CircuitBreaker.Ticket, origin: Origin) {
        breakers.withLock { $0[origin]?.record(outcome, ticket: ticket, now: time.now()) }
    }

    static func outcome(of status: HTTPStatusCode) -> CircuitBreaker.Outcome {
        switch status {
        case 500, 502, 503, 504: .failure
        default: .success
        }
    }

    static func outcome(of error: NetworkError) -> CircuitBreaker.Outcome {
        switch error {
        case .connectivity(let failure): failure.kind == .addressRefused ? .ignored : .failure
        case .timeout(let failure):
            switch failure.kind {
            case .connect, .idle, .attempt, .deadline: .failure
            case .queue, .connectivity: .ignored
            }
        case .tls, .truncated, .invalidResponse: .failure
        default: .ignored
        }
    }
}
