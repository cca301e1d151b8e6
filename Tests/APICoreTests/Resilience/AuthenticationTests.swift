import APITesting
import Foundation
import Synchronization
import Testing

@testable import APICore

/// Gives tokens `t1`, `t2`, … and counts.
final class CountingProvider: TokenProvider {
    let refreshes = Log<AccessToken?>()
    private let gate: Gate?
    private let fails: @Sendable (Int) -> Bool
    private let lifetime: Duration?
    private let time: TimeSource
    private let stored: AccessToken?

    init(
        stored: AccessToken? = nil, gate: Gate? = nil, lifetime: Duration? = nil, time: TimeSource = .system,
        fails: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) {
        (self.stored, self.gate, self.lifetime, self.time, self.fails) = (stored, gate, lifetime, time, fails)
    }

    struct Refused: Error, Equatable { let number: Int }

    func storedToken() async throws -> AccessToken? { stored }

    func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken {
        refreshes.append(token)
        let number = refreshes.all.count
        try await gate?.wait()
        if fails(number) { throw Refused(number: number) }
        return AccessToken("t\(number)", expiresAt: lifetime.map { time.date().addingTimeInterval($0.inSeconds) })
    }
}

/// Accepts one token at a time.
final class TokenServer: Sendable {
    private let valid: Mutex<String>
    let stub = StubTransport()

    /// - Parameter refusals: Holds back the answers to requests with another token.
    init(valid: String, refusals: Gate? = nil) {
        self.valid = Mutex(valid)
        stub.on(
            nil, "/**",
            .closure { [self] request in
                if request.headers[.authorization] == "Bearer \(self.current)" { return HTTPResponse(status: .ok) }
                try await refusals?.wait()
                return HTTPResponse(status: .unauthorized)
            })
    }

    var current: String { valid.withLock { $0 } }
    func accept(_ token: String) { valid.withLock { $0 = token } }
}

@Suite("Authentication")
struct AuthenticationTests {
    private let clock = ManualClock()
    private let base: RequestURL

    init() throws { base = try RequestURL("https://api.example.com/v1") }

    private func bearer(_ provider: any TokenProvider, leeway: Duration = .seconds(30)) -> BearerAuthentication {
        BearerAuthentication(provider: provider, baseURL: base, leeway: leeway, time: clock.timeSource)
    }

    @Test("Two hundred parallel 401s cause one refresh, and all are sent once more")
    func oneRefresh() async throws {
        let gate = Gate()
        let refusals = Gate()
        let provider = CountingProvider(stored: AccessToken("old"), gate: gate)
        let server = TokenServer(valid: "t1", refusals: refusals)
        let send = makeChain([bearer(provider)], transport: server.stub)
        let request = try makeRequest()
        let tasks = (0..<200).map { _ in Task { try await send(request).status } }
        try await refusals.waitForArrivals(200)
        refusals.open()
        try await gate.waitForArrivals(1)
        gate.open()
        for task in tasks { #expect(try await task.value == .ok) }
        #expect(provider.refreshes.all == [AccessToken("old")])
        #expect(server.stub.requests.count == 400)
    }

    @Test("A failed refresh fails all who wait, once; the next request tries again")
    func failedRefresh() async throws {
        let gate = Gate()
        let refusals = Gate()
        let provider = CountingProvider(stored: AccessToken("old"), gate: gate) { $0 == 1 }
        let server = TokenServer(valid: "t2", refusals: refusals)
        let send = makeChain([bearer(provider)], transport: server.stub)
        let request = try makeRequest()
        let tasks = (0..<50).map { _ in Task { await failure { _ = try await send(request) } } }
        try await refusals.waitForArrivals(50)
        refusals.open()
        try await gate.waitForArrivals(1)
        #expect(await eventually { server.stub.activeRequests == 0 })
        for _ in 0..<2000 { await Task.yield() }
        gate.open()
        for task in tasks {
            guard case .other(let error)? = await task.value else {
                Issue.record("expected the provider's error")
                continue
            }
            #expect(error as? CountingProvider.Refused == CountingProvider.Refused(number: 1))
        }
        #expect(provider.refreshes.all.count == 1)
        #expect(try await send(request).status == .ok)
        #expect(provider.refreshes.all.count == 2)
    }

    @Test("A 401 for a token that was replaced meanwhile is just sent again")
    func replacedMeanwhile() async throws {
        let gate = Gate()
        let provider = CountingProvider(stored: AccessToken("old"))
        let stub = StubTransport { request in
            let isOld = request.headers[.authorization] == "Bearer old"
            if isOld, request.url.path == "/late" { try await gate.wait() }
            return HTTPResponse(status: isOld ? 401 : 200)
        }
        let send = makeChain([bearer(provider)], transport: stub)
        let late = try makeRequest(.get, "/late")
        let task = Task { try await send(late).status }
        try await gate.waitForArrivals(1)
        #expect(try await send(makeRequest()).status == .ok)
        gate.open()
        #expect(try await task.value == .ok)
        #expect(provider.refreshes.all.count == 1)
    }

    @Test("A token is replaced ahead of its end, and used to its end when that fails")
    func aheadOfExpiry() async throws {
        let provider = CountingProvider(lifetime: .seconds(100), time: clock.timeSource) { $0 == 2 || $0 == 3 }
        let server = TokenServer(valid: "t1")
        let send = makeChain([bearer(provider)], transport: server.stub)
        let request = try makeRequest()
        #expect(try await send(request).status == .ok)
        clock.advance(by: .seconds(69))
        #expect(try await send(request).status == .ok)
        #expect(provider.refreshes.all.count == 1)
        clock.advance(by: .seconds(2))
        #expect(try await send(request).status == .ok)
        #expect(provider.refreshes.all.count == 2)
        clock.advance(by: .seconds(30))
        #expect(await failure { _ = try await send(request) } != nil)
        server.accept("t4")
        #expect(try await send(request).status == .ok)
        // Never a request with an expired token.
        #expect(
            server.stub.requests.map { $0.headers[.authorization] } == [
                "Bearer t1", "Bearer t1", "Bearer t1", "Bearer t4",
            ])
    }

