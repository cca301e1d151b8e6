#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides what an event stream does after each thing that happens to its connection; no I/O (WHATWG HTML, section
/// 9.2.3 "Processing model").
struct EventStreamMachine: Sendable {
    /// What is to be done.
    enum Action {
        /// Read the body.
        case read
        /// Wait, then connect.
        case reconnect(after: Duration)
        /// The stream is over.
        case finish
        /// The stream has failed for good.
        case fail(NetworkError)
    }

    let policy: ReconnectionPolicy
    let endMarker: String?
    private var failures = 0

    init(policy: ReconnectionPolicy, endMarker: String?) {
        self.policy = policy
        self.endMarker = endMarker
    }

    /// A response's head came.
    func connected(_ head: ResponseHead) -> Action {
        // 204 is how a server tells clients to stop.
        if head.status == .noContent { return .finish }
        guard head.status == .ok else {
            return .fail(.invalidResponse(InvalidResponse("an event stream cannot have the status \(head.status)")))
        }
        // No type at all is what mocks send; another one is an error page or the wrong resource.
        guard let name = head.headers[.contentType], MediaType(name)?.essence != "text/event-stream" else {
            return .read
        }
        return .fail(.invalidResponse(InvalidResponse("expected an event stream, the content type is \(name)")))
    }

    /// An event came.
    ///
    /// - Returns: Whether it is one for the caller; the end marker is not.
    mutating func received(_ event: ServerSentEvent) -> Bool {
        failures = 0
        return endMarker == nil || event.data != endMarker
    }

    /// The connection ended, or could not be made (`error`).
    ///
    /// - Parameters:
    ///   - error: Why; `nil` when the server ended it in order.
    ///   - serverDelay: The server's `retry`.
    ///   - now: The date, for `Retry-After` dates.
    mutating func disconnected(error: NetworkError?, serverDelay: Duration?, now: Date) -> Action {
        if let error, !isTransient(error) { return .fail(error) }
        if let limit = policy.maximumAttempts, failures >= limit {
            if let error { return .fail(error) }
            if limit > 0 { return .fail(.connectivity(Self.endedTooOften)) }
            return endMarker == nil ? .finish : .fail(.truncated(TruncatedBody(received: 0, expected: nil)))
        }
        var delay = policy.delay(afterFailures: failures, serverDelay: serverDelay)
        if let wait = error?.apiError?.retryAfter(now: now) { delay = max(delay, wait) }
        failures += 1
        return .reconnect(after: delay)
    }

    private static let endedTooOften = ConnectivityFailure(
        .connectionLost, reason: "the server ended the event stream again and again without an event")

    private func isTransient(_ error: NetworkError) -> Bool {
        switch error {
        case .api(let answer): policy.retriedStatuses.contains(answer.status)
        default: error.isLostConnection
        }
    }
}

extension NetworkError {
    /// Whether the connection broke or went quiet: what is worth another attempt whatever the request was about.
    var isLostConnection: Bool {
        switch self {
        case .connectivity(let failure): failure.kind != .addressRefused
        case .truncated: true
        case .timeout(let failure): failure.kind == .idle || failure.kind == .connect || failure.kind == .attempt
        default: false
        }
    }
}

extension APIError {
    /// How long the server asks to wait (RFC 9110 section 10.2.3), at most a day.
    func retryAfter(now: Date) -> Duration? {
        guard let text = headers[.retryAfter] else { return nil }
        let day = 86_400.0
        if text.utf8.allSatisfy(\.isASCIIDigit), !text.isEmpty {
            return .seconds(min(Double(text) ?? day, day))
        }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), day))
    }
}
