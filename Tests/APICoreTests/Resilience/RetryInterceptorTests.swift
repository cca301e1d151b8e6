import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Retry")
struct RetryInterceptorTests {
    private let clock = ManualClock()
    private let stub = StubTransport()

    private func handler(_ policy: RetryPolicy) -> HTTPHandler {
        makeChain(
            [RetryInterceptor(policy: policy, time: clock.timeSource, random: noJitter)], transport: stub)
    }

    @Test("Waits what the server asks, and sends again")
    func retryAfter() async throws {
        stub.on(.get, "/users", .reply(.json("", status: 503, headers: [.retryAfter: "30"])), .reply(.json("[]")))
        let send = handler(RetryPolicy())
        let request = try makeRequest()
        let response = try await clock.running { try await send(request) }
        #expect(response.status == 200 && response.attempt == 2)
        #expect(clock.requestedSleeps == [.seconds(30)])
        #expect(stub.requests.map(\.context.attempt) == [1, 2])
    }

    @Test("Five thousand attempts, all delays in range, no real sleeping")
    func thousands() async throws {
        stub.on(.get, "/users", .failure(.lost))
        let policy = RetryPolicy(
            maximumAttempts: 5000, baseDelay: .milliseconds(10), maximumDelay: .seconds(60), budget: nil)
        let retry = RetryInterceptor(policy: policy, time: clock.timeSource, random: .seeded(3))
        let send = makeChain([retry], transport: stub)
        let request = try makeRequest()
        let error = await failure { _ = try await clock.running { try await send(request) } }
        #expect(stub.requests.count == 5000)
        #expect(clock.requestedSleeps.allSatisfy { $0 >= .milliseconds(10) && $0 <= .seconds(60) })
        #expect(error?.request?.attempt == 5000)
        #expect("\(try #require(error))".contains("GET https://api.example.com/users (attempt 5000)"))
    }

    @Test("The error of an answer names its attempt")
    func attemptInError() async throws {
        stub.on(.get, "/v1/users", .reply(.json(#"{"message": "down"}"#, status: 503)))
        let client = try APIClient(
            stub, interceptors: [RetryInterceptor(time: clock.timeSource, random: noJitter)])
        let error = await failure {
            _ = try await clock.running { try await client.load(Data.self, path: "users") }
        }
        let text = "\(try #require(error))"
        #expect(text.contains("(attempt 3): 503 Service Unavailable") && text.contains("down"), "\(text)")
    }

    @Test("A POST is sent once, one with an idempotency key again with the same key")
    func post() async throws {
        stub.on(nil, "/pay", .failure(.lost))
        let send = handler(RetryPolicy())
        let plain = try makeRequest(.post, "/pay", body: .text("1"))
        #expect(await failure { _ = try await send(plain) } != nil)
        #expect(stub.requests.count == 1 && clock.requestedSleeps.isEmpty)
        var keyed = try makeRequest(.post, "/pay", body: .text("1"), options: RequestOptions(idempotencyKey: "k1"))
        keyed.headers[.idempotencyKey] = "k1"
        let sent = keyed
        #expect(await failure { _ = try await clock.running { try await send(sent) } } != nil)
        #expect(stub.requests.dropFirst().map { $0.headers[.idempotencyKey] } == ["k1", "k1", "k1"])
        #expect(stub.records.dropFirst().allSatisfy { $0.text == "1" })
    }

    @Test("Cancelling ends the wait and the attempts")
    func cancellation() async throws {
        stub.on(.get, "/users", .failure(.lost))
        let send = handler(RetryPolicy(maximumAttempts: 10))
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        try await clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(stub.requests.count == 1 && clock.sleepers == 0)
    }

    @Test("The budget is shared by all requests of the interceptor")
    func budget() async throws {
        stub.on(.get, "/users", .failure(.lost))
        let limits = RetryBudget.Limits(ratio: 0.1, minimumPerSecond: 0, window: .seconds(100))
        let send = handler(RetryPolicy(baseDelay: .zero, maximumDelay: .zero, budget: limits))
        let request = try makeRequest()
        for _ in 0..<200 { _ = await failure { _ = try await send(request) } }
        #expect(stub.requests.count == 220)
    }

    @Test("A body that breaks off is tried again when it is wanted whole, not when it is streamed")
    func brokenBody() async throws {
        struct Broken: ResponseBodySource {
            func next() async throws(NetworkError) -> Data? {
                throw .truncated(TruncatedBody(received: 3, expected: 9))
            }
            func cancel() {}
        }
        let transport = ClosureTransport { request in
            request.context.attempt == 1
                ? HTTPResponse(head: ResponseHead(), body: .stream(Broken())) : HTTPResponse(status: .ok)
        }
        let retry = RetryInterceptor(time: clock.timeSource, random: noJitter)
        let send = makeChain([retry], transport: transport)
        let (whole, streamed) = (try makeRequest(), try makeRequest(delivery: .streamed))
        #expect(try await clock.running { try await send(whole) }.attempt == 2)
        let stream = try await send(streamed)
        #expect(await failure { _ = try await stream.body.collect() } != nil)
        #expect(transport.requests.count == 3)
    }

    @Test("A response that is dropped ends its transfer")
    func droppedBody() async throws {
        final class Source: ResponseBodySource {
            let cancelled = Log<Bool>()
            func next() async throws(NetworkError) -> Data? { nil }
            func cancel() { cancelled.append(true) }
        }
        let source = Source()
        let transport = ClosureTransport { request in
            request.context.attempt == 1
                ? HTTPResponse(head: ResponseHead(status: 503), body: .stream(source)) : HTTPResponse(status: .ok)
        }
        let send = makeChain([RetryInterceptor(time: clock.timeSource, random: noJitter)], transport: transport)
        let request = try makeRequest()
        _ = try await clock.running { try await send(request) }
        #expect(!source.cancelled.all.isEmpty)
    }
}

extension DataResponse {
    static func json(_ text: String, status: HTTPStatusCode, headers: HTTPHeaders) -> DataResponse {
        var response = DataResponse.json(text, status: status)
        response.head.headers.merge(headers)
        return response
    }
}
