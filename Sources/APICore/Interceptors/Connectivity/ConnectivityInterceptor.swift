/// Waits for the network when there is none, up to a limit, instead of failing at once.
///
/// ```swift
/// let waiting = ConnectivityInterceptor(maximumWait: .seconds(20))
/// ```
///
/// Requests to this machine itself never wait.
public struct ConnectivityInterceptor: Interceptor {
    private let monitor: NetworkPathMonitor
    private let maximumWait: Duration
    private let time: TimeSource

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - monitor: What knows whether there is a network.
    ///   - maximumWait: How long a request waits at most; its deadline may end the wait before.
    ///   - time: The clock.
    public init(
        monitor: NetworkPathMonitor = .shared, maximumWait: Duration = .seconds(30), time: TimeSource = .system
    ) {
        self.monitor = monitor
        self.maximumWait = maximumWait
        self.time = time
    }

    /// Sends the request when there is a network.
    ///
    /// - Throws: ``NetworkError/timeout(_:)`` of the kind ``TimeoutFailure/Kind/connectivity``.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        if !monitor.path.isAvailable, !ConnectivityInterceptor.isThisMachine(request.url.host) {
            let now = time.now()
            let untilDeadline = RequestDeadline.earliest(request.context.deadline, RequestDeadline.current)
                .map { now.duration(to: $0) }
            let limit = min(maximumWait, untilDeadline ?? maximumWait)
            try await withTimeLimit(
                limit, time: time,
                failure: .timeout(TimeoutFailure(.connectivity, limit: limit, request: request.summary))
            ) { [monitor] () async throws(NetworkError) in
                for await path in monitor where path.isAvailable { return }
                throw .cancelled
            }
        }
        return try await next(request)
    }

    static func isThisMachine(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
    }
}