    @Test("Cancelling one who waits does not cancel the refresh")
    func cancelledWaiter() async throws {
        let gate = Gate()
        let provider = CountingProvider(gate: gate)
        let server = TokenServer(valid: "t1")
        let send = makeChain([bearer(provider)], transport: server.stub)
        let request = try makeRequest()
        let first = Task { await failure { _ = try await send(request) } }
        try await gate.waitForArrivals(1)
        let second = Task { try await send(request).status }
        first.cancel()
        #expect(await first.value?.isCancellation == true)
        gate.open()
        #expect(try await second.value == .ok)
        #expect(provider.refreshes.all.count == 1)
    }

    @Test("The refresh may use the same client: its requests carry no token and do not wait for themselves")
    func refreshThroughSameClient() async throws {
        final class Box: TokenProvider {
            let send = Mutex<HTTPHandler?>(nil)
            let request: HTTPRequest
            init(_ request: HTTPRequest) { self.request = request }
            func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken {
                let handler = send.withLock { $0 }
                let response = try await handler?(request)
                return AccessToken(String(decoding: response?.body.data ?? Data(), as: UTF8.self))
            }
        }
        let stub = StubTransport()
        stub.on(.post, "/token") { request in
            DataResponse(status: request.headers.contains(.authorization) ? 400 : 200, body: Data("fresh".utf8))
        }
        stub.on(.get, "/users") { request in
            DataResponse(status: request.headers[.authorization] == "Bearer fresh" ? 200 : 401)
        }
        let box = Box(try makeRequest(.post, "/token"))
        let send = makeChain([bearer(box)], transport: stub)
        box.send.withLock { $0 = send }
        #expect(try await send(makeRequest()).status == .ok)
        #expect(stub.requests.map(\.url.path) == ["/token", "/users"])
    }

    @Test("A second 401 is the answer, and the next request gets a new token")
    func second401() async throws {
        let provider = CountingProvider(stored: AccessToken("old"))
        let server = TokenServer(valid: "t2")
        let send = makeChain([bearer(provider)], transport: server.stub)
        #expect(try await send(makeRequest()).status == .unauthorized)
        #expect(server.stub.requests.count == 2 && provider.refreshes.all.count == 1)
        #expect(try await send(makeRequest()).status == .ok)
        #expect(provider.refreshes.all.count == 2)
    }

