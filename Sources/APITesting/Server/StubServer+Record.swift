#if os(Linux)
extension StubServer {
    /// The requests so far, in the order their heads arrived: complete ones, and those answered before their body.
    public var requests: [RecordedRequest] { state.read { $0.requests } }

    /// The requests whose connection ended within their body.
    public var abortedRequests: [RecordedRequest] { state.read { $0.aborted } }

    /// The requests no route was there for; they were answered 404.
    public var unmatchedRequests: [RecordedRequest] { state.read { $0.unmatched } }

    /// What came and was no HTTP/1.1 request, in words.
    public var malformedRequests: [String] { state.read { $0.malformed } }

    /// Connections, requests and bytes in numbers.
    public var counters: ServerCounters { state.read { $0.counters } }

    /// Forgets the requests so far. Counters and orders of arrival go on.
    public func clearRequests() {
        state.update { state in
            state.requests = []
            state.aborted = []
            state.unmatched = []
            state.malformed = []
        }
    }

    /// Waits until that many requests have arrived.
    ///
    /// - Returns: All requests so far.
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    @discardableResult
    public func waitForRequests(_ count: Int, timeout: Duration = .seconds(10)) async throws -> [RecordedRequest] {
        try await wait(timeout: timeout, for: "\(count) requests") { $0.requests.count >= count }
        return requests
    }

    /// Waits until the counters are as they should be: `server.waitForCounters { $0.openConnections == 0 }`.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    public func waitForCounters(
        timeout: Duration = .seconds(10), _ condition: @escaping @Sendable (ServerCounters) -> Bool
    ) async throws {
        try await wait(timeout: timeout, for: "a condition on its counters") { condition($0.counters) }
    }

    /// Waits until that many requests have been cut off within their body.
    ///
    /// - Returns: All of them so far.
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    @discardableResult
    public func waitForAbortedRequests(
        _ count: Int, timeout: Duration = .seconds(10)
    ) async throws -> [RecordedRequest] {
        try await wait(timeout: timeout, for: "\(count) aborted requests") { $0.aborted.count >= count }
        return abortedRequests
    }

    private func wait(
        timeout: Duration, for what: String, _ condition: @escaping @Sendable (ServerState) -> Bool
    ) async throws {
        switch await state.wait(timeout: timeout, until: condition) {
        case .fulfilled: return
        case .cancelled: throw CancellationError()
        case .timedOut:
            throw WaitTimeout(
                "StubServer: waited \(timeout) for \(what); there are \(requests.count) requests, and \(counters)")
        }
    }
}
#endif
