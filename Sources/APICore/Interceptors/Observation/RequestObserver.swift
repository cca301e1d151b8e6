/// Sees what happens to requests. Called on whatever thread it happens, so it must be quick.
///
/// ```swift
/// struct Metrics: RequestObserver {
///     func observe(_ event: RequestEvent) {
///         guard case .finished(let head, _, let duration) = event.kind else { return }
///         requestDuration.record(duration, labels: [event.operation ?? "", "\(head.status.rawValue)"])
///     }
/// }
/// let client = APIClient(environment: environment, interceptors: [ObservationInterceptor(Metrics())])
/// ```
public protocol RequestObserver: Sendable {
    /// Takes note of an event.
    func observe(_ event: RequestEvent)
}

private enum ObserverKey: RequestContextKey {
    typealias Value = any RequestObserver
}

extension RequestContext {
    /// Who is told what happens to the request; an interceptor of your own may tell it too.
    public var observer: (any RequestObserver)? {
        get { self[ObserverKey.self] }
        set { self[ObserverKey.self] = newValue }
    }
}

/// Several observers as one.
struct ObserverList: RequestObserver {
    let observers: [any RequestObserver]

    func observe(_ event: RequestEvent) {
        for observer in observers { observer.observe(event) }
    }
}
