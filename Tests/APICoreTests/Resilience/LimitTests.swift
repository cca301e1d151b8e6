import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Rate and concurrency limits")
struct LimitTests {
    private let clock = ManualClock()

    @Test("A token bucket keeps its rate over ten thousand requests, and gives a burst")
    func bucket() {
        var bucket = TokenBucket(rate: 50, burst: 10)
        let now = ContinuousClock.now
        var delays: [Duration] = []
        for _ in 0..<10_000 { delays.append(bucket.take(now: now)) }
        #expect(delays.prefix(10).allSatisfy { $0 == .zero })
        for index in 10..<10_000 {
            let expected = Double(index - 9) / 50
            #expect(abs(delays[index].inSeconds - expected) < 1e-6)
        }
        let rested = bucket.take(now: now.advanced(by: .seconds(1000)))
        #expect(rested == .zero)
    }

    @Test("Random arrivals never pass the rate over any stretch of time")
    func randomArrivals() {
        var generator = SeededGenerator(seed: 4)
        var bucket = TokenBucket(rate: 100, burst: 5)
        let start = ContinuousClock.now
        var now = start
        var departures: [Double] = []
        for _ in 0..<5000 {
            now = now.advanced(by: .microseconds(Int.random(in: 0...12_000, using: &generator)))
            departures.append((start.duration(to: now) + bucket.take(now: now)).inSeconds)
        }
        for index in 0..<(departures.count - 200) {
            let stretch = departures[index + 200] - departures[index]
            #expect(stretch >= (200.0 - 5) / 100 - 1e-6)
        }
        #expect(departures == departures.sorted())
    }

    @Test("Extreme rates do not trap", arguments: [0.0, -1, .nan, .infinity, 1e-300, 1e300])
    func extremes(rate: Double) {
        var bucket = TokenBucket(rate: rate, burst: -4)
        for _ in 0..<100 {
            let delay = bucket.take(now: .now)
            #expect(delay >= .zero)
        }
    }

    @Test("Requests wait for their turn in order; one that would wait too long fails at once")
    func rateLimit() async throws {
        let stub = StubTransport.accepting()
        let limit = RateLimit(requestsPerSecond: 1, burst: 1, maximumWait: .seconds(2))
        let send = makeChain([RateLimitInterceptor(limit, time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        _ = try await send(request)
        let second = Task { try await send(request) }
        try await clock.waitForSleepers(1)
        let third = Task { try await send(request) }
        try await clock.waitForSleepers(2)
        #expect(await failure { _ = try await send(request) }?.timeoutKind == .queue)
        // A cancelled one gives its turn back.
        third.cancel()
        _ = await third.result
        let fourth = Task { try await send(request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        _ = try await (second.value, fourth.value)
        #expect(stub.requests.count == 3)
        #expect(clock.requestedSleeps == [.seconds(1), .seconds(2), .seconds(2)])
    }

    @Test("The queue is fair, and never over its limits, over twenty thousand random steps")
    func queue() throws {
        var generator = SeededGenerator(seed: 5)
        let origins = try (0..<4).map { try RequestURL("https://h\($0).example.com").origin }
        var queue = ConcurrencyQueue(total: 6, perOrigin: 2)
        var running: [(UInt64, Origin)] = []
        var waiting: [(UInt64, Origin)] = []
        var next: UInt64 = 0
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                next += 1
                let origin = origins[Int.random(in: 0..<4, using: &generator)]
                if queue.enter(next, origin: origin) {
                    running.append((next, origin))
                } else {
                    waiting.append((next, origin))
                }
            case 5..<6 where !waiting.isEmpty:
                let (identifier, _) = waiting.remove(at: Int.random(in: waiting.indices, using: &generator))
                let waited = queue.leave(identifier)
                #expect(waited)
            case 6... where !running.isEmpty:
                let (_, origin) = running.remove(at: Int.random(in: running.indices, using: &generator))
                let admitted = queue.release(origin)
                // The first in line whose origin has room.
                let expected = waiting.firstIndex { entry in running.count { $0.1 == entry.1 } < 2 }
                #expect(admitted == expected.map { waiting[$0].0 })
                if let expected { running.append(waiting.remove(at: expected)) }
            default: break
            }
            #expect(queue.running == running.count && running.count <= 6)
            #expect(queue.waitingCount == waiting.count)
            for origin in origins { #expect(running.count { $0.1 == origin } <= 2) }
        }
    }

    @Test("No more than the limit are under way; a cancelled one leaves the line; nothing is lost")
    func concurrency() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            try await gate.wait()
            return HTTPResponse(status: .ok)
        }
        let limit = ConcurrencyLimitInterceptor(ConcurrencyLimit(total: 3), time: clock.timeSource)
        let send = makeChain([limit], transport: stub)
        let request = try makeRequest()
        let tasks = (0..<50).map { _ in Task { try await send(request) } }
        try await stub.waitForRequests(3)
        for task in tasks[10..<20] { task.cancel() }
        gate.open()
        var succeeded = 0
        for task in tasks { if case .success = await task.result { succeeded += 1 } }
        #expect(succeeded >= 37 && succeeded <= 43, "\(succeeded)")
        #expect(stub.maximumActiveRequests == 3)
        // All places are free again.
        for _ in 0..<3 { _ = try await send(request) }
    }

    @Test("Waiting for a place has a limit")
    func queueTimeout() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            try await gate.wait()
            return HTTPResponse(status: .ok)
        }
        let limit = ConcurrencyLimit(total: 1, maximumWait: .seconds(5))
        let send = makeChain([ConcurrencyLimitInterceptor(limit, time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let first = Task { try await send(request) }
        try await stub.waitForRequests(1)
        let second = Task { await failure { _ = try await send(request) } }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await second.value?.timeoutKind == .queue)
        gate.open()
        _ = try await first.value
        _ = try await send(request)
    }

    @Test("A stream holds its place until its body ends or is let go")
    func streams() async throws {
        struct Source: ResponseBodySource {
            let log = Log<Int>()
            func next() async throws(NetworkError) -> Data? {
                log.append(1)
                return log.all.count > 2 ? nil : Data("x".utf8)
            }
            func cancel() {}
        }
        let transport = ClosureTransport { _ in HTTPResponse(head: ResponseHead(), body: .stream(Source())) }
        let limit = ConcurrencyLimit(total: 1, maximumWait: .milliseconds(1))
        let send = makeChain([ConcurrencyLimitInterceptor(limit, time: clock.timeSource)], transport: transport)
        let request = try makeRequest(delivery: .streamed)
        var response: HTTPResponse? = try await send(request)
        let refused = await failure { _ = try await clock.running { try await send(request) } }
        #expect(refused?.timeoutKind == .queue)
        #expect(try await response?.body.collect() == Data("xx".utf8))
        response = try await send(request)
        response = nil
        #expect(try await send(request).status == .ok)
        #expect(response == nil)
    }
}
