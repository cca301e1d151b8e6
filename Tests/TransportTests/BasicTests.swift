import APICore
import Foundation
import Testing

/// What every transport does with ordinary exchanges, seen on the wire.
@Suite(.timeLimit(.minutes(1)))
struct BasicTests {
    @Test(arguments: SuiteTransport.everywhere)
    func getsABody(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while connection.readRequest() != nil {
                connection.respond(headers: "X-One: 1\r\nContent-Type: text/plain\r\n", "hello")
            }
        }
        let transport = transport()
        let response = try await transport.fetch(
            .get, server.url + "/a/../b?c=%2F&d=+", headers: ["X-Own": "mine", "Accept": "text/plain"])
        #expect(response.head.status == .ok)
        #expect(response.head.version == .http1_1)
        #expect(response.head.headers["x-one"] == "1")
        #expect(response.text == "hello")
        let request = try #require(server.requests.first)
        #expect(request.line == "GET /b?c=%2F&d=+ HTTP/1.1")
        #expect(request["X-Own"] == "mine")
        #expect(request["Host"] == "127.0.0.1:\(server.port)")
        #expect(request["Content-Length"] == nil)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func postsABody(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                connection.respond("201 Created", String(decoding: request.body, as: UTF8.self))
            }
        }
        let transport = transport()
        for size in [0, 1, 1000, 70_000, 2_000_000] {
            let text = String(repeating: "x", count: size)
            let response = try await transport.fetch(.post, server.url, body: .text(text))
            #expect(response.head.status == .created)
            #expect(response.text == text)
            let request = try #require(server.requests.last)
            #expect(request["Content-Length"] == "\(size)")
            #expect(request["Content-Type"] == "text/plain; charset=UTF-8")
            #expect(request["Expect"] == nil)
            #expect(request["Transfer-Encoding"] == nil)
        }
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }
}
