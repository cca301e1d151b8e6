import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Coalescing")
struct CoalescingTests {
    private let clock = ManualClock()
    private let gate = Gate()

    private func gated() -> StubTransport {
        let gate = gate
        return StubTransport { request in
            try await gate.wait()
            return HTTPResponse(status: .ok, body: Data(request.url.path.utf8))
        }
    }

    @Test("A thousand identical requests are one exchange, and all get the bytes")
    func shared() async throws {
        let stub = gated()
        let send = makeChain([CoalescingInterceptor(time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let arrived = Log<Int>()
        let tasks = (0..<1000).map { index in
            Task {
                arrived.append(index)
                return try await send(request)
            }
        }
        #expect(await eventually { arrived.all.count == 1000 })
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value.body.data == Data("/users".utf8)) }
        #expect(stub.requests.count <= 2, "\(stub.requests.count)")
    }

    @Test("What differs in method, URL, header or options, what has a body or is streamed, is not shared")
    func distinct() async throws {
        let stub = gated()
        let send = makeChain([CoalescingInterceptor(time: clock.timeSource)], transport: stub)
        var requests = [
            try makeRequest(), try makeRequest(.head), try makeRequest(.get, "/users?a=1"), try makeRequest(.post),
            try makeRequest(.get, body: .text("x")), try makeRequest(delivery: .streamed),
            try makeRequest(options: RequestOptions(maximumBodySize: 10)), try makeRequest(.delete),
            try makeRequest(options: RequestOptions(addressFilter: .publicOnly)),
        ]
        requests.append(requests[0])
        requests[requests.count - 1].headers[.accept] = "text/plain"
        let tasks = requests.map { request in Task { try await send(request) } }
        try await stub.waitForRequests(requests.count)
        gate.open()
        for task in tasks { _ = try await task.value }
    }

    @Test("One caller leaves alone; the last one cancels; who comes after that starts afresh")
    func leaving() async throws {
        let stub = gated()
        let coalescing = CoalescingInterceptor(time: clock.timeSource)
        let send = makeChain([coalescing], transport: stub)
        let request = try makeRequest()
        let started = Log<Int>()
        let tasks = (0..<3).map { index in
            Task {
                started.append(index)
                return await failure { _ = try await send(request) }
            }
        }
        try await stub.waitForRequests(1)
        #expect(await eventually { started.all.count == 3 })
        tasks[0].cancel()
        #expect(await tasks[0].value?.isCancellation == true)
        #expect(stub.activeRequests == 1)
        tasks[1].cancel()
        tasks[2].cancel()
        #expect(await tasks[1].value?.isCancellation == true)
        #expect(await tasks[2].value?.isCancellation == true)
        let fresh = Task { try await send(request) }
        try await stub.waitForRequests(2)
        gate.open()
        #expect(try await fresh.value.status == .ok)
        #expect(await eventually { coalescing.inFlight == 0 && stub.activeRequests == 0 })
    }

    @Test("Arriving and leaving at random: nobody is lost, nobody who stayed gets a cancellation")
    func storm() async throws {
        let stub = StubTransport { _ in
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            try Task.checkCancellation()
            return HTTPResponse(status: .ok, body: Data("x".utf8))
        }
        let coalescing = CoalescingInterceptor(time: clock.timeSource)
        let send = makeChain([coalescing], transport: stub)
        let request = try makeRequest()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let tasks = (0..<20).map { _ in
                (Task { try await send(request) }, Bool.random(using: &generator))
            }
            for (task, leaves) in tasks where leaves {
                await Task.yield()
                task.cancel()
            }
            for (task, leaves) in tasks {
                switch await task.result {
                case .success(let response): #expect(response.body.data == Data("x".utf8))
                case .failure(let error): #expect(leaves && NetworkError(error).isCancellation, "\(error)")
                }
            }
        }
        #expect(await eventually { coalescing.inFlight == 0 && stub.activeRequests == 0 })
    }

    @Test("A caller with more time does not join one with less, and each leaves at its own deadline")
    func deadlines() async throws {
        let stub = gated()
        let send = makeChain([CoalescingInterceptor(time: clock.timeSource)], transport: stub)
        func request(_ limit: Duration?) throws -> HTTPRequest {
            var request = try makeRequest()
            request.context.deadline = limit.map { clock.now.advanced(by: $0) }
            return request
        }
        let (long, short) = (try request(nil), try request(.seconds(1)))
        let patient = Task { try await send(long) }
        try await stub.waitForRequests(1)
        let hasty = Task { await failure { _ = try await send(short) } }
        try await clock.waitForSleepers(1)
        #expect(stub.requests.count == 1)
        clock.advance(by: .seconds(1))
        #expect(await hasty.value?.timeoutKind == .deadline)
        gate.open()
        #expect(try await patient.value.status == .ok)
        gate.close()
        let first = Task { try await send(try request(.seconds(5))) }
        try await stub.waitForRequests(2)
        let second = Task { try await send(try request(nil)) }
        try await stub.waitForRequests(3)
        gate.open()
        _ = try await (first.value, second.value)
    }
}
