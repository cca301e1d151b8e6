#if os(Linux)
import APILayer
import APITesting
import Synchronization

/// A retry that heeds Retry-After, a token refresh under parallel load, and a log without secrets.
enum ResilienceTour {
    private struct Report: APIRequest {
        typealias Response = [Int]
        let path = "report"
        let parameters: QueryParameters = ["api_key": "query-secret"]
    }

    /// Where tokens come from: each refresh gives the next number.
    private final class Tokens: TokenProvider {
        private let refreshes = Atomic(0)
        var count: Int { refreshes.load(ordering: .relaxed) }

        func storedToken() async throws -> AccessToken? { AccessToken("token-0") }

        func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken {
            AccessToken("token-\(refreshes.add(1, ordering: .relaxed).newValue)")
        }
    }

    /// Keeps what is logged.
    private final class Log: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        func write(_ message: LogMessage) { kept.withLock { $0.append("\(message)") } }
    }

    /// Runs everything.
    static func run(_ checklist: inout Checklist) async throws {
        let server = try StubServer()
        defer { server.stop() }
        try await retry(server, &checklist)
        try await refresh(server, &checklist)
    }

    private static func retry(_ server: StubServer, _ checklist: inout Checklist) async throws {
        checklist.section("A retry after 503 with Retry-After: 1, logged without secrets")
        server.on(.get, "/report", .status(.serviceUnavailable, headers: [.retryAfter: "1"]), .json("[1, 2, 3]"))
        let log = Log()
        let environment = try APIEnvironment(
            baseURL: server.url(""), headers: [.authorization(bearerToken: "header-secret")])
        let client = APIClient(
            environment: environment,
            interceptors: .standard() + [LoggingInterceptor(level: .headers) { log.write($0) }])
        let start = ContinuousClock.now
        let numbers = try await client.send(Report())
        let elapsed = ContinuousClock.now - start
        for line in log.lines { for part in line.split(separator: "\n") { checklist.show(String(part)) } }
        checklist.check(numbers == [1, 2, 3] && server.requests.count == 2, "answered at the second attempt")
        checklist.check(elapsed >= .seconds(1), "which waited as long as the server asked")
        let text = log.lines.joined()
        checklist.check(
            text.contains(SensitiveNames.placeholder) && !text.contains("query-secret")
                && !text.contains("header-secret"),
            "the log shows neither the key nor the token")
    }

    private static func refresh(_ server: StubServer, _ checklist: inout Checklist) async throws {
        checklist.section("An expired token, and thirty requests at once")
        server.on(.get, "/items/:id") { request in
            guard request.headers[.authorization] == "Bearer token-1" else { return .status(.unauthorized) }
            return .json("[\(request.parameters["id"] ?? "0")]")
        }
        let environment = try APIEnvironment(baseURL: server.url(""))
        let tokens = Tokens()
        let authentication = BearerAuthentication(provider: tokens, baseURL: environment.baseURL)
        let client = APIClient(environment: environment, interceptors: [authentication])
        let answers = try await (1...30).map { Endpoint(path: "items/\($0)") }.concurrentMap(limit: 30) { endpoint in
            let answer: [Int] = try await client.request(endpoint)
            return answer
        }
        checklist.check(answers.flatMap { $0 } == Array(1...30), "all thirty were answered, in order")
        checklist.check(tokens.count == 1, "by \(tokens.count) refresh")
    }
}
#endif
