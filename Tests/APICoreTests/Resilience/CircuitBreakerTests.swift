import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    private func admitted(_ admission: CircuitBreaker.Admission) -> CircuitBreaker.Ticket? {
        if case .allowed(let ticket) = admission { ticket } else { nil }
    }

    private func admit(_ breaker: inout CircuitBreaker, now: ContinuousClock.Instant) throws -> CircuitBreaker.Ticket {
        let admission = breaker.admit(now: now)
        return try #require(admitted(admission))
    }

    private func refusal(_ breaker: inout CircuitBreaker, now: ContinuousClock.Instant) -> Duration? {
        if case .refused(let retryAfter) = breaker.admit(now: now) { retryAfter } else { nil }
    }

    @Test("Opens at the ratio, refuses, probes, closes or opens again")
    func cycle() throws {
        var breaker = CircuitBreaker(
            CircuitBreaker.Limits(
                failureRatio: 0.5, minimumRequests: 10, window: .seconds(10), openDuration: .seconds(5)))
        for index in 0..<9 {
            let ticket = try admit(&breaker, now: start)
            breaker.record(index < 5 ? .success : .failure, ticket: ticket, now: start)
        }
        #expect(breaker.state == .closed)
        let last = try admit(&breaker, now: start)
        let late = try admit(&breaker, now: start)
        breaker.record(.failure, ticket: last, now: start)
        #expect(breaker.state == .open)
        #expect(refusal(&breaker, now: start) == .seconds(5))
        // One probe at a time; a cancelled one makes room; a late result of before says nothing.
        let probe = try admit(&breaker, now: start.advanced(by: .seconds(5)))
        #expect(breaker.state == .halfOpen)
        #expect(refusal(&breaker, now: start.advanced(by: .seconds(5))) == .zero)
        breaker.record(.failure, ticket: late, now: start.advanced(by: .seconds(5)))
        #expect(breaker.state == .halfOpen)
        breaker.record(.ignored, ticket: probe, now: start.advanced(by: .seconds(6)))
        let second = try admit(&breaker, now: start.advanced(by: .seconds(6)))
        breaker.record(.failure, ticket: second, now: start.advanced(by: .seconds(6)))
        #expect(refusal(&breaker, now: start.advanced(by: .seconds(10))) == .seconds(1))
        let third = try admit(&breaker, now: start.advanced(by: .seconds(11)))
        breaker.record(.success, ticket: third, now: start.advanced(by: .seconds(11)))
        #expect(breaker.state == .closed)
    }

    @Test("Failures outside the window do not count")
    func window() throws {
        var breaker = CircuitBreaker(CircuitBreaker.Limits(minimumRequests: 10, window: .seconds(10)))
        for index in 0..<1000 {
            let now = start.advanced(by: .seconds(index * 2))
            breaker.record(.failure, ticket: try admit(&breaker, now: now), now: now)
        }
        #expect(breaker.state == .closed)
    }

    @Test("Never more probes than allowed, over fifty thousand random steps")
    func random() {
        var generator = SeededGenerator(seed: 6)
        var breaker = CircuitBreaker(
            CircuitBreaker.Limits(
                failureRatio: 0.3, minimumRequests: 5, window: .seconds(1), openDuration: .seconds(1), probes: 3))
        var now = start
        var open: [(CircuitBreaker.Ticket, isProbe: Bool)] = []
        for _ in 0..<50_000 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...40, using: &generator)))
            if Bool.random(using: &generator), let ticket = admitted(breaker.admit(now: now)) {
                let isProbe = breaker.state == .halfOpen
                if isProbe, !open.contains(where: \.isProbe) { open.removeAll() }
                open.append((ticket, isProbe))
            } else if !open.isEmpty {
                let (ticket, _) = open.remove(at: Int.random(in: open.indices, using: &generator))
                let outcomes: [CircuitBreaker.Outcome] = [.success, .success, .failure, .ignored]
                let before = breaker.state
                breaker.record(outcomes[Int.random(in: 0..<4, using: &generator)], ticket: ticket, now: now)
                if before == .halfOpen, breaker.state != .halfOpen { open.removeAll() }
            }
            if breaker.state == .halfOpen { #expect(open.count { $0.isProbe } <= 3) }
        }
    }

    @Test("Requests are refused by origin, without being sent, and the error says why")
    func interceptor() async throws {
        let clock = ManualClock()
        let stub = StubTransport()
        stub.on(.get, "/**", .reply(DataResponse(status: 503)))
        let limits = CircuitBreaker.Limits(minimumRequests: 4, openDuration: .seconds(5))
        let breaker = CircuitBreakerInterceptor(limits: limits, time: clock.timeSource)
        let send = makeChain([breaker], transport: stub)
        let (request, other) = (try makeRequest(), try makeRequest(base: "https://other.example.com"))
        for _ in 0..<4 { _ = try await send(request) }
        #expect(breaker.state(of: request.url.origin) == .open)
        let error = try #require(await failure { _ = try await send(request) })
        let text = "ListUsers: GET https://api.example.com/users: not sent: https://api.example.com has been failing; "
        #expect("\(error)" == text + "the next attempt is in 5 s")
        _ = try await send(other)
        #expect(stub.requests.count == 5)
        clock.advance(by: .seconds(5))
        stub.on(.get, "/**", .reply(DataResponse(status: 200)))
        #expect(try await send(request).status == .ok)
        #expect(breaker.state(of: request.url.origin) == .closed)
    }

    @Test("A cancelled probe lets the next one through")
    func cancelledProbe() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let stub = StubTransport { request in
            if request.url.path == "/slow" { try await gate.wait() }
            return HTTPResponse(status: request.url.path == "/bad" ? 500 : 200)
        }
        let breaker = CircuitBreakerInterceptor(
            limits: CircuitBreaker.Limits(minimumRequests: 1, openDuration: .seconds(1)), time: clock.timeSource)
        let send = makeChain([breaker], transport: stub)
        _ = try await send(makeRequest(.get, "/bad"))
        clock.advance(by: .seconds(1))
        let slow = try makeRequest(.get, "/slow")
        let probe = Task { try await send(slow) }
        try await gate.waitForArrivals(1)
        probe.cancel()
        _ = await probe.result
        #expect(try await send(makeRequest()).status == .ok)
    }
}
