import Foundation
import Testing

@testable import APICore
@testable import APITesting

/// What one request came to.
private struct Parsed: Equatable {
    var line = ""
    var headers: [String] = []
    var content: [UInt8] = []
    var raw: [UInt8] = []
    var trailers: [String] = []
    var isComplete = false
}

private func parse(_ bytes: [UInt8], pieces: () -> Int) -> (requests: [Parsed], failure: String?) {
    var parser = RequestParser()
    var requests: [Parsed] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = rest.prefix(max(pieces(), 1))
        rest.removeFirst(piece.count)
        parser.feed(piece)
        while let event = parser.next() {
            switch event {
            case .head(let head):
                var parsed = Parsed()
                parsed.line = "\(head.method) \(head.target) \(head.version)"
                parsed.headers = head.headers.map { "\($0.name.rawValue)=\($0.value)" }
                parsed.raw = head.raw
                requests.append(parsed)
            case .content(let bytes):
                requests[requests.count - 1].content += bytes
                requests[requests.count - 1].raw += bytes
            case .framing(let bytes): requests[requests.count - 1].raw += bytes
            case .end(let trailers):
                requests[requests.count - 1].trailers = trailers.map { "\($0.name.rawValue)=\($0.value)" }
                requests[requests.count - 1].isComplete = true
            case .failure(let reason): return (requests, reason)
            }
        }
    }
    return (requests, nil)
}

@Suite struct RequestParserTests {
    @Test(arguments: [1, 2, 3, 7, 1000])
    func requestsComeOutTheSameHoweverTheyAreCut(size: Int) {
        let text =
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /form?a=1 HTTP/1.1\r\nhost:a\r\nContent-Length: 5\r\nX:  two words \t\r\n\r\nhello"
            + "\r\nPUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;ext=1\r\nhello\r\n1\r\n \r\n006\r\nworld!\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"
            + "DELETE /x HTTP/1.0\r\n\r\n"
        let (requests, failure) = parse(Array(text.utf8)) { size }
        #expect(failure == nil)
        #expect(
            requests.map(\.line) == [
                "GET / HTTP/1.1", "POST /form?a=1 HTTP/1.1", "PUT /c HTTP/1.1", "DELETE /x HTTP/1.0",
            ])
        #expect(requests.map { String(decoding: $0.content, as: UTF8.self) } == ["", "hello", "hello world!", ""])
        #expect(requests[1].headers == ["host=a", "Content-Length=5", "X=two words"])
        #expect(requests[2].trailers == ["X-Sum=1", "X-Sum=2"])
        #expect(requests.map(\.isComplete) == [true, true, true, true])
        let raw = requests.map { String(decoding: $0.raw, as: UTF8.self) }.joined()
        #expect(raw == text.replacingOccurrences(of: "hello\r\nPUT", with: "helloPUT"))
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", "request line"),
        ("GET  / HTTP/1.1\r\n\r\n", "request line"),
        ("GET / HTTP/2.0\r\n\r\n", "version"),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "header field"),
        ("GET / HTTP/1.1\r\n: empty\r\n\r\n", "header field"),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "length"),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "length"),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "length"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "transfer coding"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "chunk size"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n", "chunk size"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", "chunk size"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "longer than its size"),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", "request line"),
    ])
    func whatIsNoRequestIsRefusedWithAReason(text: String, reason: String) throws {
        let (_, failure) = parse(Array(text.utf8)) { 1000 }
        #expect(try #require(failure).contains(reason))
    }

    @Test func aHeadWithoutEndIsRefused() {
        let (_, failure) = parse([UInt8](repeating: 0x41, count: 2 << 20)) { 65_536 }
        #expect(failure == "the head is too long")
    }

    @Test func aSlowSenderCostsNoMoreThanAFastOne() {
        // One header of half a megabyte, byte by byte: searching again from the start each time would take minutes.
        var bytes = Array("GET / HTTP/1.1\r\nX: ".utf8)
        bytes += [UInt8](repeating: 0x41, count: 200_000)
        bytes += Array("\r\n\r\n".utf8)
        let (requests, failure) = parse(bytes) { 1 }
        #expect(failure == nil)
        #expect(requests.count == 1)
    }

    @Test func anyBytesInAnyPiecesDoNotCrash() {
        var random = SeededGenerator(seed: 7)
        let seeds = [
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\nhello world!",
            "PUT /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        ].map { Array($0.utf8) }
        for round in 0..<3000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
                }
            }
            let whole = parse(bytes) { .max }
            let cut = parse(bytes) { Int.random(in: 1...9, using: &random) }
            #expect(whole.requests == cut.requests, "round \(round)")
            #expect(whole.failure == cut.failure, "round \(round)")
        }
    }
}
