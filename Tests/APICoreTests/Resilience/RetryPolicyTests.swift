import Foundation
import Testing

@testable import APICore

@Suite("Retry policy")
struct RetryPolicyTests {
    private let now = ContinuousClock.now
    private let date = Date(timeIntervalSince1970: 1_893_456_000)

    private func decide(
        _ outcome: RetryFailure.Outcome, by policy: RetryPolicy = RetryPolicy(), attempt: Int = 1,
        request: HTTPRequest? = nil
    ) throws -> RetryAction {
        policy.decide(
            RetryFailure(outcome, attempt: attempt), request: try request ?? makeRequest(), previousDelay: nil,
            now: now, date: date, random: noJitter)
    }

    private func head(_ status: HTTPStatusCode, _ headers: HTTPHeaders = [:]) -> RetryFailure.Outcome {
        .response(ResponseHead(status: status, headers: headers))
    }

    @Test("Delays stay between base and cap over ten thousand attempts, for any settings")
    func range() {
        let random = RandomSource.seeded(1)
        let extremes: [(Duration, Duration)] = [
            (.milliseconds(200), .seconds(20)), (.zero, .zero), (.seconds(5), .seconds(1)), (.seconds(-1), .seconds(3)),
            (.nanoseconds(1), .seconds(3_155_760_000)), (.milliseconds(1), .seconds(Int64.max)),
            (.seconds(Int64.max), .seconds(Int64.max)),
        ]
        for (base, cap) in extremes {
            let policy = RetryPolicy(maximumAttempts: .max, baseDelay: base, maximumDelay: cap)
            var previous: Duration?
            for _ in 0..<10_000 {
                let delay = policy.backoff(after: previous, random: random)
                #expect(delay >= min(max(base, .zero), cap) && delay <= cap)
                previous = delay
            }
        }
    }

    @Test("Delays grow to the cap, and differ from each other")
    func growth() {
        let random = RandomSource.seeded(2)
        let policy = RetryPolicy(baseDelay: .milliseconds(100), maximumDelay: .seconds(10))
        var previous: Duration?
        var delays: [Duration] = []
        for _ in 0..<1000 {
            delays.append(policy.backoff(after: previous, random: random))
            previous = delays.last
        }
        #expect(delays[0] <= .milliseconds(300))
        #expect(delays.contains { $0 > .seconds(8) })
        #expect(Set(delays).count > 500)
    }

    @Test(
        "Statuses that can pass are retried, others are not",
        arguments: [
            (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true), (200, false),
            (301, false), (400, false), (401, false), (403, false), (404, false), (409, false), (501, false),
            (505, false),
        ])
    func statuses(status: Int, isRetried: Bool) throws {
        let action = try decide(head(HTTPStatusCode(status)))
        #expect(action == (isRetried ? .retry(after: .milliseconds(200)) : .stop(.permanent)))
    }

