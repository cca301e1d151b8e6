import APICore
import Foundation
import Testing

/// How answers are framed, and what is wrong with them (RFC 9112 sections 4 to 8).
@Suite(.timeLimit(.minutes(1)))
struct FramingTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: String
        var method = HTTPMethod.get
        var status = 200
        var body = ""
        var headers: [String: String] = [:]
        var testDescription: String { name }
    }

    static let good: [Answer] = [
        Answer(name: "no reason phrase", bytes: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer(name: "empty reason phrase", bytes: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer(
            name: "odd header case", bytes: "HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh: 2\r\nx-oDD: v\r\n\r\nok", body: "ok",
            headers: ["X-Odd": "v"]),
        Answer(name: "204 with a length", bytes: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", status: 204),
        Answer(name: "304 with a length", bytes: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", status: 304),
        Answer(
            name: "HEAD with a length", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", method: .head,
            headers: ["Content-Length": "500"]),
        Answer(
            name: "no length hint", bytes: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end",
            body: "until the end"),
        Answer(name: "HTTP/1.0", bytes: "HTTP/1.0 200 OK\r\n\r\nold", body: "old"),
        Answer(
            name: "empty chunked body", bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Answer(
            name: "chunked with an extension",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            body: "abcde"),
        Answer(
            name: "empty header value", bytes: "HTTP/1.1 200 OK\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n",
            headers: ["X-Empty": ""]),
        Answer(
            name: "equal lengths twice", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
            body: "ok"),
        Answer(name: "unusual status", bytes: "HTTP/1.1 299 Odd\r\nContent-Length: 0\r\n\r\n", status: 299),
        Answer(name: "very unusual status", bytes: "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", status: 999),
        Answer(
            name: "not found", bytes: "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", status: 404,
            body: "gone"),
        Answer(
            name: "interim answers first",
            bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer(
            name: "folded header", bytes: "HTTP/1.1 200 OK\r\nX-Long: a\r\n  b\r\nContent-Length: 0\r\n\r\n",
            headers: ["X-Long": "a b"]),
        Answer(
            name: "Unicode in a header", bytes: "HTTP/1.1 200 OK\r\nX-Name: Zoë\r\nContent-Length: 0\r\n\r\n",
            headers: ["X-Name": "Zoë"]),
    ]

    @Test(arguments: SuiteTransport.all, good)
    func takesAnswer(_ transport: SuiteTransport, _ answer: Answer) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            connection.write(answer.bytes)
        }
        let transport = transport()
        let response = try await transport.fetch(answer.method, server.url)
        #expect(response.head.status.rawValue == answer.status)
        #expect(response.text == answer.body)
        for (name, value) in answer.headers { #expect(response.head.headers[HTTPHeaderKey(name)] == value) }
        let streamed = try await transport.stream(answer.method, server.url)
        #expect(streamed.status.rawValue == answer.status)
        #expect(String(decoding: try await streamed.body.collect(), as: UTF8.self) == answer.body)
        await transport.shutdown()
    }

    enum Wrong: Sendable { case invalid, truncated, lost }

    static let bad: [(String, Wrong)] = [
        ("SSH-2.0-OpenSSH_9.2\r\n", .invalid),
        ("\u{1}\u{2}\u{3}\u{4}\r\n\r\n", .invalid),
        ("HTTP/9.9 200 OK\r\n\r\n", .invalid),
        ("HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n", .invalid),
        ("HTTP/1.1 020 OK\r\nContent-Length: 0\r\n\r\n", .invalid),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nok!", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2a\r\n\r\nok", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nok", .invalid),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", .truncated),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .truncated),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", .truncated),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcde\r\n", .lost),
        ("", .lost),
        ("HTTP/1.1 200 OK\r\nX-A: 1\r\n", .lost),
    ]

    @Test(arguments: SuiteTransport.all, bad)
    func refusesAnswer(_ transport: SuiteTransport, _ answer: (String, Wrong)) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            connection.write(answer.0)
        }
        let transport = transport()
        for delivery in [ResponseDelivery.buffered, .streamed] {
            let error = await failure {
                try await transport.send(HTTPRequest(url: RequestURL(server.url), delivery: delivery)).collected()
            }
            switch (error, answer.1) {
            case (.invalidResponse, .invalid), (.truncated, .truncated): break
            case (.connectivity(let failure), .lost): #expect(failure.kind != .connectionRefused)
            default: Issue.record("\(delivery) \(answer.0.debugDescription): \(String(describing: error))")
            }
            #expect(error?.request != nil)
        }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func saysHowMuchOfATruncatedBodyCame(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
        }
        let error = await failure { try await transport().get(server.url) }
        guard case .truncated(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.received == 5)
        #expect(failure.expected == 10)
    }

    @Test(arguments: SuiteTransport.all)
    func limitsTheHead(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.write("HTTP/1.1 200 OK\r\n")
            let line = request.target == "/long" ? "X-Filler: \(String(repeating: "x", count: 1000))\r\n" : "X: 1\r\n"
            // Endless, until the other side has enough.
            while connection.write(line) {}
        }
        let transport = transport {
            $0.maximumHeaderSize = 20_000
            $0.maximumHeaderCount = 100
        }
        for path in ["/long", "/many"] {
            let error = await failure { try await transport.get(server.url + path) }
            guard case .invalidResponse = error else { throw TestFailure("\(path): \(String(describing: error))") }
        }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func endlessInterimAnswersEnd(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            while connection.write("HTTP/1.1 102 Processing\r\n\r\n") {}
        }
        let error = await failure { try await transport().get(server.url) }
        guard case .invalidResponse = error else { throw TestFailure("\(String(describing: error))") }
    }

    @Test(arguments: SuiteTransport.all)
    func keepsRepeatedFieldsApart(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            connection.respond(headers: "Set-Cookie: a=1\r\nX-List: one\r\nSet-Cookie: b=2\r\nX-List: two\r\n")
        }
        let response = try await transport().fetch(
            .get, server.url, headers: ["X-Multi": "1", "x-multi": "2", "X-Empty": "", "X-Text": "é"])
        #expect(response.head.headers.values(for: .setCookie) == ["a=1", "b=2"])
        #expect(response.head.headers[joined: "X-List"] == "one, two")
        let request = try #require(server.requests.first)
        #expect(request.values("x-multi") == ["1", "2"])
        #expect(request.values("X-Empty") == [""])
        #expect(request["X-Text"] == "é")
    }

    @Test(arguments: SuiteTransport.all)
    func readsTrailers(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            _ = connection.readRequest()
            connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nX-Sum: 42\r\n\r\n")
        }
        let response = try await transport().stream(.get, server.url)
        #expect(response.headers["X-Sum"] == nil)
        #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "abc")
        #expect(response.body.trailers["X-Sum"] == "42")
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
