import APITesting
import DiskCache
import Foundation
import Testing

@testable import APICore

/// Two hundred tasks against a server that fails in every way, for ten virtual seconds.
@Suite("Stress")
struct StressTests {
    /// What the server knows: which requests took effect, and which token is good.
    private struct ServerState: Sendable {
        var generator: SeededGenerator
        var validToken = "t0"
        var generation = 0
        var refreshes: [Int: Int] = [:]
        /// Effects of each non-idempotent delivery, by its key.
        var effects: [String: Int] = [:]
        var deliveries: [String: Int] = [:]
        var statuses: [Int: Int] = [:]
    }

    /// Refreshes against the server's present generation of tokens, and counts by the token that is replaced.
    private struct Provider: TokenProvider {
        let state: Locked<ServerState>
        let time: TimeSource

        func storedToken() async throws -> AccessToken? { AccessToken("t0") }

        func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken {
            try await time.sleep(.milliseconds(20))
            return state.withLock { state in
                let old = Int(token?.value.dropFirst() ?? "") ?? -1
                state.refreshes[old, default: 0] += 1
                return AccessToken(state.validToken)
            }
        }
    }

    @Test(
        "No duplicate effects, no lost task, one refresh for each expired token", arguments: [11, 12] as [UInt64])
    func storm(seed: UInt64) async throws {
        let clock = ManualClock()
        let time = clock.timeSource
        let state = Locked(ServerState(generator: SeededGenerator(seed: seed)))
        let end = clock.now.advanced(by: .seconds(10))

        let stub = StubTransport { request in
            let isWrite = request.method == .post
            let key = request.headers["X-Delivery"] ?? ""
            let (die, isAuthorized) = state.withLock { state -> (Int, Bool) in
                let authorized = request.headers[.authorization] == "Bearer \(state.validToken)"
                if isWrite, authorized { state.deliveries[key, default: 0] += 1 }
                return (Int.random(in: 0..<20, using: &state.generator), authorized)
            }
            try await time.sleep(.milliseconds(5 + die))
            func answer(_ status: HTTPStatusCode, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
                state.withLock { $0.statuses[status.rawValue, default: 0] += 1 }
                return HTTPResponse(status: status, headers: headers)
            }
            guard isAuthorized else { return answer(401) }
            switch die {
            case 0: return answer(429, [.retryAfter: "1"])
            case 1: return answer(503)
            case 2:
                // The effect has happened, the answer is lost: the case that must not be repeated.
                if isWrite { state.withLock { $0.effects[key, default: 0] += 1 } }
                throw NetworkError.lost
            case 3:
                if isWrite { state.withLock { $0.effects[key, default: 0] += 1 } }
                try await time.sleep(.seconds(60))
                return answer(200)
            default:
                if isWrite { state.withLock { $0.effects[key, default: 0] += 1 } }
                return answer(200)
            }
        }
        // The server takes its token back now and then.
        let expiry = Task {
            while time.now() < end {
                try await time.sleep(.milliseconds(700))
                state.withLock { state in
                    state.generation += 1
                    state.validToken = "t\(state.generation)"
                }
            }
        }

        let resilience = StandardResilience(
            rateLimit: RateLimit(requestsPerSecond: 2000, burst: 200), deadline: .seconds(3),
            retry: RetryPolicy(maximumAttempts: 4, baseDelay: .milliseconds(20), maximumDelay: .milliseconds(500)),
            circuitBreaker: CircuitBreaker.Limits(failureRatio: 0.9), concurrency: ConcurrencyLimit(total: 100),
            attemptTimeout: .milliseconds(400))
        let base = try RequestURL("https://api.example.com")
        let links =
            resilience.interceptors(time: time, random: .seeded(seed))
            + [BearerAuthentication(provider: Provider(state: state, time: time), baseURL: base, time: time)]
        let send = makeChain(links, transport: stub)

        let outcomes = Log<String>()
        await clock.running {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<200 {
                    group.addTask {
                        var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(worker))
                        var number = 0
                        while time.now() < end {
                            number += 1
                            let isWrite = Bool.random(using: &generator)
                            var request = HTTPRequest(method: isWrite ? .post : .get, url: base)
                            request.headers["X-Delivery"] = "\(worker)-\(number)"
                            let sent = request
                            let call = Task { try await send(sent).status }
                            if Int.random(in: 0..<10, using: &generator) == 0 {
                                let patience = Int.random(in: 0..<100, using: &generator)
                                try? await time.sleep(.milliseconds(patience))
                                call.cancel()
                            }
                            switch await call.result {
                            case .success(let status): outcomes.append("\(status.rawValue)")
                            case .failure(let error): outcomes.append(StressTests.name(NetworkError(error)))
                            }
                            try? await time.sleep(.milliseconds(Int.random(in: 50..<400, using: &generator)))
                        }
                    }
                }
            }
            _ = await expiry.result
        }

        let final = state.withLock { $0 }
        let counts = Dictionary(grouping: outcomes.all) { $0 }.mapValues(\.count)
        let report = "\(counts) \(final.statuses)"
        // Everything that can happen has happened.
        for status in [200, 401, 429, 503] { #expect(final.statuses[status, default: 0] > 0, "\(report)") }
        for outcome in ["200", "cancelled", "attempt", "connectivity"] {
            #expect(counts[outcome, default: 0] > 0, "\(outcome): \(report)")
        }
        #expect(outcomes.all.count > 1000, "\(report)")
        // No non-idempotent request was accepted twice.
        #expect(final.deliveries.values.allSatisfy { $0 == 1 }, "\(report)")
        #expect(final.effects.values.allSatisfy { $0 == 1 }, "\(report)")
        // One refresh for each token the client held.
        #expect(final.refreshes.count > 3, "\(final.refreshes)")
        #expect(final.refreshes.values.allSatisfy { $0 == 1 }, "\(final.refreshes)")
        // Nothing is left behind.
        #expect(stub.activeRequests == 0 && clock.sleepers == 0)
    }

    private static func name(_ error: NetworkError) -> String {
        switch error {
        case .cancelled: "cancelled"
        case .connectivity: "connectivity"
        case .timeout(let failure): "\(failure.kind)"
        case .circuitOpen: "circuitOpen"
        default: "other: \(error)"
        }
    }
}
