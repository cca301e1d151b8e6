import APITesting
import Foundation
import Testing

@testable import APICore

@Suite("Standard pipeline")
struct StandardResilienceTests {
    private func load(_ json: String, variables: [String: String] = [:]) throws(ConfigurationError) -> APIEnvironment {
        try APIEnvironment.load(json: Data(json.utf8), variables: variables)
    }

    @Test("The links are in the documented order")
    func order() {
        let everything = StandardResilience(
            rateLimit: RateLimit(requestsPerSecond: 1), deadline: .seconds(9),
            concurrency: ConcurrencyLimit(total: 3), attemptTimeout: .seconds(3))
        #expect(
            everything.interceptors().map { "\(type(of: $0))" } == [
                "RateLimitInterceptor", "DeadlineInterceptor", "RetryInterceptor", "CircuitBreakerInterceptor",
                "ConcurrencyLimitInterceptor", "AttemptTimeoutInterceptor",
            ])
        let usual: [any Interceptor] = .standard()
        #expect(
            usual.map { "\(type(of: $0))" } == [
                "DeadlineInterceptor", "RetryInterceptor", "CircuitBreakerInterceptor",
            ])
    }

    @Test("A file configures all of it")
    func file() throws {
        let environment = try load(
            #"""
            {
              "baseURL": "https://api.example.com", "timeouts": {"attempt": "5s", "overall": 20},
              "retry": {"maximumAttempts": 4, "baseDelay": "100ms", "maximumDelay": "${MAX:-5s}", "maximumRetryAfter": 60},
              "rateLimit": {"requestsPerSecond": 2.5, "burst": 10, "perOrigin": true, "maximumWait": "5s"},
              "concurrency": {"total": 100, "perOrigin": 20},
              "circuitBreaker": {"failureRatio": 0.25, "minimumRequests": 7, "window": "1m", "openDuration": 3, "probes": 2},
              "log": {"level": "headers", "bodyLimit": 99}
            }
            """#)
        let resilience = environment.resilience
        #expect(resilience.retry?.maximumAttempts == 4 && resilience.retry?.baseDelay == .milliseconds(100))
        #expect(resilience.retry?.maximumDelay == .seconds(5) && resilience.retry?.maximumRetryAfter == .seconds(60))
        #expect(
            resilience.rateLimit
                == RateLimit(requestsPerSecond: 2.5, burst: 10, isPerOrigin: true, maximumWait: .seconds(5)))
        #expect(resilience.concurrency == ConcurrencyLimit(total: 100, perOrigin: 20))
        #expect(
            resilience.circuitBreaker
                == CircuitBreaker.Limits(
                    failureRatio: 0.25, minimumRequests: 7, window: .seconds(60), openDuration: .seconds(3), probes: 2))
        #expect(resilience.attemptTimeout == .seconds(5) && environment.timeouts.overall == .seconds(20))
        #expect(environment.log == LogSettings(level: .headers, bodyLimit: 99))
        let links: [any Interceptor] = .standard(for: environment) { _ in }
        #expect(links.count == 7 && links[0] is LoggingInterceptor)
    }

    @Test("Sections can be turned off, and variables lie over the file")
    func off() throws {
        let environment = try load(
            #"{"baseURL": "https://a.example", "retry": false, "circuitBreaker": false, "log": false}"#)
        #expect(environment.resilience.retry == nil && environment.resilience.circuitBreaker == nil)
        #expect(environment.log.level == .off)
        let links: [any Interceptor] = .standard(for: environment) { _ in }
        #expect(links.count == 1)
        let variables = ["API_LOG_LEVEL": "bodies", "API_TIMEOUT_ATTEMPT": "3s"]
        let changed = try load(#"{"baseURL": "https://a.example"}"#, variables: variables)
        #expect(changed.log.level == .bodies && changed.resilience.attemptTimeout == .seconds(3))
    }

    @Test(
        "Mistakes are named with their key",
        arguments: [
            (#""retry": {"attempts": 3}"#, "retry.attempts", "unknown key"),
            (#""retry": {"maximumAttempts": 0}"#, "retry.maximumAttempts", "from 1 to 100"),
            (#""retry": {"maximumAttempts": 1.5}"#, "retry.maximumAttempts", "whole number"),
            (#""retry": {"maximumAttempts": 1e300}"#, "retry.maximumAttempts", "whole number"),
            (#""retry": {"baseDelay": "soon"}"#, "retry.baseDelay", "not a duration"),
            (#""retry": 3"#, "retry", "expected an object"),
            (#""rateLimit": {"burst": 3}"#, "rateLimit.requestsPerSecond", "missing"),
            (#""rateLimit": {"requestsPerSecond": -1}"#, "rateLimit.requestsPerSecond", "must be from"),
            (#""rateLimit": {"requestsPerSecond": 1, "perOrigin": 1}"#, "rateLimit.perOrigin", "truth value"),
            (#""circuitBreaker": {"failureRatio": 2}"#, "circuitBreaker.failureRatio", "must be from"),
            (#""concurrency": {"total": "9"}"#, "concurrency.total", "expected a number"),
            (#""log": {"level": "loud"}"#, "log.level", "off, errors, basic, headers, bodies"),
            (#""breaker": {}"#, "breaker", "unknown key"),
        ])
    func mistakes(member: String, key: String, text: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try load(#"{"baseURL": "https://a.example", \#(member)}"#)
        }
        #expect(error?.key == key)
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test("An outage ends in an open circuit, without a storm of attempts")
    func outage() async throws {
        let clock = ManualClock()
        let stub = StubTransport()
        stub.on(nil, "/**", .failure(.lost))
        let send = makeChain(.standard(time: clock.timeSource, random: .seeded(10)), transport: stub)
        let request = try makeRequest()
        for _ in 0..<500 { _ = await failure { _ = try await clock.running { try await send(request) } } }
        #expect(stub.requests.count < 60, "\(stub.requests.count)")
        // And it recovers by itself.
        stub.on(nil, "/**", .reply(DataResponse(status: .ok)))
        clock.advance(by: .seconds(20))
        #expect(try await send(request).status == .ok)
    }
}
