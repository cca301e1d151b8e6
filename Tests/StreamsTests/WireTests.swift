#if os(Linux)
import APICore
import APITesting
import CurlTransport
import Foundation
import Testing

/// Streams, forms and downloads over sockets.
struct WireTests {
    private struct At: Requestable {
        let path: String
        init(_ path: String) { self.path = path }
    }
    private struct Send: APIRequest {
        typealias Response = String
        let content: HTTPBody
        let method = HTTPMethod.post
        let path = "form"
        var body: HTTPBody { content }
    }
    private struct Row: Codable, Sendable, Equatable { let n: Int }

    private func client(_ server: StubServer) -> APIClient {
        APIClient(environment: APIEnvironment(baseURL: server.url), transport: CurlTransport())
    }

    @Test func eventsArriveWhileTheStreamGoesOnAndConnectAgain() async throws {
        let server = try StubServer()
        let gate = Gate()
        server.on(.get, "/events") { request in
            guard request.headers["Last-Event-ID"] != "2" else { return .status(.noContent) }
            return .stream(contentType: "text/event-stream") { body in
                try await body.write("retry: 1\nid: 1\ndata: one\n\n")
                try await gate.wait()
                try await body.write("id: 2\ndata: two\n\n")
            }
        }
        var data: [String] = []
        for try await event in client(server).events(for: At("events")) {
            // The second event is sent once the first has arrived.
            gate.open()
            data.append(event.data)
        }
        #expect(data == ["one", "two"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2"])
        #expect(server.requests.allSatisfy { $0.headers[.accept] == "text/event-stream" })
    }

    @Test func leavingAStreamEndsItsConnection() async throws {
        let server = try StubServer()
        server.on(.get, "/events") { _ in
            .stream(contentType: "text/event-stream") { body in
                while true { try await body.write("data: x\n\n") }
            }
        }
        for try await _ in client(server).events(for: At("events")) { break }
        try await server.waitForCounters { $0.activeRequests == 0 }
    }

    @Test func jsonLines() async throws {
        let server = try StubServer()
        server.on(.get, "/rows", .chunks(["{\"n\":1}\n{\"n", "\":2}\n", "{\"n\":3}"]))
        for round in 0..<100 {
            let response = try await client(server).stream(At("rows"))
            let body = try await response.body.collect()
            #expect(body.count == 23, "\(round) \(response.head)")
        }
        var rows: [Row] = []
        for try await row in client(server).jsonLines(of: Row.self, for: At("rows")) { rows.append(row) }
        #expect(rows.map(\.n) == [1, 2, 3])
    }

    @Test func aFormWithAFileAsItIsSent() async throws {
        let (server, folder) = (try StubServer(), try Folder())
        server.on(.post, "/form", .json("\"ok\""))
        let content = StubResponse.pattern(0..<1_500_000)
        try content.write(to: URL(fileURLWithPath: folder.path("a.bin")))
        let body = HTTPBody.multipart(boundary: "B") {
            FormPart("title", "x\ny")
            FormPart("file", file: folder.path("a.bin"))
        }
        let transfer = client(server).upload(Send(content: body))
        var last: TransferProgress?
        for try await progress in transfer { last = progress }
        #expect(last?.bytes == body.length && last?.total == body.length)
        let request = try #require(server.requests.first)
        #expect(request.headers[.contentLength] == body.length.map { "\($0)" })
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=B")
        let head =
            "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx\r\ny\r\n--B\r\n"
            + "Content-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n"
        #expect(request.body == Data(head.utf8) + content + Data("\r\n--B--\r\n".utf8))
    }

    @Test func aFormOfUnknownLengthGoesInChunks() async throws {
        let server = try StubServer()
        server.on(.post, "/form", .json("\"ok\""))
        let chunks = AsyncStream<Data> { continuation in
            for _ in 0..<10 { continuation.yield(Data(repeating: 0x61, count: 10_000)) }
            continuation.finish()
        }
        _ = try await client(server).send(Send(content: .multipart { FormPart("s", stream: chunks) }))
        let request = try #require(server.requests.first)
        #expect(request.headers[.transferEncoding] == "chunked")
        #expect(request.body.count > 100_000)
    }

    @Test func aDownloadSurvivesResetsOnTheWay() async throws {
        let (server, folder) = (try StubServer(), try Folder())
        let length = 3_000_000
        server.on(.get, "/file") { request in
            let first = request.headers[.range].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            var response = StubResponse.generated(length: length - first, headers: [.etag: "\"v\""]) {
                StubResponse.pattern(($0.lowerBound + first)..<($0.upperBound + first))
            }
            if first > 0 {
                response.status = .partialContent
                response.headers[.contentRange] = "bytes \(first)-\(length - 1)/\(length)"
            }
            return length - first > 1_000_000 ? response.resetting(at: .bodyByte(900_000)) : response
        }
        let policy = ReconnectionPolicy(maximumAttempts: 10, delay: .milliseconds(1))
        let file = try await client(server).download(
            At("file"), to: folder.path("a"), options: DownloadOptions(reconnection: policy)
        ).value
        #expect(file.length == length && folder.names == ["a"])
        #expect(FileManager.default.contents(atPath: folder.path("a")) == StubResponse.pattern(0..<length))
        #expect(server.requests.count > 2)
        #expect(server.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
    }

    @Test func pages() async throws {
        struct ListRows: APIRequest {
            typealias Response = [Row]
            let path = "rows"
        }
        let server = try StubServer()
        server.on(.get, "/rows") { request in
            let page = Int(request.queryItem("page") ?? "1") ?? 1
            let headers: HTTPHeaders = page < 3 ? [.link: "<?page=\(page + 1)>; rel=\"next\""] : [:]
            return .json(#"[{"n":\#(page)}]"#, headers: headers)
        }
        var rows: [Row] = []
        for try await row in client(server).pages(ListRows(), by: .linkHeader, prefetches: true).items {
            rows.append(row)
        }
        #expect(rows.map(\.n) == [1, 2, 3])
    }
}
#endif
