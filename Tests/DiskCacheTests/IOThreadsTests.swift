import Foundation
import Testing

@testable import DiskCache

@Suite struct IOThreadsTests {
    @Test func resultsComeBackAndJobsLeaveSwiftsThreads() async {
        let threads = IOThreads(count: 2)
        let results = await withTaskGroup(of: Int.self) { group in
            for index in 0..<200 { group.addTask { await threads.run { index } } }
            var sum = 0
            for await result in group { sum += result }
            return sum
        }
        #expect(results == 199 * 200 / 2)
    }

    @Test func jobsOfOneThreadRunInOrder() async {
        let threads = IOThreads(count: 1)
        let order = Locked<[Int]>([])
        for index in 0..<3000 { threads.enqueue { order.withLock { $0.append(index) } } }
        await threads.run {}
        #expect(order.withLock { $0 } == Array(0..<3000))
    }

    /// The last reference to a pool may go on one of its own threads, which must not stop there.
    @Test(.timeLimit(.minutes(1)))
    func aPoolMayEndOnItsOwnThread() async {
        for _ in 0..<50 {
            let done = AsyncStream<Void> { continuation in
                let threads = IOThreads(count: 1)
                threads.enqueue { [threads] in
                    threads.enqueue { continuation.finish() }
                }
            }
            for await _ in done {}
        }
    }
}
