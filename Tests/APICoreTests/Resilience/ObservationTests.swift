import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Observation")
struct ObservationTests {
    private let clock = ManualClock()

    struct Recorder: RequestObserver {
        let events = Log<RequestEvent>()
        func observe(_ event: RequestEvent) { events.append(event) }
    }

    @Test("An observer sees start, attempts, retry, responses and the end, with timings")
    func events() async throws {
        let stub = StubTransport()
        stub.on(
            .get, "/v1/users", .failure(.lost), .reply(.json("", status: 503, headers: [.retryAfter: "7"])),
            .reply(.json("[]")))
        let recorder = Recorder()
        let client = try APIClient(
            stub,
            interceptors: [
                ObservationInterceptor(recorder, time: clock.timeSource),
                RetryInterceptor(time: clock.timeSource, random: noJitter),
            ])
        _ = try await clock.running { try await client.load(Data.self, path: "users") }
        let what = recorder.events.all.map { event -> String in
            switch event.kind {
            case .started: "started"
            case .attempt: "attempt \(event.attempt)"
            case .retry(_, let delay): "retry \(delay.shortDescription)"
            case .response(let head, _): "\(head.status.rawValue)"
            case .failed: "failed"
            case .finished(let head, _, let duration):
                "finished \(head.status.rawValue) \(event.attempt) \(duration.shortDescription)"
            case .finishedWithError: "error"
            }
        }
        #expect(
            what == [
                "started", "attempt 1", "failed", "retry 200 ms", "attempt 2", "503", "retry 7 s", "attempt 3", "200",
                "finished 200 3 7.2 s",
            ])
        #expect(Set(recorder.events.all.map(\.identifier)).count == 1)
    }

    private func logged(
        _ level: LogLevel, _ request: HTTPRequest, status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:],
        body: String = "", failure error: NetworkError? = nil
    ) async -> [String] {
        let log = Log<LogMessage>()
        let clock = clock
        let transport = ClosureTransport { request throws(NetworkError) in
            clock.advance(by: .milliseconds(12))
            if let error { throw error }
            return HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
        }
        let logging = LoggingInterceptor(level: level, bodyLimit: 60, time: clock.timeSource) { log.append($0) }
        _ = await failure { _ = try await makeChain([logging], transport: transport)(request) }
        return log.all.map(\.text)
    }

    @Test("The log shows what its level says, and never a credential")
    func logging() async throws {
        var request = try makeRequest(
            .post, "/users?token=SECRET1&page=2", body: .text(#"{"password": "SECRET2", "name": "Ann"}"#))
        request.headers = [.authorization: "Bearer SECRET3", .contentType: "application/json", "X-Trace": "1"]
        let answer = #"{"access_token": {"inner": "SECRET4"}, "list": [1, 2], "text": "0123456789 0123456789"}"#
        let headers: HTTPHeaders = [.setCookie: "sid=SECRET5", .contentType: "application/json"]
        #expect(await logged(.off, request).isEmpty)
        #expect(await logged(.errors, request).isEmpty)
        let title = "ListUsers: POST https://api.example.com/users?token=<redacted>&page=2"
        #expect(await logged(.basic, request) == ["-> \(title)", "<- 200 OK after 12 ms: \(title)"])
        #expect(await logged(.errors, request, status: 500) == ["<- 500 Internal Server Error after 12 ms: \(title)"])
        #expect(
            await logged(.headers, request, headers: headers) == [
                "-> \(title)\n   Authorization: <redacted>\n   Content-Type: application/json\n   X-Trace: 1",
                "<- 200 OK after 12 ms: \(title)\n   Set-Cookie: <redacted>\n   Content-Type: application/json",
            ])
        let bodies = await logged(.bodies, request, headers: headers, body: answer)
        #expect(bodies[0].hasSuffix(#"{"password":"<redacted>", "name": "Ann"}"#), "\(bodies[0])")
        #expect(bodies[1].hasSuffix("… (\(answer.utf8.count) bytes)"), "\(bodies[1])")
        for text in bodies { #expect(!text.contains("SECRET")) }
        let failed = await logged(.errors, request, failure: .lost)
        #expect(failed == ["!! after 12 ms: \(title): the connection was lost: test"])
    }

    @Test("Names can be added, and bodies that are forms or not text are treated as such")
    func redaction() {
        let names = SensitiveNames.standard.adding(fields: ["pin"])
        let form = MediaType("application/x-www-form-urlencoded")
        let shown = BodyText.text(of: Data("a=1&p%69n=77&password=x".utf8), mediaType: form, limit: 99, names: names)
        #expect(shown == "a=1&p%69n=<redacted>&password=<redacted>")
        let json = BodyText.text(of: Data(#"{"PIN":1234,"b":2}"#.utf8), mediaType: nil, limit: 99, names: names)
        #expect(json == #"{"PIN":"<redacted>","b":2}"#)
        let png = MediaType("image/png")
        #expect(
            BodyText.text(of: Data([0, 1, 255]), mediaType: png, limit: 9, names: names) == "(3 bytes of image/png)")
        #expect(BodyText.text(of: Data("ab€".utf8), mediaType: nil, limit: 4, names: names) == "ab… (5 bytes)")
    }

    @Test("A secret is never shown, wherever a body is cut")
    func cutting() {
        let body = #"{"user": "ann", "password": "SECRET", "nested": {"api_key": ["SECRET", {"x": "SECRET"}]}, "z": 1}"#
        for limit in 0...body.utf8.count {
            let text = BodyText.text(of: Data(body.utf8), mediaType: nil, limit: limit, names: .standard)
            #expect(!text.contains("SE"), "\(limit): \(text)")
        }
    }

    @Test("curl commands are quoted for a shell, and redacted unless asked otherwise")
    func curl() async throws {
        #expect(try makeRequest().curlCommand() == "curl 'https://api.example.com/users'")
        var request = try makeRequest(.post, "/a?key=S1", body: .text(#"{"token":"S2","it":"Ann's $HOME `x`"}"#))
        request.headers = [.authorization: "Bearer S3", "X-Empty": "", .contentType: "application/json"]
        #expect(
            request.curlCommand()
                == #"curl -X POST 'https://api.example.com/a?key=<redacted>' -H 'Authorization: <redacted>' "#
                + #"-H 'X-Empty;' -H 'Content-Type: application/json' "#
                + #"--data-raw '{"token":"<redacted>","it":"Ann'\''s $HOME `x`"}'"#)
        let full = request.curlCommand(redacting: nil)
        for secret in ["S1", "S2", "S3"] { #expect(full.contains(secret)) }
        #expect(try makeRequest(.head).curlCommand() == "curl --head 'https://api.example.com/users'")
        let file = try makeRequest(.put, body: .file("/tmp/it's"))
        #expect(file.curlCommand().hasSuffix(#"--data-binary '@/tmp/it'\''s'"#))
        let binary = try makeRequest(.put, body: .data(Data([0, 255])))
        #expect(binary.curlCommand().hasSuffix("--data-binary @- # 2 bytes of binary data on standard input"))
    }

    @Test("A shell reads the command as it was meant")
    func shell() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        var request = try makeRequest(.post, "/a", body: .text("it's \"$HOME\"\n`id` \\ !"))
        request.headers = ["X-A": "a'b"]
        let command = request.curlCommand(redacting: nil).dropFirst(4)
        process.arguments = ["-c", "printf '%s|' \(command)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            output == "-X|POST|https://api.example.com/a|-H|X-A: a'b|--data-raw|it's \"$HOME\"\n`id` \\ !|")
    }

    @Test(
        "traceparent is read as the specification says",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-holds", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.what", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-", false),
            ("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0", false),
            ("0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false), ("", false), ("00", false),
            ("00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01", false),
        ])
    func traceparent(text: String, isValid: Bool) {
        #expect((TraceContext(traceparent: text) != nil) == isValid)
    }

    @Test("Two traceparents are none; a bad tracestate is dropped, a good one passed on")
    func tracestate() throws {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03"
        #expect(TraceContext(headers: ["traceparent": parent, "traceparent": parent]) == nil)
        let good = TraceContext(headers: ["Traceparent": parent, "tracestate": "a=1,", "tracestate": "t@v=2"])
        #expect(good?.state == "a=1,, t@v=2" && good?.flags == 3)
        for bad in ["A=1", "a", "=1", "a=", (0..<33).map { "k\($0)=1" }.joined(separator: ","), "a=\u{7}"] {
            let context = try #require(TraceContext(traceparent: parent, tracestate: bad))
            #expect(context.state == nil, "\(bad)")
        }
    }

    @Test("Requests continue the task's trace as spans of their own, or begin one")
    func propagation() async throws {
        let stub = StubTransport.accepting()
        let send = makeChain([TracePropagationInterceptor(random: .seeded(9))], transport: stub)
        let incoming = try #require(
            TraceContext(
                traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "v=1"))
        try await TraceContext.$current.withValue(incoming) {
            for _ in 0..<2 { _ = try await send(makeRequest()) }
        }
        _ = try await send(makeRequest())
        var own = try makeRequest()
        own.headers[.traceparent] = "mine"
        _ = try await send(own)
        let sent = stub.requests.map { TraceContext(headers: $0.headers) }
        #expect(sent[0]?.traceID == incoming.traceID && sent[1]?.traceID == incoming.traceID)
        #expect(Set([sent[0]?.parentID, sent[1]?.parentID, incoming.parentID]).count == 3)
        #expect(sent[0]?.state == "v=1" && sent[0]?.isSampled == true)
        #expect(sent[2] != nil && sent[2]?.traceID != incoming.traceID && sent[2]?.state == nil)
        #expect(stub.requests[3].headers[.traceparent] == "mine")
        // All-zero randomness still gives valid identifiers.
        #expect(TraceContext(traceparent: TraceContext.generate(random: noJitter).traceparent) != nil)
    }
}
