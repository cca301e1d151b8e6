import APICore
import Foundation
import Synchronization
import Testing

struct ConcurrentMapTests {
    @Test(arguments: [0, 1, 3, 100]) func keepsTheOrderAndTheLimit(_ limit: Int) async throws {
        let running = Mutex((now: 0, most: 0))
        let squares = try await (0..<50).concurrentMap(limit: limit) { number in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<((number * 7) % 5) { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return number * number
        }
        #expect(squares == (0..<50).map { $0 * $0 })
        #expect(running.withLock { $0.most } <= max(limit, 1))
        #expect(running.withLock { $0.most } >= min(limit, 2) - 1)
    }

    @Test func theFirstErrorCancelsTheOthers() async throws {
        let started = Mutex(0)
        let cancelled = Mutex(0)
        await #expect(throws: NetworkError.self) {
            try await (0..<100).concurrentMap(limit: 4) { number in
                started.withLock { $0 += 1 }
                if number == 3 { throw NetworkError.connectionLost }
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    cancelled.withLock { $0 += 1 }
                    throw error
                }
            }
        }
        #expect(started.withLock { $0 } == 4)
        #expect(cancelled.withLock { $0 } == 3)
    }

    @Test func otherErrorsAreWrapped() async {
        struct Mistake: Error {}
        do throws(NetworkError) {
            _ = try await [1].concurrentMap { _ -> Int in throw Mistake() }
            Issue.record("expected an error")
        } catch {
            guard case .other(is Mistake) = error else { Issue.record("\(error)"); return }
        }
    }

    @Test func resultsKeepTheirPlaces() async {
        let results = await (0..<10).concurrentResults(limit: 3) { number in
            if number.isMultiple(of: 3) { throw NetworkError.connectionLost }
            return number
        }
        #expect(results.map { try? $0.get() } == [nil, 1, 2, nil, 4, 5, nil, 7, 8, nil])
        #expect(await [Int]().concurrentResults { $0 }.isEmpty)
    }

    @Test func cancellingStopsIt() async {
        let task = Task {
            do throws(NetworkError) {
                _ = try await (0..<10).concurrentMap(limit: 2) { _ in try await Task.sleep(for: .seconds(3600)) }
                return false
            } catch {
                return error.isCancellation
            }
        }
        task.cancel()
        #expect(await task.value)
    }

    @Test func requests() async throws {
        struct Fetch: APIRequest {
            typealias Response = String
            let id: Int
            var path: RequestPath { "things/\(id)" }
        }
        let transport = ScriptedTransport { (request, _) async throws(NetworkError) in
            HTTPResponse(body: Data(request.url.path.utf8))
        }
        let paths = try await transport.client().send((1...5).map { Fetch(id: $0) }, limit: 2)
        #expect(paths == (1...5).map { "/v1/things/\($0)" })
    }
}
