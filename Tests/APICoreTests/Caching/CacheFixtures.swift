import DiskCache
import Foundation
import Testing

@testable import APICore

/// A server that answers from a list and remembers what it was asked, a clock that is moved by hand, and a cache between
/// them and the test.
final class CacheScene: Sendable {
    struct Answer: Sendable {
        var status: HTTPStatusCode = .ok
        var headers: HTTPHeaders = [:]
        var body = "body"
        var error: NetworkError?
        /// Whether a request with the right validator gets a 304 in place of this.
        var validates = true
        /// Delivers the body in chunks, of which the last is an error.
        var breaksOff = false
        /// The URL a redirect further down has led to.
        var url: RequestURL?
    }

    private struct State {
        var answers: [Answer] = []
        var requests: [HTTPRequest] = []
        var now = 1_720_000_000.0
        var delay = 0.0
    }

    private let state = Locked(State())
    let storage: any CacheStorage
    let cache: HTTPCache

    init(
        storage: any CacheStorage = MemoryStorage(), policy: CachePolicy = .use,
        staleWhenDisconnected: Duration = .seconds(300), entrySizeLimit: Int = 1 << 20,
        key: (@Sendable (HTTPRequest) -> String?)? = nil
    ) {
        self.storage = storage
        let clock = ClockBox()
        var configuration = HTTPCache.Configuration(
            name: "test", policy: policy, entrySizeLimit: entrySizeLimit, staleWhenDisconnected: staleWhenDisconnected,
            time: TimeSource(now: { .now }, date: { clock.date }, sleep: { _ in }))
        if let key { configuration.key = key }
        cache = HTTPCache(storage: storage, configuration: configuration)
        clock.source = { [unowned self] in state.withLock { Date(timeIntervalSince1970: $0.now) } }
    }

    /// Breaks the circle between cache and scene; set once, before use.
    private final class ClockBox: @unchecked Sendable {
        var source: @Sendable () -> Date = { Date() }
        var date: Date { source() }
    }

    static let url = "https://api.example.com/things?page=1"

    /// Requests that reached the server.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }

    /// How long the next answers take.
    func delay(_ seconds: Double) { state.withLock { $0.delay = seconds } }

    /// An HTTP date relative to the clock.
    func date(_ offset: Double = 0) -> String {
        HTTPDate.string(from: Date(timeIntervalSince1970: state.withLock { $0.now } + offset))
    }

    func answer(
        _ status: HTTPStatusCode = .ok, _ headers: HTTPHeaders = [:], body: String = "body", validates: Bool = true,
        breaksOff: Bool = false, url: RequestURL? = nil
    ) {
        state.withLock {
            $0.answers.append(
                Answer(
                    status: status, headers: headers, body: body, validates: validates, breaksOff: breaksOff, url: url))
        }
    }

    func fail(_ error: NetworkError = .connectivity(ConnectivityFailure(.connectionRefused, reason: "test"))) {
        state.withLock { $0.answers.append(Answer(error: error)) }
    }

    struct Result: Sendable {
        var status: HTTPStatusCode
        var headers: HTTPHeaders
        var body: String
        /// Requests the server had seen before and after.
        var sent: [HTTPRequest]

        var isFromCache: Bool { sent.isEmpty }
        var cacheStatus: String { headers["Cache-Status"] ?? "" }
        /// Whether the server was asked with a condition.
        var isConditional: Bool {
            sent.contains { $0.headers.contains(.ifNoneMatch) || $0.headers.contains(.ifModifiedSince) }
        }
    }

    @discardableResult
    func send(
        _ method: HTTPMethod = .get, _ url: String = CacheScene.url, _ headers: HTTPHeaders = [:],
        policy: CachePolicy? = nil, delivery: ResponseDelivery = .buffered
    ) async throws -> Result {
        var request = HTTPRequest(method: method, url: try RequestURL(url), headers: headers, delivery: delivery)
        request.options.cachePolicy = policy
        let before = requests.count
        let response = try await cache.intercept(request) { [self] (request) async throws(NetworkError) in
            try serve(request)
        }
        let body = try await response.body.collect()
        return Result(
            status: response.status, headers: response.headers, body: String(decoding: body, as: UTF8.self),
            sent: Array(requests.dropFirst(before)))
    }

    func serve(_ request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        let answer = state.withLock { state -> Answer? in
            state.requests.append(request)
            state.now += state.delay
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { return HTTPResponse(status: 599, body: Data("no answer left".utf8)) }
        if let error = answer.error { throw error }
        var head = ResponseHead(status: answer.status, headers: answer.headers, url: answer.url)
        let matches =
            answer.headers[.etag].map { $0 == request.headers[.ifNoneMatch] }
            ?? answer.headers[.lastModified].map { $0 == request.headers[.ifModifiedSince] } ?? false
        if answer.validates, matches {
            head.status = .notModified
            return HTTPResponse(head: head)
        }
        if request.method == .head { return HTTPResponse(head: head) }
        guard request.delivery == .streamed || answer.breaksOff else {
            return HTTPResponse(head: head, body: .bytes(Data(answer.body.utf8)))
        }
        return HTTPResponse(
            head: head,
            body: .stream(ChunkSource(answer.body, breaksOff: answer.breaksOff)))
    }
}

/// Hands over a text in chunks of seven bytes, and ends with an error if it is told to.
final class ChunkSource: ResponseBodySource {
    private let rest: Locked<Data>
    private let breaksOff: Bool

    init(_ text: String, breaksOff: Bool) {
        rest = Locked(Data(text.utf8))
        self.breaksOff = breaksOff
    }

    func next() async throws(NetworkError) -> Data? {
        let chunk = rest.withLock { rest in
            defer { rest = rest.dropFirst(7) }
            return rest.prefix(7)
        }
        if !chunk.isEmpty { return chunk }
        if breaksOff { throw .truncated(TruncatedBody(received: 0, expected: nil)) }
        return nil
    }

    func cancel() {}
}
