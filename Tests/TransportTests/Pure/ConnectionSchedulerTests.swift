import Testing

@testable import CurlTransport

/// Who may have a connection.
struct ConnectionSchedulerTests {
    private func make(perHost: Int = 2, streams: Int = 5, total: Int = 100) -> ConnectionScheduler<Int> {
        ConnectionScheduler(limits: .init(connectionsPerHost: perHost, streamsPerHost: streams, connections: total))
    }

    @Test func limitsPerHostAndKeepsTheOrder() {
        var scheduler = make()
        #expect(scheduler.request(1, host: 1, knowledge: .exclusive, priority: 1) == true)
        #expect(scheduler.request(2, host: 1, knowledge: .exclusive, priority: 1) == true)
        #expect(scheduler.request(3, host: 1, knowledge: .exclusive, priority: 1) == false)
        #expect(scheduler.request(4, host: 1, knowledge: .exclusive, priority: 1) == false)
        #expect(scheduler.request(5, host: 1, knowledge: .exclusive, priority: 0) == false)
        #expect(scheduler.request(6, host: 2, knowledge: .exclusive, priority: 1) == true)
        var ready: [Int] = []
        scheduler.release(host: 1, into: &ready)
        #expect(ready == [5])
        scheduler.release(host: 1, into: &ready)
        scheduler.release(host: 1, into: &ready)
        #expect(ready == [5, 3, 4])
        #expect(scheduler.activeCount == 3)
        #expect(scheduler.waitingCount == 0)
    }

    @Test func anUnknownHostGetsOneRequestAhead() {
        var scheduler = make()
        #expect(scheduler.request(0, host: 1, knowledge: .unknown, priority: 1) == true)
        for ticket in 1...9 { #expect(scheduler.request(ticket, host: 1, knowledge: .unknown, priority: 1) == false) }
        var ready: [Int] = []
        scheduler.learn(.multiplexed, host: 1, into: &ready)
        #expect(ready == [1, 2, 3, 4])
        scheduler.learn(.multiplexed, host: 1, into: &ready)
        #expect(ready.count == 4)
        scheduler.release(host: 1, into: &ready)
        #expect(ready == [1, 2, 3, 4, 5])
    }

    @Test func anUnknownHostThatTurnsOutToBeExclusive() {
        var scheduler = make()
        #expect(scheduler.request(0, host: 1, knowledge: .unknown, priority: 1) == true)
        for ticket in 1...3 { #expect(scheduler.request(ticket, host: 1, knowledge: .unknown, priority: 1) == false) }
        var ready: [Int] = []
        scheduler.learn(.exclusive, host: 1, into: &ready)
        #expect(ready == [1])
    }

    @Test func aPioneerThatFailsMakesWayForTheNext() {
        var scheduler = make()
        #expect(scheduler.request(0, host: 1, knowledge: .unknown, priority: 1) == true)
        #expect(scheduler.request(1, host: 1, knowledge: .unknown, priority: 1) == false)
        var ready: [Int] = []
        scheduler.release(host: 1, into: &ready)
        #expect(ready == [1])
    }

    @Test func limitsInAll() {
        var scheduler = make(perHost: 5, total: 2)
        #expect(scheduler.request(1, host: 1, knowledge: .exclusive, priority: 1) == true)
        #expect(scheduler.request(2, host: 2, knowledge: .multiplexed, priority: 1) == true)
        // A second stream needs no connection.
        #expect(scheduler.request(3, host: 2, knowledge: .multiplexed, priority: 1) == true)
        #expect(scheduler.request(4, host: 3, knowledge: .exclusive, priority: 1) == false)
        #expect(scheduler.request(5, host: 1, knowledge: .exclusive, priority: 1) == false)
        var ready: [Int] = []
        scheduler.release(host: 2, into: &ready)
        #expect(ready.isEmpty)
        scheduler.release(host: 2, into: &ready)
        #expect(ready == [4])
        scheduler.release(host: 3, into: &ready)
        #expect(ready == [4, 5])
    }

    @Test func nobodyIsForgotten() {
        var generator = SeededRandom(seed: 3)
        for _ in 0..<200 {
            var scheduler = make(
                perHost: .random(in: 1...3, using: &generator), streams: .random(in: 1...5, using: &generator),
                total: .random(in: 1...4, using: &generator))
            var active: [(ticket: Int, host: Int)] = []
            var hosts: [Int: Int] = [:]
            var ready: [Int] = []
            for ticket in 0..<60 {
                let host = Int.random(in: 0..<4, using: &generator)
                hosts[ticket] = host
                let knowledge: ConnectionScheduler<Int>.Knowledge = [.unknown, .exclusive, .multiplexed][host % 3]
                let priority = Int.random(in: 0...2, using: &generator)
                if scheduler.request(ticket, host: host, knowledge: knowledge, priority: priority) {
                    active.append((ticket, host))
                }
                if Bool.random(using: &generator), !active.isEmpty {
                    let index = Int.random(in: 0..<active.count, using: &generator)
                    scheduler.release(host: active.remove(at: index).host, into: &ready)
                }
                active += ready.map { ($0, hosts[$0] ?? 0) }
                ready = []
            }
            var served = 0
            while let next = active.popLast() {
                served += 1
                scheduler.release(host: next.host, into: &ready)
                active += ready.map { ($0, hosts[$0] ?? 0) }
                ready = []
            }
            #expect(scheduler.waitingCount == 0)
            #expect(scheduler.activeCount == 0)
            #expect(served > 0)
        }
    }

    @Test func queueKeepsItsOrder() {
        var queue = Queue<Int>()
        var next = 0
        for number in 0..<5000 {
            queue.append(number)
            if number % 3 == 0 {
                let popped = queue.popFirst()
                #expect(popped == next)
                next += 1
            }
        }
        while let number = queue.popFirst() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 5000)
        #expect(queue.count == 0)
    }
}
