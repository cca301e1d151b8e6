/// Tells observers what happens to requests. Belongs at the front of the chain.
///
/// It reports the start and the end; attempts, responses and retries are reported from where they happen, to the
/// observer it leaves in the request's context.
public struct ObservationInterceptor: Interceptor {
    private let observer: any RequestObserver
    private let time: TimeSource

    /// Makes the interceptor for one or more observers, who are told in their order.
    public init(_ observers: any RequestObserver..., time: TimeSource = .system) {
        observer = observers.count == 1 ? observers[0] : ObserverList(observers: observers)
        self.time = time
    }

    /// Sends the request and reports it.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        var request = request
        if let outer = request.context.observer {
            request.context.observer = ObserverList(observers: [outer, observer])
        } else {
            request.context.observer = observer
        }
        let start = time.now()
        observer.observe(RequestEvent(.started, request: request, now: start))
        do throws(NetworkError) {
            let response = try await next(request)
            let end = time.now()
            request.context.attempt = max(request.context.attempt, response.attempt)
            observer.observe(
                RequestEvent(
                    .finished(response.head, response.timings, after: start.duration(to: end)), request: request,
                    now: end))
            return response
        } catch {
            let end = time.now()
            request.context.attempt = max(request.context.attempt, error.request?.attempt ?? 1)
            observer.observe(
                RequestEvent(.finishedWithError(error, after: start.duration(to: end)), request: request, now: end))
            throw error
        }
    }
}

/// Reports each attempt: the last link before redirects and the transport, in every client's chain.
struct AttemptReporter: Interceptor {
    let time: TimeSource

    func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard let observer = request.context.observer else { return try await next(request) }
        observer.observe(RequestEvent(.attempt, request: request, now: time.now()))
        do throws(NetworkError) {
            let response = try await next(request)
            observer.observe(
                RequestEvent(.response(response.head, response.timings), request: request, now: time.now()))
            return response
        } catch {
            observer.observe(RequestEvent(.failed(error), request: request, now: time.now()))
            throw error
        }
    }
}