    @Test("A one-shot body is not sent again; the next request gets a new token")
    func oneShot() async throws {
        let provider = CountingProvider(stored: AccessToken("old"))
        let server = TokenServer(valid: "t1")
        let send = makeChain([bearer(provider)], transport: server.stub)
        let body = HTTPBody.stream(AsyncStream<Data> { $0.finish() })
        #expect(try await send(makeRequest(.put, body: body)).status == .unauthorized)
        #expect(server.stub.requests.count == 1)
        #expect(try await send(makeRequest()).status == .ok)
        #expect(provider.refreshes.all.count == 1 && server.stub.requests.count == 2)
    }

    @Test("Credentials go to their origin alone, and never over the caller's own")
    func origins() async throws {
        let stub = StubTransport.accepting()
        let links: [any Interceptor] = [
            bearer(CountingProvider()), BasicAuthentication(username: "u", password: "p", baseURL: base),
            APIKeyAuthentication("secret 1", in: .header("X-Tenant"), baseURL: base),
            APIKeyAuthentication("secret&2", in: .query("appid"), baseURL: base),
        ]
        let send = makeChain(links, transport: stub)
        for foreign in ["https://evil.example.com", "http://api.example.com", "https://api.example.com:8443"] {
            _ = try await send(makeRequest(base: foreign))
            let request = try #require(stub.requests.last)
            #expect(request.headers.isEmpty && request.url.query == nil)
        }
        _ = try await send(makeRequest())
        let request = try #require(stub.requests.last)
        #expect(request.headers[.authorization] == "Bearer t1")
        #expect(request.headers["X-Tenant"] == "secret 1" && request.url.query == "appid=secret%262")
        #expect(!"\(request.summary)".contains("secret"))
        #expect(!request.curlCommand().contains("secret"))
        // A redirect to another origin leaves the key behind, whatever its field is called.
        let target = try RequestURL("https://other.example.com/")
        let redirected = try #require(RedirectRules.following(request, status: 302, target: target))
        #expect(redirected.headers.isEmpty)
        var own = try makeRequest()
        own.headers[.authorization] = "Custom 1"
        _ = try await send(own)
        #expect(stub.requests.last?.headers.values(for: .authorization) == ["Custom 1"])
    }

    @Test("Basic credentials are those of RFC 7617's example")
    func basic() async throws {
        let stub = StubTransport.accepting()
        let basic = BasicAuthentication(username: "Aladdin", password: "open sesame", baseURL: base)
        _ = try await makeChain([basic], transport: stub)(makeRequest())
        #expect(stub.requests.last?.headers[.authorization] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test("A token is never shown")
    func hidden() {
        let token = AccessToken("s3cr3t")
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("s3cr3t")) }
    }

    @Test("Over fifty thousand random steps there is one fetch at a time, and a refused token is never used again")
    func state() {
        var generator = SeededGenerator(seed: 8)
        var state = TokenState(leeway: .seconds(5))
        var date = Date(timeIntervalSince1970: 0)
        var refused: Set<String> = []
        var fetching = false
        var number = 0
        var used: [AccessToken] = []
        func check(_ action: TokenState.Action) {
            switch action {
            case .use(let token):
                #expect(!refused.contains(token.value))
                #expect(token.expiresAt.map { $0 > date } ?? true)
                used.append(token)
                if used.count > 20 { used.removeFirst() }
            case .fetch:
                #expect(!fetching)
                fetching = true
            case .wait: #expect(fetching)
            }
        }
        for _ in 0..<50_000 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2: check(state.beforeSending(date: date))
            case 3 where !used.isEmpty:
                let token = used[Int.random(in: used.indices, using: &generator)]
                refused.insert(token.value)
                let action = state.unauthorized(with: token, date: date)
                if case .use(let next) = action { #expect(next.value != token.value) } else { check(action) }
            case 4: date.addTimeInterval(Double.random(in: 0...4, using: &generator))
            case 5 where fetching:
                fetching = false
                number += 1
                let lifetime = Double.random(in: 6...30, using: &generator)
                state.fetched(
                    Bool.random(using: &generator)
                        ? AccessToken("\(number)", expiresAt: date.addingTimeInterval(lifetime)) : nil)
            default: break
            }
            #expect(state.isFetching == fetching)
        }
        #expect(number > 100)
    }
}
