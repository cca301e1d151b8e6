import APICore
import Foundation
import Testing

/// Many requests, and many that end badly: nothing is lost and nothing left behind.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct StressTests {
    private func server() throws -> WireServer {
        try WireServer { connection in
            while connection.readRequest() != nil { connection.respond("200 OK", String(repeating: "x", count: 400)) }
        }
    }

    private func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
    }

    @Test(arguments: SuiteTransport.all)
    func tenThousandRequestsAtOnce(_ transport: SuiteTransport) async throws {
        let server = try server()
        let made = transport()
        let url = server.url
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10_000 { group.addTask { try await made.get(url).body.count } }
            return try await group.reduce(0, +)
        }
        #expect(sizes == 4_000_000)
        #expect(server.connectionCount <= 64)
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func cancelsTenThousandAtRandomMoments(_ transport: SuiteTransport) async throws {
        let server = try server()
        let made = transport()
        let url = server.url
        func round(_ count: Int) async -> (completed: Int, cancelled: Int, other: Int) {
            await withTaskGroup(of: Int.self) { group in
                for index in 0..<count {
                    group.addTask {
                        let delivery: ResponseDelivery = index % 2 == 0 ? .buffered : .streamed
                        let task = Task {
                            try await made.send(HTTPRequest(url: RequestURL(url), delivery: delivery)).collected()
                        }
                        if index % 3 != 0 { try? await Task.sleep(for: .microseconds(index * 7919 % 3000)) }
                        task.cancel()
                        do {
                            return try await task.value.body.count == 400 ? 0 : 2
                        } catch {
                            return (error as? NetworkError)?.isCancellation == true ? 1 : 2
                        }
                    }
                }
                return await group.reduce(into: (0, 0, 0)) {
                    if $1 == 0 { $0.0 += 1 } else if $1 == 1 { $0.1 += 1 } else { $0.2 += 1 }
                }
            }
        }
        _ = await round(1000)
        let outcome = await round(10_000)
        #expect(outcome.completed + outcome.cancelled == 10_000)
        #expect(outcome.cancelled > 1000)
        await made.shutdown()
        server.stop()
        // Other suites open sockets at the same time; none of ours may be among them for long.
        #expect(descriptors() < 2000)
    }

    @Test func manyTransportsComeAndGo() async throws {
        let server = try server()
        for _ in 0..<100 {
            let made = SuiteTransport.curl()
            #expect(try await made.get(server.url).body.count == 400)
        }
        for _ in 0..<100 { _ = SuiteTransport.curl() }
    }
}
