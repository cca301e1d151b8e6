import APICore
import APITesting
import Foundation
import Testing

private func request(
    _ method: HTTPMethod = .get, _ path: String = "/", body: HTTPBody = .none, delivery: ResponseDelivery = .buffered
) throws -> HTTPRequest {
    HTTPRequest(method: method, url: try RequestURL("http://stub.test" + path), body: body, delivery: delivery)
}

private struct User: Codable, Equatable, Sendable {
    var id: Int
}

private struct CreateUser: APIRequest {
    typealias Response = User
    let user: User
    let method = HTTPMethod.post
    let path = "users"
    var body: User { user }
}

@Suite struct StubTransportTests {
    @Test func answersAClient() async throws {
        let stub = StubTransport()
        stub.on(.post, "/v1/users") { _ in .json(#"{"id": 7}"#, status: .created) }
        let client = APIClient(environment: try APIEnvironment(baseURL: "http://stub.test/v1"), transport: stub)
        #expect(try await client.send(CreateUser(user: User(id: 1))) == User(id: 7))
        #expect(stub.records.map(\.text) == [#"{"id":1}"#])
        #expect(stub.requests.first?.headers[.contentType] == "application/json")
    }

    @Test func answersComeInSequenceAndTheLastStays() async throws {
        let stub = StubTransport()
        let lost = NetworkError.connectivity(ConnectivityFailure(.connectionLost, reason: "stub"))
        stub.on(.get, "/", .failure(lost), .reply(DataResponse(status: .ok)), .reply(DataResponse(status: .accepted)))
        let error = await #expect(throws: NetworkError.self) { try await stub.send(request()) }
        #expect(error?.request?.url == "http://stub.test/")
        #expect(try await stub.send(request()).status == .ok)
        #expect(try await stub.send(request()).status == .accepted)
        #expect(try await stub.send(request()).status == .accepted)
    }

    @Test func aRequestWithoutRouteFailsAndSaysWhy() async throws {
        let stub = StubTransport()
        stub.on(.get, "/a/:id")
        #expect(try await stub.send(request(.get, "/a/1")).status == .ok)
        let error = await #expect(throws: NetworkError.self) {
            try await stub.send(request(.post, "/a/1?token=secret"))
        }
        #expect(
            error?.description
                == "StubTransport: no route for POST http://stub.test/a/1?token=<redacted>; routes: GET /a/:id")
        #expect(stub.unmatchedRequests.count == 1)
    }

    @Test func streamedRequestBodiesAreRecorded() async throws {
        let stub = StubTransport()
        stub.on()
        let chunks = AsyncStream { continuation in
            for text in ["a", "b", "c"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        _ = try await stub.send(request(.put, body: .stream(chunks)))
        #expect(stub.records.map(\.text) == ["abc"])
        let path = "/nowhere/\(UUID().uuidString)"
        let error = await #expect(throws: NetworkError.self) { try await stub.send(request(.put, body: .file(path))) }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func delaysAreTakenFromTheClockAndCanBeCancelled() async throws {
        let clock = ManualClock()
        let stub = StubTransport(delay: .seconds(5), time: clock.timeSource)
        stub.on()
        let first = Task { try await stub.send(request()) }
        let second = Task { try await stub.send(request()) }
        try await clock.waitForSleepers(2)
        #expect(stub.activeRequests == 2)
        second.cancel()
        let error = await #expect(throws: NetworkError.self) { try await second.value }
        #expect(error?.isCancellation == true)
        clock.advance(by: .seconds(5))
        #expect(try await first.value.status == .ok)
        #expect(stub.activeRequests == 0)
        #expect(stub.maximumActiveRequests == 2)
    }

    @Test func streamedBodiesWaitForTheirReader() async throws {
        let body = StubBodySource()
        let stub = StubTransport { _ in HTTPResponse(head: ResponseHead(), body: .stream(body)) }
        body.send("one")
        body.send("two")
        let response = try await stub.send(request(delivery: .streamed))
        #expect(body.chunksTaken == 0)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        #expect(body.chunksTaken == 1)
        #expect(try await iterator.next() == Data("two".utf8))
        body.finish(trailers: ["X-Sum": "1"])
        #expect(try await iterator.next() == nil)
        #expect(response.body.trailers["X-Sum"] == "1")
        #expect(!body.isCancelled)
    }

    @Test func aBufferedRequestGetsItsBodyWhole() async throws {
        let stub = StubTransport { _ in
            HTTPResponse(head: ResponseHead(), body: .stream(StubBodySource([Data("a".utf8), Data("b".utf8)])))
        }
        #expect(try await stub.send(request()).body.data == Data("ab".utf8))
        var limited = try request()
        limited.options.maximumBodySize = 1
        let refused = limited
        let error = await #expect(throws: NetworkError.self) { try await stub.send(refused) }
        guard case .bodyTooLarge = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func lettingGoOfABodyCancelsIt() async throws {
        let body = StubBodySource()
        let stub = StubTransport { _ in HTTPResponse(head: ResponseHead(), body: .stream(body)) }
        _ = try await stub.send(request(delivery: .streamed))
        try await body.waitForCancellation()
    }

    @Test func cancellingAReaderCancelsTheBody() async throws {
        let body = StubBodySource()
        let stub = StubTransport { _ in HTTPResponse(head: ResponseHead(), body: .stream(body)) }
        let response = try await stub.send(request(delivery: .streamed))
        let reader = Task { try await response.body.collect() }
        try await body.waitForReads(1)
        reader.cancel()
        let error = await #expect(throws: NetworkError.self) { try await reader.value }
        #expect(error?.isCancellation == true)
        #expect(body.isCancelled)
    }

    @Test func aBodyBreaksAfterItsChunks() async throws {
        let body = StubBodySource(
            [Data("a".utf8)], failure: .truncated(TruncatedBody(received: 1, expected: 2)))
        #expect(try await body.next() == Data("a".utf8))
        await #expect(throws: NetworkError.self) { try await body.next() }
    }

    @Test func nothingIsSentAfterShutdown() async throws {
        let stub = StubTransport()
        stub.on()
        await stub.shutdown()
        #expect(stub.isShutDown)
        await #expect(throws: NetworkError.self) { try await stub.send(request()) }
        #expect(stub.requests.isEmpty)
    }

    @Test func requestsCanBeWaitedFor() async throws {
        let stub = StubTransport()
        stub.on()
        async let records = stub.waitForRequests(1)
        _ = try await stub.send(request(.head, "/x"))
        #expect(try await records.map(\.request.method) == [.head])
        await #expect(throws: WaitTimeout.self) { try await stub.waitForRequests(2, timeout: .milliseconds(1)) }
    }
}