    @Test("Failures that can pass are retried, others are not")
    func failures() throws {
        let passing: [NetworkError] = [
            .lost, .connectivity(ConnectivityFailure(.connectionRefused, reason: "")),
            .timeout(TimeoutFailure(.connect, limit: nil)), .timeout(TimeoutFailure(.idle, limit: nil)),
            .timeout(TimeoutFailure(.attempt, limit: nil)), .truncated(TruncatedBody(received: 1, expected: 2)),
        ]
        for error in passing { #expect(try decide(.error(error)) == .retry(after: .milliseconds(200)), "\(error)") }
        let lasting: [NetworkError] = [
            .connectivity(ConnectivityFailure(.addressRefused, reason: "")), .cancelled,
            .timeout(TimeoutFailure(.deadline, limit: nil)), .timeout(TimeoutFailure(.queue, limit: nil)),
            .tls(TLSFailure(.untrustedCertificate, reason: "")), .bodyTooLarge(BodyTooLarge(limit: 1)),
            .circuitOpen(CircuitOpen(origin: try makeRequest().url.origin, retryAfter: .zero)),
            .invalidRequest(InvalidRequest(.twoBodies)),
        ]
        for error in lasting { #expect(try decide(.error(error)) == .stop(.permanent), "\(error)") }
    }

    @Test("Only what may be repeated is: by method, mark or idempotency key, and never a one-shot body")
    func repeatable() throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        let cases: [(HTTPRequest, Bool)] = [
            (try makeRequest(.get), true), (try makeRequest(.put), true), (try makeRequest(.delete), true),
            (try makeRequest(.post), false), (try makeRequest(.patch), false),
            (try makeRequest(.post, options: RequestOptions(isIdempotent: true)), true),
            (try makeRequest(.post, options: RequestOptions(idempotencyKey: "k")), true),
            (try makeRequest(.get, options: RequestOptions(isIdempotent: false)), false),
            (try makeRequest(.put, body: .stream(chunks)), false),
            (try makeRequest(.put, body: .stream(chunks, isReplayable: true)), true),
        ]
        for (request, isRetried) in cases {
            let action = try decide(head(503), request: request)
            #expect((action == .stop(.notRepeatable)) == !isRetried, "\(request.summary)")
        }
        // The hook cannot override it.
        let eager = RetryPolicy { _, _ in .retry(after: .zero) }
        #expect(try decide(head(503), by: eager, request: makeRequest(.post)) == .stop(.notRepeatable))
    }

    @Test("Retry-After is a floor, in seconds and as a date")
    func retryAfter() throws {
        let later = HTTPDate.string(from: date.addingTimeInterval(45))
        let past = HTTPDate.string(from: date.addingTimeInterval(-45))
        let cases: [(String, RetryAction)] = [
            ("30", .retry(after: .seconds(30))), (" 7 ", .retry(after: .seconds(7))),
            ("0", .retry(after: .milliseconds(200))),
            (later, .retry(after: .seconds(45))), (past, .retry(after: .milliseconds(200))),
            ("soon", .retry(after: .milliseconds(200))), ("-3", .retry(after: .milliseconds(200))),
            ("121", .stop(.retryAfterTooLong(.seconds(121)))),
            ("99999999999999999999999999", .stop(.retryAfterTooLong(.seconds(31_536_000)))),
        ]
        for (text, expected) in cases {
            #expect(try decide(head(503, [.retryAfter: text])) == expected, "\(text)")
        }
        // Related to the server's clock, where it says what it is.
        let serverNow = HTTPDate.string(from: date.addingTimeInterval(40))
        let action = try decide(head(503, [.retryAfter: later, .date: serverNow]))
        #expect(action == .retry(after: .seconds(5)))
    }

    @Test("A delay that would pass the deadline ends the attempts at once")
    func deadline() throws {
        var request = try makeRequest()
        request.context.deadline = now.advanced(by: .seconds(10))
        #expect(try decide(head(503, [.retryAfter: "9"]), request: request) == .retry(after: .seconds(9)))
        #expect(try decide(head(503, [.retryAfter: "10"]), request: request) == .stop(.deadline))
        let patient = RetryPolicy { _, _ in .retry(after: .seconds(60)) }
        #expect(try decide(head(503), by: patient, request: request) == .stop(.deadline))
    }

    @Test("The attempts are counted")
    func attempts() throws {
        let policy = RetryPolicy(maximumAttempts: 3)
        #expect(try decide(head(503), by: policy, attempt: 2) == .retry(after: .milliseconds(200)))
        #expect(try decide(head(503), by: policy, attempt: 3) == .stop(.attemptsExhausted))
        #expect(try decide(head(503), by: RetryPolicy(maximumAttempts: -5)) == .stop(.attemptsExhausted))
    }

    @Test("The hook decides, and sees what was proposed")
    func hook() throws {
        let policy = RetryPolicy { failure, proposed in
            if failure.status == 409 { return .retry(after: .seconds(1)) }
            return failure.status == 503 ? .stop(.hook) : proposed
        }
        #expect(try decide(head(409), by: policy) == .retry(after: .seconds(1)))
        #expect(try decide(head(503), by: policy) == .stop(.hook))
        #expect(try decide(head(502), by: policy) == .retry(after: .milliseconds(200)))
    }

    @Test("A budget keeps retries in proportion over an outage, and recovers")
    func budget() {
        var budget = RetryBudget(RetryBudget.Limits(ratio: 0.2, minimumPerSecond: 1, window: .seconds(10)))
        var granted = 0
        var instant = now
        // A hundred seconds of outage at 100 requests a second, each of which wants three retries.
        for _ in 0..<10_000 {
            instant = instant.advanced(by: .milliseconds(10))
            budget.recordRequest(now: instant)
            for _ in 0..<3 where budget.withdraw(now: instant) { granted += 1 }
        }
        #expect(granted > 1900 && granted < 2300, "\(granted)")
        // Once the window has passed, a quiet client may retry again.
        instant = instant.advanced(by: .seconds(11))
        let quiet = (0..<20).map { _ in budget.withdraw(now: instant) }
        #expect(quiet == Array(repeating: true, count: 10) + Array(repeating: false, count: 10))
    }

    @Test("Time that goes backwards, and time that leaps, do no harm to the counts")
    func slidingCounts() {
        var counts = SlidingCounts(window: .seconds(10))
        counts.add(first: 1, second: 2, now: now)
        counts.add(first: 1, second: 0, now: now.advanced(by: .seconds(-500)))
        let expected: [(Duration, Int)] = [(.zero, 2), (.seconds(8), 2), (.seconds(1_000_000_000), 0)]
        for (elapsed, count) in expected {
            let totals = counts.totals(now: now.advanced(by: elapsed))
            #expect(totals == (count, count))
        }
    }
}
