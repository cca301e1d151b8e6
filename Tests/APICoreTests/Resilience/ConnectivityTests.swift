import APITesting
import DiskCache
import Foundation
import Testing

@testable import APICore

/// A network that a test switches on and off.
final class ScriptedNetwork: NetworkPathSource {
    private let state: Locked<(path: NetworkPath, update: (@Sendable (NetworkPath) -> Void)?)>
    let stops = Log<Bool>()

    init(_ path: NetworkPath) { state = Locked((path, nil)) }

    func start(_ update: @escaping @Sendable (NetworkPath) -> Void) -> @Sendable () -> Void {
        let path = state.withLock { state in
            state.update = update
            return state.path
        }
        update(path)
        return { self.stops.append(true) }
    }

    func become(_ path: NetworkPath) { state.withLock { $0.update }?(path) }
}

@Suite("Connectivity")
struct ConnectivityTests {
    private let clock = ManualClock()
    private let network = ScriptedNetwork(.unavailable)

    @Test("A request waits for the network and is sent when it comes")
    func waits() async throws {
        let stub = StubTransport.accepting()
        let monitor = NetworkPathMonitor(source: network)
        let send = makeChain([ConnectivityInterceptor(monitor: monitor, time: clock.timeSource)], transport: stub)
        let request = try makeRequest()
        let task = Task { try await send(request).status }
        try await clock.waitForSleepers(1)
        #expect(stub.requests.isEmpty)
        network.become(NetworkPath(supportsIPv4: false, supportsIPv6: true))
        #expect(try await task.value == .ok)
        #expect(try await send(request).status == .ok)
        #expect(clock.requestedSleeps == [.seconds(30)] && clock.sleepers == 0)
    }

    @Test("The wait has a limit, the deadline a shorter one, and this machine needs no network")
    func limits() async throws {
        let stub = StubTransport.accepting()
        let monitor = NetworkPathMonitor(source: network)
        let send = makeChain(
            [ConnectivityInterceptor(monitor: monitor, maximumWait: .seconds(9), time: clock.timeSource)],
            transport: stub)
        var request = try makeRequest()
        let plain = request
        let error = await failure { _ = try await clock.running { try await send(plain) } }
        #expect("\(try #require(error))".hasSuffix("connectivity timeout of 9 s expired"))
        request.context.deadline = clock.now.advanced(by: .seconds(4))
        let urgent = request
        _ = await failure { _ = try await clock.running { try await send(urgent) } }
        #expect(clock.requestedSleeps == [.seconds(9), .seconds(4)] && stub.requests.isEmpty)
        for host in ["http://127.0.0.1:80", "http://localhost", "http://[::1]:8080", "http://a.localhost"] {
            _ = try await send(makeRequest(base: host))
        }
        #expect(stub.requests.count == 4)
        #expect(!ConnectivityInterceptor.isThisMachine("127.evil.example.com"))
    }

    @Test("Cancelling ends the wait")
    func cancellation() async throws {
        let monitor = NetworkPathMonitor(source: network)
        let send = makeChain(
            [ConnectivityInterceptor(monitor: monitor, time: clock.timeSource)], transport: StubTransport.accepting())
        let request = try makeRequest()
        let task = Task { await failure { _ = try await send(request) } }
        try await clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value?.isCancellation == true)
    }

    @Test("The sequence gives the present path first, then the changes; the newest to one who is slow")
    func sequence() async throws {
        let monitor = NetworkPathMonitor(source: network)
        var first = monitor.makeAsyncIterator()
        #expect(await first.next() == .unavailable)
        network.become(.available)
        #expect(await first.next() == .available)
        network.become(.available)
        network.become(.unavailable)
        network.become(NetworkPath(supportsIPv4: true, supportsIPv6: false))
        #expect(await first.next() == NetworkPath(supportsIPv4: true, supportsIPv6: false))
        var late = monitor.makeAsyncIterator()
        #expect(await late.next() == NetworkPath(supportsIPv4: true, supportsIPv6: false))
        #expect(monitor.path.isAvailable)
    }

    @Test("A monitor nobody holds stops its source")
    func stops() async {
        var monitor: NetworkPathMonitor? = NetworkPathMonitor(source: network)
        #expect(monitor?.path == .unavailable)
        monitor = nil
        #expect(network.stops.all == [true])
    }

    @Test("The system's own source starts with a path and stops; a hundred leave no descriptor behind")
    func system() async throws {
        #if os(Linux)
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try descriptors()
        for _ in 0..<100 {
            let monitor = NetworkPathMonitor()
            var paths = monitor.makeAsyncIterator()
            #expect(await paths.next() == SystemPathSource.currentPath())
        }
        // The threads end in their own time.
        #expect(await eventually { ((try? descriptors()) ?? .max) < before + 50 })
        #endif
    }
}
