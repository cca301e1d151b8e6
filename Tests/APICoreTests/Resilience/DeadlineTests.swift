import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Deadlines and attempt timeouts")
struct DeadlineTests {
    private let clock = ManualClock()
    private let never = Gate()

    private func hanging() -> StubTransport {
        let never = never
        return StubTransport { _ in
            try await never.wait()
            return HTTPResponse(status: .ok)
        }
    }

    @Test("The deadline ends a request, its retries and waits included")
    func overall() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .failure(.lost))
        let policy = RetryPolicy(maximumAttempts: 1000, baseDelay: .seconds(1), maximumDelay: .seconds(1), budget: nil)
        let send = makeChain(
            [
                DeadlineInterceptor(limit: .milliseconds(10_500), time: clock.timeSource),
                RetryInterceptor(policy: policy, time: clock.timeSource, random: noJitter),
            ], transport: stub)
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        for _ in 0..<10 {
            // The deadline's timer, and the retry's wait.
            try await clock.waitForSleepers(2)
            clock.advance(by: .seconds(1))
        }
        let error = await task.value
        // The last attempt's own error comes as soon as the next one would be too late.
        guard case .connectivity(let lost)? = error else { throw try #require(error) }
        #expect(lost.request?.attempt == 11 && stub.requests.count == 11)
        #expect(clock.elapsed == .seconds(10))
    }

    @Test("A request that hangs is cancelled at its deadline")
    func hangs() async throws {
        let stub = hanging()
        let send = makeChain([DeadlineInterceptor(limit: .seconds(3), time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        try await clock.waitForSleepers(1)
        try await never.waitForArrivals(1)
        clock.advance(by: .seconds(3))
        let error = try #require(await task.value)
        #expect("\(error)" == "ListUsers: GET https://api.example.com/users: deadline of 3 s expired")
        #expect(stub.activeRequests == 0)
    }

    @Test("The earliest of request, task and interceptor holds; nested calls inherit what is left")
    func travels() async throws {
        let seen = Log<Duration?>()
        let (clock, start) = (clock, clock.now)
        let inner = makeChain(
            [DeadlineInterceptor(time: clock.timeSource)],
            transport: ClosureTransport { request in
                seen.append(request.context.deadline.map { start.duration(to: $0) })
                return HTTPResponse(status: .ok)
            })
        let nested = try makeRequest()
        let outer = makeChain(
            [DeadlineInterceptor(limit: .seconds(30), time: clock.timeSource)],
            transport: ClosureTransport { _ throws(NetworkError) in
                clock.advance(by: .seconds(1))
                return try await inner(nested)
            })
        let plain = try makeRequest()
        _ = try await outer(plain)
        var bounded = plain
        bounded.context.deadline = start.advanced(by: .seconds(20))
        let request = bounded
        _ = try await outer(request)
        try await RequestDeadline.with(.seconds(8), time: clock.timeSource) { _ = try await outer(request) }
        // An inner scope cannot extend the outer one.
        try await RequestDeadline.at(start.advanced(by: .seconds(9))) {
            try await RequestDeadline.with(.seconds(100), time: clock.timeSource) { _ = try await outer(request) }
        }
        _ = try await inner(nested)
        #expect(seen.all == [.seconds(30), .seconds(20), .seconds(10), .seconds(9), nil])
    }

    @Test("A deadline in the past sends nothing")
    func past() async throws {
        let stub = StubTransport.accepting()
        let send = makeChain([DeadlineInterceptor(time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let error = await failure {
            try await RequestDeadline.with(.zero, time: clock.timeSource) { _ = try await send(request) }
        }
        #expect(error?.timeoutKind == .deadline && stub.requests.isEmpty)
    }

    @Test("An attempt that hangs is followed by another")
    func attemptTimeout() async throws {
        let never = never
        let stub = StubTransport { request in
            if request.context.attempt == 1 { try await never.wait() }
            return HTTPResponse(status: .ok)
        }
        let send = makeChain(
            [
                RetryInterceptor(time: clock.timeSource, random: noJitter),
                AttemptTimeoutInterceptor(limit: .seconds(2), time: clock.timeSource),
            ], transport: stub)
        let request = try makeRequest()
        let task = Task { try await send(request) }
        try await never.waitForArrivals(1)
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(200))
        #expect(try await task.value.attempt == 2)
        #expect(stub.requests.count == 2 && clock.elapsed == .milliseconds(2200))
    }

    @Test("Cancelling is a cancellation, not a timeout; an answer in time leaves no timer behind")
    func endings() async throws {
        let hanging = hanging()
        let send = makeChain(
            [AttemptTimeoutInterceptor(limit: .seconds(2), time: clock.timeSource)], transport: hanging)
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        try await clock.waitForSleepers(1)
        try await never.waitForArrivals(1)
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        never.open()
        #expect(try await send(request).status == .ok)
        #expect(clock.sleepers == 0)
    }
}
