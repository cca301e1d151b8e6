import APICore
import APITesting
import Foundation
import Testing

@Suite struct StubServerTests {
    @Test func answersByMethodAndPathOverOneConnection() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/users/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "")}"#) }
        server.on(.post, "/users", .status(.created, headers: [.location: "/users/7"]))
        let output = try await Curl.run(
            server.url("/users/a%20b?x=1"), "--next", "-si", "-d", "name=Ann", server.url("/users"))
        #expect(output.status == 0)
        #expect(output.text.hasPrefix(#"{"id": a b}"#))
        #expect(output.text.contains("HTTP/1.1 201 Created\r\nLocation: /users/7\r\nContent-Length: 0\r\n\r\n"))
        let requests = server.requests
        #expect(requests.map(\.method) == [.get, .post])
        #expect(requests[0].target == "/users/a%20b?x=1")
        #expect(requests[0].queryItem("x") == "1")
        #expect(requests[1].text == "name=Ann")
        #expect(requests[1].headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(requests.map(\.connection) == [1, 1])
        #expect(server.counters.connectionsOpened == 1)
    }

    @Test func aRequestIsRecordedByteForByte() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.put, "/**", .ok)
        let request =
            "PUT /x?q=1 HTTP/1.1\r\nhOsT: a\r\nX-A:1\r\nX-A:  2 \r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;note\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 9\r\n\r\n"
        let (text, _) = try await RawClient.exchange(port: server.port, request, wanted: 38)
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let record = try #require(server.requests.first)
        #expect(String(decoding: record.rawBytes, as: UTF8.self) == request)
        #expect(record.text == "abcde")
        #expect(record.bodyLength == 5)
        #expect(record.headers.map(\.name.rawValue) == ["hOsT", "X-A", "X-A", "Transfer-Encoding"])
        #expect(record.headers.values(for: "x-a") == ["1", "2"])
        #expect(record.trailers["X-Sum"] == "9")
        #expect(record.isComplete)
    }

    @Test func answersComeInSequenceAndTheLastStays() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/", .status(.serviceUnavailable), .text("one"), .text("two"))
        let url = server.url("/")
        let output = try await Curl.run("-w", "%{http_code} ", url, url, url, url)
        #expect(output.text == "503 one200 two200 two200 ")
    }

    @Test func aLaterRouteComesFirstAndWithoutOneTheAnswerNamesThem() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/a", .text("first"))
        server.on(.get, "/a", .text("second"))
        let output = try await Curl.run(server.url("/a"), server.url("/b"))
        #expect(output.text == "secondStubServer: no route for GET /b\nroutes:\nGET /a\nGET /a\n")
        #expect(server.unmatchedRequests.map(\.target) == ["/b"])
        #expect(server.requests.count == 2)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/slow") { _ in
            try await gate.wait()
            return .text("slow")
        }
        server.on(.get, "/fast", .text("fast"))
        let requests = "GET /slow HTTP/1.1\r\n\r\nGET /fast HTTP/1.1\r\n\r\nGET /fast HTTP/1.0\r\n\r\n"
        async let exchange = RawClient.exchange(port: server.port, requests, pieces: 5)
        try await gate.waitForArrivals(1)
        #expect(server.requests.count == 1)
        gate.open()
        let (text, end) = try await exchange
        #expect(text.split(separator: "\r\n\r\n").map { $0.suffix(15) }.count == 4)
        #expect(text.contains("slowHTTP/1.1 200 OK"))
        #expect(text.hasSuffix("Connection: close\r\n\r\nfast"))
        #expect(end == .closed)
        #expect(server.requests.map(\.target) == ["/slow", "/fast", "/fast"])
    }

    @Test func headAndBodilessStatusesHaveNoBody() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(nil, "/text", .text("hello"))
        server.on(nil, "/204", .data(Data("x".utf8), status: .noContent))
        server.on(nil, "/304", .status(.notModified, headers: [.etag: "\"1\""]))
        let head = try await Curl.run("-I", server.url("/text"))
        #expect(head.text.hasSuffix("Content-Length: 5\r\n\r\n"))
        let requests = "GET /204 HTTP/1.1\r\n\r\nGET /304 HTTP/1.1\r\nConnection: close\r\n\r\n"
        let (text, _) = try await RawClient.exchange(port: server.port, requests)
        #expect(
            text == "HTTP/1.1 204 No Content\r\nContent-Type: application/octet-stream\r\n\r\n"
                + "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nConnection: close\r\n\r\n")
    }

    @Test func expectationsAreAnsweredBeforeTheBody() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.put, "/up", .text("done"))
        let output = try await Curl.run(
            "-v", "-H", "Expect: 100-continue", "-T", "/etc/hostname", server.url("/up"))
        #expect(output.standardError.contains("< HTTP/1.1 100 Continue"))
        #expect(output.text == "done")
        #expect(server.requests.first?.body == FileManager.default.contents(atPath: "/etc/hostname"))
    }

    @Test func anUploadIsRefusedBeforeItsBody() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.post, "/", answering: .afterHead, .text("too large", status: .contentTooLarge).closingConnection())
        let request = "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 1000)
        let (text, end) = try await RawClient.exchange(port: server.port, request)
        #expect(text.hasPrefix("HTTP/1.1 413"))
        #expect(text.hasSuffix("too large"))
        #expect(end == .closed)
        #expect(server.requests.first?.isComplete == false)
    }

    @Test func aKeptConnectionSurvivesAnEarlyAnswer() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.post, "/early", answering: .afterHeadWithoutReading, .text("early"))
        server.on(.get, "/", .text("next").closingConnection())
        let request =
            "POST /early HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 100_000)
            + "GET / HTTP/1.1\r\n\r\n"
        let (text, _) = try await RawClient.exchange(port: server.port, request)
        #expect(text.contains("earlyHTTP/1.1 200 OK"))
        #expect(text.hasSuffix("next"))
        #expect(server.requests.map(\.bodyLength) == [100_000, 0])
        #expect(server.requests.map(\.isComplete) == [true, true])
    }

    @Test func aConnectionThatEndsInTheBodyIsRemembered() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let request = Array("POST /up HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc".utf8)
        let (_, end) = try await RawClient.exchange(port: server.port, sending: request, halfClosing: true)
        #expect(end == .closed)
        let aborted = try await server.waitForAbortedRequests(1)
        #expect(aborted.map(\.text) == ["abc"])
        #expect(server.requests.isEmpty)
    }

    @Test func whatIsNoRequestIsAnsweredAndRemembered() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let (text, end) = try await RawClient.exchange(port: server.port, "nonsense\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(end == .closed)
        #expect(server.malformedRequests == [#"not a request line: "nonsense""#])
    }

    @Test func aClosureThatThrowsIsAnError500() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/sync") { _ in throw CancellationError() }
        server.on(.get, "/async") { _ in
            await Task.yield()
            throw CancellationError()
        }
        let output = try await Curl.run("-w", "%{http_code}", server.url("/sync"), server.url("/async"))
        #expect(output.text.components(separatedBy: "500").count == 3)
        #expect(output.text.contains("CancellationError"))
    }

    @Test func largeBodiesAreGeneratedAndCountedWithoutBeingKept() async throws {
        let server = try StubServer(options: StubServer.Options(recordedBodyLimit: 10))
        defer { server.stop() }
        server.on(.get, "/", .generated(length: 30_000_001))
        server.on(.post, "/", .ok)
        let output = try await Curl.run(server.url("/"))
        #expect(output.standardOutput.count == 30_000_001)
        for offset in [0, 1, 65_535, 65_536, 64_506, 64_507, 29_999_999, 30_000_000] {
            #expect(output.standardOutput[offset] == StubResponse.patternByte(at: offset))
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        try output.standardOutput.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await Curl.run("--data-binary", "@\(file.path)", server.url("/"))
        let upload = try #require(server.requests.last)
        #expect(upload.bodyLength == 30_000_001)
        #expect(upload.body == StubResponse.pattern(0..<10))
    }

    @Test func aStreamedBodyIsWrittenWhileTheTestGoesOn() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/events") { _ in
            .stream(contentType: "text/event-stream") { body in
                try await body.write("data: one\n\n")
                try await gate.wait()
                try await body.write("data: two\n\n")
            }
        }
        async let output = Curl.run("-i", "-N", server.url("/events"))
        try await gate.waitForArrivals(1)
        gate.open()
        let text = try await output.text
        #expect(text.hasSuffix("\r\n\r\ndata: one\n\ndata: two\n\n"))
        #expect(text.contains("Transfer-Encoding: chunked"))
    }

    @Test func aReaderThatGoesEndsTheStream() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let ended = Gate()
        server.on(.get, "/endless") { _ in
            .stream { body in
                defer { ended.open() }
                while true { try await body.write(String(repeating: "x", count: 100_000)) }
            }
        }
        let (_, end) = try await RawClient.exchange(port: server.port, "GET /endless HTTP/1.1\r\n\r\n", wanted: 500_000)
        #expect(end == .enough)
        try await ended.wait()
        try await server.waitForCounters { $0.openConnections == 0 && $0.activeRequests == 0 }
    }

    @Test func aSlowReaderHoldsTheWriterBack() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/", .generated(length: 200_000_000))
        // Reads 100 KB, then nothing until the time is over.
        let (_, end) = try await RawClient.exchange(port: server.port, "GET / HTTP/1.1\r\n\r\n", wanted: 100_000)
        #expect(end == .enough)
        #expect(server.counters.bytesSent < 50_000_000)
    }

    @Test func aThousandConnectionsWaitAtOnce() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(.get, "/") { _ in
            try await gate.wait()
            return .text("x").closingConnection()
        }
        let sockets = try (0..<1000).map { _ in try RawClient.connect(port: server.port) }
        defer { for socket in sockets { RawClient.close(socket) } }
        for socket in sockets { RawClient.send(socket, "GET / HTTP/1.1\r\n\r\n") }
        try await server.waitForCounters { $0.activeRequests == 1000 }
        #expect(server.counters.openConnections == 1000)
        try await gate.waitForArrivals(1000)
        gate.open()
        try await server.waitForCounters { $0.responsesCompleted == 1000 }
        for socket in sockets { #expect(RawClient.receive(socket).hasSuffix("\r\n\r\nx")) }
        #expect(server.counters.maximumActiveRequests == 1000)
        #expect(Set(server.requests.map(\.index)) == Set(0..<1000))
    }

    @Test func waitingGivesUpWithAReason() async throws {
        let server = try StubServer()
        defer { server.stop() }
        let error = await #expect(throws: WaitTimeout.self) {
            try await server.waitForRequests(1, timeout: .milliseconds(1))
        }
        #expect(error?.description.contains("for 1 requests; there are 0 requests") == true)
    }

    @Test func closedConnectionsCanBeOpenedAgain() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/", .noAnswer)
        async let first = RawClient.exchange(port: server.port, "GET / HTTP/1.1\r\n\r\n")
        try await server.waitForRequests(1)
        server.closeConnections()
        #expect(try await first.end == .closed)
        server.on(.get, "/", .text("again"))
        #expect(try await Curl.run(server.url("/")).text == "again")
    }

    @Test func stoppingEndsConnectionsAndTellsWaitingClosures() async throws {
        let server = try StubServer()
        let gate = Gate()
        let cancelled = Gate()
        server.on(.get, "/") { _ in
            do {
                try await gate.wait()
            } catch {
                cancelled.open()
            }
            return .ok
        }
        async let exchange = RawClient.exchange(port: server.port, "GET / HTTP/1.1\r\n\r\n")
        try await gate.waitForArrivals(1)
        server.stop()
        server.stop()
        #expect(try await exchange.end == .closed)
        try await cancelled.wait()
        #expect(server.requests.count == 1)
        #expect(server.counters.openConnections == 0)
    }

    // By the file of a Unix-domain socket: a port that has become free may be taken by a test next door.
    @Test func stoppingAndLettingGoFreeTheEndpoint() async throws {
        let path = temporaryPath()
        var server: StubServer? = try StubServer(.unixSocket(path: path))
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(throws: StubServerError.self) { try StubServer(.unixSocket(path: path)) }
        server?.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        server = try StubServer(.unixSocket(path: path))
        #expect(FileManager.default.fileExists(atPath: path))
        server = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aServerLetGoByItsOwnClosureStops() async throws {
        let path = temporaryPath()
        var server: StubServer? = try StubServer(.unixSocket(path: path))
        server?.on(.get, "/") { [server] _ in .text("\(server?.requests.count ?? 0)") }
        #expect(try await Curl.run("--unix-socket", path, "http://localhost/").text == "1")
        // The closure keeps the server: only stopping ends it, and forgetting the routes lets it go.
        server?.removeRoutes()
        server?.stop()
        server = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("s-\(UUID().uuidString.prefix(8))").path
    }

    @Test func aTakenPortIsAnError() throws {
        let server = try StubServer()
        defer { server.stop() }
        #expect(throws: StubServerError.self) { try StubServer(.loopback(port: server.port)) }
        #expect(throws: StubServerError.self) { try StubServer(.loopback(port: 70_000)) }
    }

    @Test func listensOnAUnixDomainSocket() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("s-\(UUID().uuidString.prefix(8))")
            .path
        let server = try StubServer(.unixSocket(path: path))
        server.on(.get, "/", .text("local"))
        #expect(try await Curl.run("--unix-socket", path, "http://localhost/").text == "local")
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: StubServerError.self) { try StubServer(.unixSocket(path: String(repeating: "x", count: 200))) }
    }
}
