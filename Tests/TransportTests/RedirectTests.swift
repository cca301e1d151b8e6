import APICore
import Foundation
import Synchronization
import Testing

/// Redirects (RFC 9110 section 15.4), as the interceptor follows them over a transport.
@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    /// Sends through the interceptor.
    private func send(
        _ transport: any HTTPTransport, _ request: HTTPRequest, policy: RedirectPolicy = .follow
    ) async throws -> DataResponse {
        let handler: HTTPHandler = { (request) async throws(NetworkError) in try await transport.send(request) }
        return try await RedirectInterceptor(policy: policy).intercept(request, next: handler).collected()
    }

    /// Redirects `/from` with a status, and says what came elsewhere.
    private func server(_ status: String, location: String = "/to") throws -> WireServer {
        try WireServer { connection in
            while let request = connection.readRequest() {
                if request.target.hasPrefix("/from") {
                    connection.respond(status, headers: "Location: \(location)\r\n", "moved")
                } else {
                    connection.respond("200 OK", "\(request.method) \(request.target)")
                }
            }
        }
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let status: String
        let method: HTTPMethod
        let becomes: HTTPMethod
        let keepsBody: Bool
        var testDescription: String { "\(status) \(method)" }
    }

    static let rules: [Rule] = [
        Rule(status: "301 Moved Permanently", method: .get, becomes: .get, keepsBody: false),
        Rule(status: "301 Moved Permanently", method: .post, becomes: .get, keepsBody: false),
        Rule(status: "301 Moved Permanently", method: .put, becomes: .put, keepsBody: true),
        Rule(status: "302 Found", method: .post, becomes: .get, keepsBody: false),
        Rule(status: "302 Found", method: .delete, becomes: .delete, keepsBody: true),
        Rule(status: "303 See Other", method: .post, becomes: .get, keepsBody: false),
        Rule(status: "303 See Other", method: .put, becomes: .get, keepsBody: false),
        Rule(status: "303 See Other", method: .head, becomes: .head, keepsBody: false),
        Rule(status: "307 Temporary Redirect", method: .post, becomes: .post, keepsBody: true),
        Rule(status: "308 Permanent Redirect", method: .patch, becomes: .patch, keepsBody: true),
    ]

    @Test(arguments: SuiteTransport.everywhere, rules)
    func methodAndBody(_ transport: SuiteTransport, _ rule: Rule) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/from" {
                    let text = request.method == "HEAD" ? "" : "moved"
                    connection.respond(rule.status, headers: "Location: /to\r\n", text)
                } else {
                    connection.respond()
                }
            }
        }
        let body: HTTPBody = rule.method == .get || rule.method == .head ? .none : .text("payload")
        let request = HTTPRequest(
            method: rule.method, url: try RequestURL(server.url + "/from"),
            headers: ["Authorization": "secret", "X-Other": "1"], body: body)
        let response = try await send(transport(), request)
        #expect(response.head.url?.path == "/to")
        let second = try #require(server.requests.last)
        #expect(server.requests.count == 2)
        #expect(second.method == rule.becomes.rawValue)
        #expect(second.body == (rule.keepsBody ? Data("payload".utf8) : Data()))
        #expect(second["Content-Type"] == (rule.keepsBody ? "text/plain; charset=UTF-8" : nil))
        // The same origin: credentials stay, and so does the connection.
        #expect(second["Authorization"] == "secret")
        #expect(second["X-Other"] == "1")
        #expect(server.connectionCount == 1)
    }

    @Test(
        arguments: SuiteTransport.all,
        [
            ("to", "/a/to"), ("./to?x=1", "/a/to?x=1"), ("../to", "/to"), ("/to", "/to"), ("?q", "/a/from?q"),
            ("to#part", "/a/to"), ("//HOST/to", "/to"), ("http://HOST/to%20x", "/to%20x"), ("/to x", "/to%20x"),
        ])
    func relativeReferences(_ transport: SuiteTransport, _ reference: (location: String, target: String)) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/a/from" {
                    let host = request["Host"] ?? ""
                    let location = reference.location.replacingOccurrences(of: "HOST", with: host)
                    connection.respond("302 Found", headers: "Location: \(location)\r\n")
                } else {
                    connection.respond()
                }
            }
        }
        let request = HTTPRequest(url: try RequestURL(server.url + "/a/from"))
        _ = try await send(transport(), request)
        #expect(server.requests.last?.target == reference.target)
    }

    @Test(arguments: SuiteTransport.everywhere)
    func anotherOriginGetsNoCredentials(_ transport: SuiteTransport) async throws {
        let other = try WireServer { connection in
            while connection.readRequest() != nil { connection.respond("200 OK", "other") }
        }
        let server = try server("307 Temporary Redirect", location: other.url + "/to")
        let request = HTTPRequest(
            method: .post, url: try RequestURL(server.url + "/from"),
            headers: [
                "Authorization": "secret", "Cookie": "a=1", "X-Api-Key": "secret", "Proxy-Authorization": "secret",
                "X-Other": "1",
            ], body: .text("payload"))
        #expect(try await send(transport(), request).text == "other")
        let received = try #require(other.requests.first)
        for name in ["Authorization", "Cookie", "X-Api-Key", "Proxy-Authorization"] { #expect(received[name] == nil) }
        #expect(received["X-Other"] == "1")
        #expect(received["Host"] == "127.0.0.1:\(other.port)")
        #expect(received.body == Data("payload".utf8))
    }

    @Test(arguments: SuiteTransport.everywhere)
    func theLimitIsExact(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                let number = Int(request.target.dropFirst()) ?? 0
                number == 3
                    ? connection.respond("200 OK", "there")
                    : connection.respond("302 Found", headers: "Location: /\(number + 1)\r\n")
            }
        }
        let transport = transport()
        let request = HTTPRequest(url: try RequestURL(server.url + "/0"))
        #expect(try await send(transport, request, policy: RedirectPolicy(limit: 3)).text == "there")
        let error = await failure { try await send(transport, request, policy: RedirectPolicy(limit: 2)) }
        guard case .redirect(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .tooMany(limit: 2))
        #expect(failure.chain == (0...3).map { server.url + "/\($0)" })
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.everywhere)
    func aCircleEnds(_ transport: SuiteTransport) async throws {
        let server = try server("302 Found", location: "/from")
        let error = await failure {
            try await send(transport(), HTTPRequest(url: RequestURL(server.url + "/from")))
        }
        guard case .redirect(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .tooMany(limit: 10))
        #expect(server.requests.count == 11)
    }

    @Test(
        arguments: SuiteTransport.all,
        ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:pw@127.0.0.1/", "http://", "javascript:alert(1)"])
    func onlyHTTPIsFollowed(_ transport: SuiteTransport, _ location: String) async throws {
        let server = try server("302 Found", location: location)
        let error = await failure {
            try await send(transport(), HTTPRequest(url: RequestURL(server.url + "/from")))
        }
        guard case .redirect(let failure) = error, case .invalidTarget = failure.kind else {
            throw TestFailure("\(String(describing: error))")
        }
    }

    @Test(arguments: SuiteTransport.everywhere)
    func thePolicyDecides(_ transport: SuiteTransport) async throws {
        let server = try server("302 Found")
        let transport = transport()
        var request = HTTPRequest(url: try RequestURL(server.url + "/from"))
        request.options.redirects = .never
        let stopped = try await send(transport, request)
        #expect(stopped.head.status == .found)
        #expect(stopped.text == "moved")
        request.options.redirects = RedirectPolicy { head, next in
            var next = next
            next.headers["X-Decided"] = "\(head.status.rawValue)"
            return next
        }
        _ = try await send(transport, request)
        #expect(server.requests.last?["X-Decided"] == "302")
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func aBodyThatIsGoneCannotFollow(_ transport: SuiteTransport) async throws {
        let server = try server("307 Temporary Redirect")
        let request = HTTPRequest(
            method: .post, url: try RequestURL(server.url + "/from"),
            body: .stream(StreamingTests.Chunks(texts: ["once"])))
        let error = await failure { try await send(transport(), request) }
        guard case .redirect(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .bodyNotReplayable)
    }

    @Test(arguments: SuiteTransport.all)
    func theAddressFilterIsAskedOnEveryHop(_ transport: SuiteTransport) async throws {
        let other = try WireServer(family: AF_INET6) { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let server = try server("302 Found", location: "http://[::1]:\(other.port)/to")
        let asked = Mutex<[String]>([])
        let options = RequestOptions(
            addressFilter: AddressFilter { address in
                asked.withLock { $0.append("\(address)") }
                return address.isIPv4
            })
        let request = HTTPRequest(url: try RequestURL(server.url + "/from"), options: options)
        let error = await failure { try await send(transport(), request) }
        guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .addressRefused)
        #expect(asked.withLock { $0.last } == "::1")
        #expect(other.connectionCount == 0)
    }
}
