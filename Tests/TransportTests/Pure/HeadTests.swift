import APICore
import Testing

@testable import CurlTransport

/// Reading heads: whatever comes, no crash.
struct HeadTests {
    private func scan(_ lines: [String], bytes: Int = 10_000, count: Int = 100) -> (HeadScan, [HeadScan.Line]) {
        var scan = HeadScan()
        let result = lines.map { line in
            Array(line.utf8).withUnsafeBytes { scan.take($0, limits: .init(bytes: bytes, count: count)) }
        }
        return (scan, result)
    }

    @Test func findsTheFinalHeadAndTheTrailers() {
        let (scan, lines) = scan([
            "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/2 200\r\n", "content-length: 5\r\n",
            "Content-Encoding: gzip\r\n", "\r\n", "X-Sum: 1\r\n", "\r\n",
        ])
        #expect(
            lines == [
                .statusLine, .field, .interimEnd, .statusLine, .field, .field, .end, .trailer, .ignored,
            ])
        #expect(scan.status == 200)
        #expect(scan.contentLength == 5)
        #expect(scan.isMultiplexed)
        #expect(scan.contentEncoding?.trimmed == "gzip")
    }

    @Test(arguments: ["2, 3", "", " ", "-1", "+1", "0x10", "1 2", "99999999999999999999999", "5,"])
    func badLengths(_ value: String) {
        let (_, lines) = scan(["HTTP/1.1 200 OK\r\n", "Content-Length: \(value)\r\n"])
        guard case .failure = lines.last else { return #expect(Bool(false), "\(value)") }
    }

    @Test(arguments: ["5", " 5 ", "5, 5", "\t5\t", "005"])
    func goodLengths(_ value: String) {
        let (scan, _) = scan(["HTTP/1.1 200 OK\r\n", "Content-Length: \(value)\r\n"])
        #expect(scan.contentLength == 5)
    }

    @Test func limits() {
        let (_, long) = scan(["HTTP/1.1 200 OK\r\n", "X: \(String(repeating: "x", count: 100))\r\n"], bytes: 50)
        guard case .failure = long.last else { return #expect(Bool(false)) }
        let (_, many) = scan(["HTTP/1.1 200 OK\r\n", "X: 1\r\n", "X: 2\r\n"], count: 2)
        guard case .failure = many.last else { return #expect(Bool(false)) }
    }

    @Test func parsesAHead() throws {
        let text = "HTTP/1.1 404 Not Found\r\nA:  1 \r\nb:2\r\nB: 3\r\n folded\r\nEmpty:\r\nbad line\r\n\r\n"
        let head = try #require(HeadParser.parse(Array(text.utf8), url: nil))
        #expect(head.status == .notFound)
        #expect(head.version == .http1_1)
        #expect(head.headers.values(for: "b") == ["2", "3 folded"])
        #expect(head.headers["A"] == "1")
        #expect(head.headers["Empty"] == "")
        #expect(HeadParser.parse(Array("HTTP/2 200\r\n\r\n".utf8), url: nil)?.version == .http2)
    }

    @Test func anyBytesAreSurvived() {
        var generator = SeededRandom(seed: 11)
        let seed = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n folded\r\n\r\n".utf8)
        for _ in 0..<5000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                }
            }
            _ = HeadParser.parse(bytes, url: nil)
            _ = HeadParser.fields(bytes)
            var scan = HeadScan()
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
                rest[..<end].withUnsafeBytes { _ = scan.take($0, limits: .init(bytes: 10_000, count: 100)) }
                rest = rest[end...]
            }
        }
    }
}
