import APICore
import Foundation
import Testing

/// Content codings (RFC 9110 section 8.4).
@Suite(.timeLimit(.minutes(1)))
struct CodingTests {
    static let text = "hello, coded world"

    private func server(_ coding: String, _ body: Data, status: String = "200 OK") throws -> WireServer {
        try WireServer { connection in
            while let request = connection.readRequest() {
                connection.write("HTTP/1.1 \(status)\r\nContent-Encoding: \(coding)\r\n")
                connection.write("Content-Length: \(body.count)\r\n\r\n")
                if request.method != "HEAD" { connection.write(body) }
            }
        }
    }

    @Test(arguments: SuiteTransport.all)
    func asksForWhatItCanDecode(_ transport: SuiteTransport) async throws {
        let server = try server("gzip", Coded.gzip)
        let response = try await transport().get(server.url)
        #expect(response.text == CodingTests.text)
        #expect(response.head.headers[.contentEncoding] == nil)
        #expect(response.head.headers[.contentLength] == nil)
        #expect(server.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: SuiteTransport.all, Coded.all)
    func decodes(_ transport: SuiteTransport, _ coded: Coded) async throws {
        let server = try server(coded.coding, coded.bytes)
        let transport = transport()
        #expect(try await transport.get(server.url).text == CodingTests.text)
        let streamed = try await transport.stream(.get, server.url)
        #expect(String(decoding: try await streamed.body.collect(), as: UTF8.self) == CodingTests.text)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func identityIsLeftAlone(_ transport: SuiteTransport) async throws {
        let server = try server("identity", Data("plain".utf8))
        #expect(try await transport().get(server.url).text == "plain")
    }

    @Test(arguments: SuiteTransport.all)
    func anUnknownCodingIsTheCallers(_ transport: SuiteTransport) async throws {
        let server = try server("aws-chunked", Data("as it came".utf8))
        let transport = transport()
        let response = try await transport.get(server.url)
        #expect(response.text == "as it came")
        #expect(response.head.headers[.contentEncoding] == "aws-chunked")
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func emptyBodiesHaveNothingToDecode(_ transport: SuiteTransport) async throws {
        let transport = transport()
        let empty = try server("gzip", Data())
        #expect(try await transport.get(empty.url).text == "")
        let whole = try server("gzip", Coded.gzip)
        let head = try await transport.fetch(.head, whole.url)
        #expect(head.text == "")
        #expect(head.head.headers[.contentEncoding] == "gzip")
        let unchanged = try WireServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n")
            }
        }
        #expect(try await transport.get(unchanged.url).head.status == .notModified)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func aRangeIsNotDecoded(_ transport: SuiteTransport) async throws {
        let server = try server("gzip", Coded.gzip.prefix(10), status: "206 Partial Content")
        let transport = transport()
        let response = try await transport.fetch(
            .get, server.url, headers: [.range: "bytes=0-9", .acceptEncoding: HTTPHeader.defaultAcceptEncoding.value])
        #expect(response.body == Coded.gzip.prefix(10))
        #expect(response.head.headers[.contentEncoding] == "gzip")
        #expect(server.requests.first?["Accept-Encoding"] == "identity")
        // The next request over the same handle asks again.
        _ = try? await transport.get(server.url)
        #expect(server.requests.last?["Accept-Encoding"]?.contains("gzip") == true)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func decodingCanBeTurnedOff(_ transport: SuiteTransport) async throws {
        let server = try server("gzip", Coded.gzip)
        let response = try await transport { $0.decompression = .disabled }.get(server.url)
        #expect(response.body == Coded.gzip)
        #expect(server.requests.first?["Accept-Encoding"] == nil)
    }

    @Test(arguments: SuiteTransport.all)
    func brokenCodingsAreErrors(_ transport: SuiteTransport) async throws {
        let server = try server("gzip", Data("this is no gzip".utf8))
        let error = await failure { try await transport().get(server.url) }
        guard case .invalidResponse = error else { throw TestFailure("\(String(describing: error))") }
    }

    @Test(arguments: [SuiteTransport.curl])
    func aSecondMemberIsAnErrorAndNotLost(_ transport: SuiteTransport) async throws {
        let server = try server("gzip", Coded.twoMembers.bytes)
        let error = await failure { try await transport().get(server.url) }
        guard case .invalidResponse = error else { throw TestFailure("\(String(describing: error))") }
    }

    @Test(arguments: SuiteTransport.all)
    func aBombIsStopped(_ transport: SuiteTransport) async throws {
        let server = try server(Coded.bomb.coding, Coded.bomb.bytes)
        let transport = transport()
        let error = await failure { try await transport.get(server.url) }
        guard case .bodyTooLarge(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.reason != nil)
        let streamed = await TransportTests.failure { () async throws -> Int in
            var size = 0
            for try await chunk in try await transport.stream(.get, server.url).body { size += chunk.count }
            return size
        }
        guard case .bodyTooLarge = streamed else { throw TestFailure("\(String(describing: streamed))") }
        // The limit on the decoded size comes first when it is lower.
        let options = RequestOptions(maximumBodySize: 50_000)
        let limited = await TransportTests.failure { try await transport.get(server.url, options: options) }
        guard case .bodyTooLarge(let failure) = limited else { throw TestFailure("\(String(describing: limited))") }
        #expect(failure.limit == 50_000)
        await transport.shutdown()
    }
}
