public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A transport that answers in memory: for tests of what a client and its interceptors do, without a socket.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/users", .reply(.status(503, headers: [.retryAfter: "1"])), .reply(.json("[]")))
/// stub.on(.post, "/users") { request in .json(#"{"id": 7}"#, status: .created) }
/// stub.on(.get, "/broken", .failure(.connectivity(ConnectivityFailure(.connectionLost, reason: "stub"))))
///
/// let client = APIClient(environment: environment, transport: stub)
/// #expect(stub.requests.count == 2)
/// ```
///
/// Request bodies are read to their end and recorded. A request no route is there for fails with an error that lists
/// the routes. A request whose task is cancelled throws ``NetworkError/cancelled``, and one that asks for its body
/// whole gets it whole, as from a real transport.
public final class StubTransport: HTTPTransport {
    /// A request as it reached the transport.
    public struct Record: Sendable {
        /// The request.
        public let request: HTTPRequest
        /// Its body, read to the end.
        public let body: Data

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// An answer of a queue.
    public enum Answer: Sendable {
        /// A response whose body is in memory. Each use gives the same bytes.
        case reply(DataResponse)
        /// What kept the response from coming.
        case failure(NetworkError)
        /// What a closure makes of the request.
        case closure(@Sendable (HTTPRequest) async throws -> HTTPResponse)
    }

    fileprivate struct Route: Sendable {
        var method: HTTPMethod?
        var pattern: PathPattern
        var answers: [Answer]
        var hits = 0
    }

    fileprivate struct State: Sendable {
        var routes: [Route] = []
        var records: [Record] = []
        var unmatched: [HTTPRequest] = []
        var active = 0
        var maximumActive = 0
        var isShutDown = false
    }

    private let state = WatchedState(State())
    private let delay: Duration
    private let time: TimeSource

    /// Makes a transport without routes.
    ///
    /// - Parameters:
    ///   - delay: The time every answer takes.
    ///   - time: The clock that time is taken from; give a ``ManualClock``'s to move it by hand.
    public init(delay: Duration = .zero, time: TimeSource = .system) {
        self.delay = delay
        self.time = time
    }

    /// Makes a transport that answers every request with what a closure makes of it.
    public convenience init(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.init()
        on(nil, "/**", .closure(respond))
    }

    /// The requests so far, with their bodies.
    public var records: [Record] { state.read { $0.records } }

    /// The requests so far.
    public var requests: [HTTPRequest] { state.read { $0.records.map(\.request) } }

    /// The requests no route was there for.
    public var unmatchedRequests: [HTTPRequest] { state.read { $0.unmatched } }

    /// How many requests are waiting for their answer.
    public var activeRequests: Int { state.read { $0.active } }

    /// The most requests that waited at a time.
    public var maximumActiveRequests: Int { state.read { $0.maximumActive } }

    /// Whether ``shutdown()`` was called.
    public var isShutDown: Bool { state.read { $0.isShutDown } }

    /// Answers requests with these, one after the other; the last one again and again. Without an answer: an empty 200.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` takes any.
    ///   - path: The URL's path without query, with `:name`, `*` and a final `**` as placeholders. A later route is
    ///     looked at before an earlier one.
    ///   - answers: The answers.
    public func on(_ method: HTTPMethod? = nil, _ path: String = "/**", _ answers: Answer...) {
        state.update { state in
            state.routes.append(Route(method: method, pattern: PathPattern(path), answers: answers))
        }
    }

    /// Answers requests with what a closure makes of them.
    public func on(
        _ method: HTTPMethod? = nil, _ path: String = "/**",
        _ respond: @escaping @Sendable (HTTPRequest) async throws -> DataResponse
    ) {
        on(method, path, .closure { HTTPResponse(try await respond($0)) })
    }

    /// Waits until that many requests have come.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    @discardableResult
    public func waitForRequests(_ count: Int, timeout: Duration = .seconds(10)) async throws -> [Record] {
        switch await state.wait(timeout: timeout, until: { $0.records.count >= count }) {
        case .fulfilled: return records
        case .cancelled: throw CancellationError()
        case .timedOut:
            throw WaitTimeout("StubTransport: waited \(timeout) for \(count) requests; there are \(records.count)")
        }
    }

    /// Answers a request.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if state.read({ $0.isShutDown }) {
            throw .connectivity(ConnectivityFailure(.other, reason: "the transport is shut down"))
                .with(request: request.summary)
        }
        do {
            try Task.checkCancellation()
            let record = Record(request: request, body: try await request.body.readAll())
            let answer = state.update { state -> Answer? in
                state.records.append(record)
                state.active += 1
                state.maximumActive = max(state.maximumActive, state.active)
                return state.answer(request)
            }
            defer { state.update { $0.active -= 1 } }
            guard let answer else { throw unmatched(request) }
            if delay > .zero { try await time.sleep(delay) }
            try Task.checkCancellation()
            return try await respond(to: request, with: answer)
        } catch {
            // A cancelled task ends as such, whatever its closure made of that.
            throw Task.isCancelled ? .cancelled : NetworkError(error).with(request: request.summary)
        }
    }

    /// Remembers that it was called. Requests after it fail.
    public func shutdown() async {
        state.update { $0.isShutDown = true }
    }

    private func respond(to request: HTTPRequest, with answer: Answer) async throws -> HTTPResponse {
        var response: HTTPResponse
        switch answer {
        case .reply(let reply): response = HTTPResponse(reply)
        case .failure(let error): throw error
        case .closure(let make): response = try await make(request)
        }
        if response.head.url == nil { response.head.url = request.url }
        if request.method == .head { response.body = .empty }
        let limit = request.options.maximumBodySize ?? .max
        guard request.delivery == .buffered else { return response }
        response.body = .bytes(try await response.body.collect(upTo: limit))
        return response
    }

    private func unmatched(_ request: HTTPRequest) -> NetworkError {
        let routes = state.update { state in
            state.unmatched.append(request)
            return state.routes.map { "\($0.method?.rawValue ?? "any") \($0.pattern.text)" }
        }
        return .other(
            UnexpectedRequest(
                "StubTransport: no route for \(request.method) \(request.url); "
                    + (routes.isEmpty ? "there are none" : "routes: " + routes.joined(separator: ", "))))
    }
}

extension StubTransport.State {
    fileprivate mutating func answer(_ request: HTTPRequest) -> StubTransport.Answer? {
        for index in routes.indices.reversed() {
            guard routes[index].method == nil || routes[index].method == request.method,
                routes[index].pattern.match(request.url.path) != nil
            else { continue }
            defer { routes[index].hits += 1 }
            let answers = routes[index].answers
            return answers.isEmpty
                ? .reply(DataResponse(status: .ok)) : answers[min(routes[index].hits, answers.count - 1)]
        }
        return nil
    }
}

extension HTTPResponse {
    fileprivate init(_ response: DataResponse) {
        self.init(head: response.head, body: .bytes(response.body), timings: response.timings)
    }
}
