import APICore
import Testing

@testable import CurlTransport

/// One request's state: events in, what to do out.
struct TransferStateTests {
    private func make(streamed: Bool = false, retryable: Bool = true, rewinds: Bool = true) -> TransferState {
        TransferState(isStreamed: streamed, isRetryable: retryable, rewindsInPlace: rewinds)
    }

    private func running(streamed: Bool = false, retryable: Bool = true, rewinds: Bool = true) -> TransferState {
        var state = make(streamed: streamed, retryable: retryable, rewinds: rewinds)
        #expect(state.submit() == .enqueue)
        #expect(state.start() == true)
        return state
    }

    @Test func aBufferedRequestSucceedsOnce() {
        var state = running()
        #expect(state.willSend(isNewConnection: true) == .send)
        state.received()
        #expect(state.headCompleted() == false)
        #expect(state.complete(isSuccess: true, isReusedConnectionLost: false) == .succeed(.response))
        #expect(state.complete(isSuccess: true, isReusedConnectionLost: false) == .none)
        #expect(state.end() == .none)
    }

    @Test func aStreamedRequestHasAHeadAndAnEnd() {
        var state = running(streamed: true)
        #expect(state.willSend(isNewConnection: true) == .send)
        state.received()
        #expect(state.headCompleted() == true)
        #expect(state.headCompleted() == false)
        #expect(state.complete(isSuccess: true, isReusedConnectionLost: false) == .succeed(.body))
    }

    @Test func cancellationBeforeTheLoopSeesIt() {
        var state = make()
        // Who waits is not known before the submission.
        #expect(state.end() == .none)
        #expect(state.submit() == .drop)
        #expect(state.submit() == .none)
        #expect(state.start() == false)
    }

    @Test func cancellationInTheQueue() {
        var state = make()
        #expect(state.submit() == .enqueue)
        #expect(state.end() == .deliver(.response))
        #expect(state.start() == false)
        #expect(state.end() == .none)
    }

    @Test func cancellationWithLibcurl() {
        var state = running()
        #expect(state.end() == .detachAndDeliver(.response))
        #expect(state.complete(isSuccess: true, isReusedConnectionLost: false) == .none)
        #expect(state.willSend(isNewConnection: true) == .refuse)
    }

    @Test func cancellationWithinTheBodyReachesItsReader() {
        var state = running(streamed: true)
        _ = state.willSend(isNewConnection: true)
        state.received()
        #expect(state.headCompleted() == true)
        #expect(state.end() == .detachAndDeliver(.body))
    }

    @Test func whatACallbackFoundWins() {
        var state = running()
        _ = state.willSend(isNewConnection: true)
        state.received()
        state.fail(.bodyTooLarge(BodyTooLarge(limit: 1)))
        state.fail(.cancelled)
        #expect(state.complete(isSuccess: true, isReusedConnectionLost: true) == .fail(.response))
        guard case .bodyTooLarge = state.failure else { return #expect(Bool(false)) }
    }

    @Test func aHeadIsNotDeliveredAfterAFailure() {
        var state = running(streamed: true)
        _ = state.willSend(isNewConnection: true)
        state.received()
        state.fail(.cancelled)
        #expect(state.headCompleted() == false)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: false) == .fail(.response))
    }

    @Test func aDeadConnectionIsReplacedOnceInPlace() {
        var state = running()
        #expect(state.willSend(isNewConnection: false) == .send)
        #expect(state.willSend(isNewConnection: true) == .sendAgain)
        #expect(state.willSend(isNewConnection: true) == .refuse)
    }

    @Test func anotherKeptConnectionIsNotGoodEnough() {
        var state = running()
        #expect(state.willSend(isNewConnection: false) == .send)
        #expect(state.willSend(isNewConnection: false) == .refuse)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: false) == .restart)
        #expect(state.start() == true)
        #expect(state.attempts == 2)
        #expect(state.willSend(isNewConnection: true) == .send)
        #expect(state.willSend(isNewConnection: true) == .refuse)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: true) == .fail(.response))
    }

    @Test func aPostIsRefusedTheSecondTime() {
        var state = running(retryable: false)
        #expect(state.willSend(isNewConnection: false) == .send)
        #expect(state.willSend(isNewConnection: true) == .refuse)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: true) == .fail(.response))
    }

    @Test func aStreamIsMadeAgain() {
        var state = running(rewinds: false)
        #expect(state.willSend(isNewConnection: false) == .send)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: true) == .restart)
    }

    @Test func nothingIsSentAgainAfterAnAnswerBegan() {
        var state = running(rewinds: false)
        #expect(state.willSend(isNewConnection: false) == .send)
        state.received()
        #expect(state.willSend(isNewConnection: true) == .refuse)
        #expect(state.complete(isSuccess: false, isReusedConnectionLost: true) == .fail(.response))
    }

    @Test func anyOrderOfEventsHasOneOutcome() {
        var generator = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            var state = make(
                streamed: Bool.random(using: &generator), retryable: Bool.random(using: &generator),
                rewinds: Bool.random(using: &generator))
            var responses = 0
            var bodies = 0
            func count(_ delivery: TransferState.Delivery) {
                if delivery == .response { responses += 1 } else { bodies += 1 }
            }
            for _ in 0..<12 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: if state.submit() == .drop { responses += 1 }
                case 1: _ = state.start()
                case 2: _ = state.willSend(isNewConnection: Bool.random(using: &generator))
                case 3: state.received()
                case 4: if state.headCompleted() { responses += 1 }
                case 5:
                    switch state.end() {
                    case .none: break
                    case .deliver(let delivery), .detachAndDeliver(let delivery): count(delivery)
                    }
                case 6: state.fail(.cancelled)
                default:
                    let action = state.complete(
                        isSuccess: Bool.random(using: &generator),
                        isReusedConnectionLost: Bool.random(using: &generator))
                    switch action {
                    case .none, .restart: break
                    case .succeed(let delivery), .fail(let delivery): count(delivery)
                    }
                }
            }
            #expect(responses <= 1 && bodies <= 1)
            #expect(bodies == 0 || responses == 1)
            #expect(state.attempts <= 2)
            #expect((state.phase == .ended) == (bodies == 1 || responses == 1 && state.delivery == .response))
        }
    }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
