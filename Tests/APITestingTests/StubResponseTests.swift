import APICore
import APITesting
import Foundation
import Testing

/// What goes over the wire, byte for byte, and how it breaks.
@Suite struct StubResponseTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: StubResponse
        let wire: String
        let end: RawClient.End
    }

    private static let cases = [
        Case(
            testDescription: "text", response: .text("hi"),
            wire: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\nhi",
            end: .silent),
        Case(
            testDescription: "own content type", response: .json("1", headers: [.contentType: "x/y"]),
            wire: "HTTP/1.1 200 OK\r\nContent-Type: x/y\r\nContent-Length: 1\r\n\r\n1", end: .silent),
        Case(
            testDescription: "unknown status", response: .status(HTTPStatusCode(299)),
            wire: "HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n", end: .silent),
        Case(
            testDescription: "closing", response: .ok.closingConnection(),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", end: .closed),
        Case(
            testDescription: "chunks with trailers", response: .chunks(["a", "bcd"], trailers: ["X-Sum": "1"]),
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n3\r\nbcd\r\n0\r\nX-Sum: 1\r\n\r\n",
            end: .silent),
        Case(
            testDescription: "bytes in one chunk", response: .data(Data("ab".utf8), contentType: nil).framed(.chunked),
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", end: .silent),
        Case(
            testDescription: "until close", response: .data(Data("ab".utf8), contentType: nil).framed(.untilClose),
            wire: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nab", end: .closed),
        Case(
            testDescription: "too long a length closes",
            response: .data(Data("ab".utf8), contentType: nil).announcing(contentLength: 5),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nab", end: .closed),
        Case(
            testDescription: "too short a length",
            response: .data(Data("abc".utf8), contentType: nil).announcing(contentLength: 1),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc", end: .silent),
        Case(
            testDescription: "own framing fields are sent as they are",
            response: .data(Data("z".utf8), contentType: nil, headers: [.transferEncoding: "chunked"]),
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz", end: .silent),
        Case(
            testDescription: "repeated fields stay apart",
            response: .ok.header(.setCookie, "a=1").header(.setCookie, "b=2"),
            wire: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n", end: .silent),
        Case(
            testDescription: "interim responses",
            response: .ok.preceded(by: .processing).preceded(by: .earlyHints, headers: [.link: "</a.css>"]),
            wire: "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", end: .silent),
        Case(
            testDescription: "raw", response: .raw("HTTP/1.1 200 \r\n\r\n"), wire: "HTTP/1.1 200 \r\n\r\n", end: .silent
        ),
        Case(testDescription: "raw and close", response: .raw("garbage", closing: true), wire: "garbage", end: .closed),
        Case(
            testDescription: "generated", response: .generated(length: 3) { Data("abcdef".utf8)[$0] },
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", end: .silent),
        Case(
            testDescription: "generated too short is filled", response: .generated(length: 3) { _ in Data("a".utf8) },
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\0\0", end: .silent),
        Case(testDescription: "no answer", response: .noAnswer, wire: "", end: .silent),
        Case(testDescription: "closed", response: .closed, wire: "", end: .closed),
        Case(testDescription: "reset", response: .reset, wire: "", end: .reset),
        Case(
            testDescription: "closes within the status line", response: .text("hello").closing(at: .byte(8)),
            wire: "HTTP/1.1", end: .closed),
        Case(
            testDescription: "closes within the body",
            response: .data(Data("hello".utf8), contentType: nil).closing(at: .bodyByte(2)),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", end: .closed),
        Case(
            testDescription: "resets within the body",
            response: .data(Data("hello".utf8), contentType: nil).resetting(at: .bodyByte(2)),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", end: .reset),
        Case(
            testDescription: "stalls after the head",
            response: .data(Data("hello".utf8), contentType: nil).stalling(at: .bodyByte(0)),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", end: .silent),
        Case(
            testDescription: "closes within a chunk", response: .chunks(["hello"]).closing(at: .bodyByte(5)),
            wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", end: .closed),
        Case(
            testDescription: "a fault behind the end happens at the end",
            response: .data(Data("hello".utf8), contentType: nil).closing(at: .bodyByte(50)),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", end: .closed),
        Case(
            testDescription: "a fault within raw bytes",
            response: .raw("HTTP/1.1 200\r\n\r\nabc").closing(at: .bodyByte(1)),
            wire: "HTTP/1.1 200\r\n\r\na", end: .closed),
        Case(
            testDescription: "redirect", response: .redirect(to: "/x", status: .permanentRedirect),
            wire: "HTTP/1.1 308 Permanent Redirect\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", end: .silent),
    ]

    @Test(arguments: cases)
    private func goesOverTheWireExactly(_ example: Case) async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/", example.response)
        let (text, end) = try await RawClient.exchange(
            port: server.port, "GET / HTTP/1.1\r\n\r\n", silence: .milliseconds(150))
        #expect(text == example.wire)
        #expect(end == example.end)
    }

    @Test func delaysAndDripsTakeTheirTime() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/delay", .text("x").delayed(by: .milliseconds(50)).closingConnection())
        server.on(.get, "/body", .text("x").bodyDelayed(by: .milliseconds(50)).closingConnection())
        server.on(.get, "/drip", .text("abcdef").dripping(2, every: .milliseconds(25)).closingConnection())
        for path in ["/delay", "/body", "/drip"] {
            let start = ContinuousClock.now
            let (text, end) = try await RawClient.exchange(port: server.port, "GET \(path) HTTP/1.1\r\n\r\n")
            #expect(ContinuousClock.now - start >= .milliseconds(50), "\(path)")
            #expect(text.hasSuffix(path == "/drip" ? "abcdef" : "x"))
            #expect(end == .closed)
        }
    }

    @Test func theHeadArrivesBeforeADelayedBody() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/", .text("x").bodyDelayed(by: .seconds(60)))
        let (text, end) = try await RawClient.exchange(
            port: server.port, "GET / HTTP/1.1\r\n\r\n", silence: .milliseconds(100))
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(end == .silent)
        try await server.waitForCounters { $0.openConnections == 0 && $0.activeRequests == 0 }
    }

    @Test func aStreamThatFailsBreaksTheBody() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/") { _ in
            .stream { body in
                try await body.write("abc")
                throw CancellationError()
            }
        }
        let (text, end) = try await RawClient.exchange(port: server.port, "GET / HTTP/1.1\r\n\r\n")
        #expect(text.hasSuffix("3\r\nabc\r\n"))
        #expect(end == .closed)
    }

    @Test func theGeneratedPatternIsTheSameInAnyPieces() {
        let whole = StubResponse.pattern(0..<200_000)
        for (index, byte) in whole.enumerated() where index % 997 == 0 {
            #expect(byte == StubResponse.patternByte(at: index))
        }
        #expect(StubResponse.pattern(64_400..<130_000) == whole[64_400..<130_000])
        #expect(StubResponse.pattern(5..<5).isEmpty)
    }
}
