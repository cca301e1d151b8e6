import APICore
import APITesting
import Foundation
import Testing

@Suite struct ManualClockTests {
    @Test func timeStandsStillUntilItIsMoved() {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 100))
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now - start == .milliseconds(1500))
        #expect(clock.date == Date(timeIntervalSince1970: 101.5))
        #expect(clock.elapsed == .milliseconds(1500))
        clock.advance(by: .seconds(-10))
        #expect(clock.elapsed == .milliseconds(1500))
        #expect(clock.timeSource.now() == clock.now)
        #expect(clock.timeSource.date() == clock.date)
    }

    @Test func sleepersWakeInTheOrderOfTheirTimes() async throws {
        let clock = ManualClock()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        for seconds in [3, 1, 2] {
            Task {
                try await clock.sleep(for: .seconds(seconds))
                continuation.yield(seconds)
            }
        }
        try await clock.waitForSleepers(3)
        #expect(clock.nextWakeUp == .seconds(1))
        var order = stream.makeAsyncIterator()
        for expected in [1, 2, 3] {
            #expect(clock.advanceToNextWakeUp() == .seconds(1))
            #expect(await order.next() == expected)
        }
        #expect(clock.sleepers == 0)
        #expect(clock.advanceToNextWakeUp() == nil)
        #expect(Set(clock.requestedSleeps) == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func nobodyWakesTooEarly() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(10)) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(9999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleepers == 0)
        try await task.value
    }

    @Test func aCancelledSleeperThrows() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.timeSource.sleep(.seconds(1)) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
        let cancelledBefore = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await cancelledBefore.value }
    }

    @Test func noTimeIsNoSleep() async throws {
        let clock = ManualClock()
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.requestedSleeps == [.zero, .seconds(-1)])
    }

    @Test func waitingForSleepersGivesUp() async {
        let error = await #expect(throws: WaitTimeout.self) {
            try await ManualClock().waitForSleepers(1, timeout: .milliseconds(1))
        }
        #expect(error?.description.hasSuffix("for 1 sleepers; there are 0") == true)
    }

    @Test func aDayOfBackoffRunsInAMoment() async throws {
        let clock = ManualClock()
        let attempts = try await clock.running {
            var attempts = 0
            while clock.elapsed < .seconds(86_400) {
                attempts += 1
                try await clock.sleep(for: .seconds(60))
            }
            return attempts
        }
        #expect(attempts == 1440)
    }

    @Test func manySleepersAndCancellationsLoseNobody() async throws {
        let clock = ManualClock()
        var random = SeededGenerator(seed: 3)
        let tasks = (0..<500).map { _ in
            let seconds = Int.random(in: 1...100, using: &random)
            return Task { try await clock.sleep(for: .seconds(seconds)) }
        }
        for task in tasks where Bool.random(using: &random) { task.cancel() }
        let finished = await clock.running {
            var finished = 0
            for task in tasks {
                do {
                    try await task.value
                    finished += 1
                } catch {}
            }
            return finished
        }
        #expect(finished > 0)
        #expect(clock.sleepers == 0)
    }
}

@Suite struct GateTests {
    @Test func holdsBackUntilItIsOpen() async throws {
        let gate = Gate()
        let task = Task {
            try await gate.wait()
            return gate.isOpen
        }
        try await gate.waitForArrivals(1)
        gate.open()
        #expect(try await task.value)
        try await gate.wait()
        #expect(gate.arrivals == 2)
        gate.close()
        #expect(!gate.isOpen)
    }

    @Test func cancellationLetsGo() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        try await gate.waitForArrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func waitingForArrivalsGivesUp() async {
        await #expect(throws: WaitTimeout.self) {
            try await Gate().waitForArrivals(1, timeout: .milliseconds(1))
        }
    }
}
