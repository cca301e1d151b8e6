import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Hedging")
struct HedgingTests {
    private let clock = ManualClock()

    private func expect(
        _ race: inout HedgingRace, _ event: HedgingRace.Event, _ action: HedgingRace.Action,
        at location: SourceLocation = #_sourceLocation
    ) {
        let actual = race.handle(event)
        #expect(actual == action, sourceLocation: location)
    }

    @Test("The race: the first good answer wins, else the last to end")
    func race() {
        var race = HedgingRace(maximumAttempts: 2)
        expect(&race, .delayElapsed, .start(attempt: 2))
        expect(&race, .delayElapsed, .wait)
        expect(&race, .ended(attempt: 2, isGood: false), .wait)
        expect(&race, .ended(attempt: 1, isGood: true), .finish(attempt: 1))
        var early = HedgingRace(maximumAttempts: 2)
        expect(&early, .ended(attempt: 1, isGood: false), .finish(attempt: 1))
        var bad = HedgingRace(maximumAttempts: 3)
        expect(&bad, .delayElapsed, .start(attempt: 2))
        expect(&bad, .ended(attempt: 1, isGood: false), .wait)
        expect(&bad, .ended(attempt: 2, isGood: false), .finish(attempt: 2))
    }

    @Test("A slow attempt is overtaken and cancelled")
    func overtaken() async throws {
        let never = Gate()
        let ends = Log<String>()
        let calls = Log<Int>()
        let stub = StubTransport { _ in
            calls.append(1)
            guard calls.all.count == 1 else { return HTTPResponse(status: .ok, body: Data("second".utf8)) }
            do { try await never.wait() } catch {
                ends.append("cancelled")
                throw error
            }
            return HTTPResponse(status: .ok)
        }
        let send = makeChain(
            [HedgingInterceptor(HedgingPolicy(delay: .milliseconds(100)), time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let task = Task { try await send(request) }
        try await never.waitForArrivals(1)
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        #expect(try await task.value.body.data == Data("second".utf8))
        #expect(ends.all == ["cancelled"])
        #expect(clock.sleepers == 0)
    }

    @Test("A quick answer is not hedged; nor is anything that is not safe, or streamed")
    func passes() async throws {
        let stub = StubTransport.accepting()
        let send = makeChain(
            [HedgingInterceptor(HedgingPolicy(delay: .seconds(1)), time: clock.timeSource)], transport: stub)
        _ = try await send(makeRequest())
        #expect(stub.requests.count == 1 && clock.sleepers == 0)
        _ = try await send(makeRequest(.post))
        _ = try await send(makeRequest(delivery: .streamed))
        _ = try await send(makeRequest(.delete))
        #expect(clock.requestedSleeps.count <= 1 && stub.requests.count == 4)
    }

    @Test("Cancelling the caller cancels all attempts")
    func cancellation() async throws {
        let never = Gate()
        let stub = StubTransport { _ in
            try await never.wait()
            return HTTPResponse(status: .ok)
        }
        let send = makeChain(
            [HedgingInterceptor(HedgingPolicy(delay: .seconds(1), maximumAttempts: 3), time: clock.timeSource)],
            transport: stub)
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        for count in 1...3 {
            try await never.waitForArrivals(count)
            if count < 3 {
                try await clock.waitForSleepers(1)
                clock.advance(by: .seconds(1))
            }
        }
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(stub.activeRequests == 0)
    }
}
