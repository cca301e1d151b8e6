import Foundation
import Synchronization
import Testing

@testable import ImagePipeline

@Suite struct DecodeQueueTests {
    @Test func startsAsManyAsAllowed() {
        var queue = DecodeQueue(concurrency: 2, byteBudget: 100)
        #expect(queue.enqueue(1, bytes: 10, priority: 0) == [1])
        #expect(queue.enqueue(2, bytes: 10, priority: 0) == [2])
        #expect(queue.enqueue(3, bytes: 10, priority: 0) == [])
        #expect(queue.finish(1) == [3])
        #expect(queue.bytesInUse == 20)
        #expect(queue.finish(1) == [])
    }

    @Test func theBudgetIsKeptAndTheFirstIsNotOvertaken() {
        var queue = DecodeQueue(concurrency: 8, byteBudget: 100)
        #expect(queue.enqueue(1, bytes: 60, priority: 0) == [1])
        #expect(queue.enqueue(2, bytes: 60, priority: 0) == [])
        #expect(queue.enqueue(3, bytes: 10, priority: 0) == [])
        #expect(queue.finish(1) == [2, 3])
        #expect(queue.bytesInUse == 70)
    }

    @Test func oneLargerThanTheBudgetRunsAlone() {
        var queue = DecodeQueue(concurrency: 8, byteBudget: 100)
        #expect(queue.enqueue(1, bytes: 1, priority: 0) == [1])
        #expect(queue.enqueue(2, bytes: 5000, priority: 0) == [])
        #expect(queue.finish(1) == [2])
        #expect(queue.enqueue(3, bytes: 1, priority: 0) == [])
        #expect(queue.finish(2) == [3])
        #expect(queue.bytesInUse == 1)
    }

    @Test func prioritiesGoFirstAndCanBeRaised() {
        var queue = DecodeQueue(concurrency: 1, byteBudget: 100)
        _ = queue.enqueue(1, bytes: 1, priority: 0)
        for (id, priority) in [(2, 0), (3, 1), (4, 2), (5, 1)] {
            #expect(queue.enqueue(UInt64(id), bytes: 1, priority: priority) == [])
        }
        queue.raise(2, to: 2)
        var order: [UInt64] = []
        var next: [UInt64] = [1]
        while let id = next.first {
            next = queue.finish(id)
            order += next
        }
        #expect(order == [4, 2, 3, 5])
    }

    @Test func cancellingLetsOthersIn() {
        var queue = DecodeQueue(concurrency: 2, byteBudget: 100)
        _ = queue.enqueue(1, bytes: 50, priority: 0)
        _ = queue.enqueue(2, bytes: 80, priority: 0)
        _ = queue.enqueue(3, bytes: 50, priority: 0)
        let cancelled = queue.cancel(2)
        #expect(cancelled.wasWaiting && cancelled.started == [3])
        #expect(!queue.cancel(1).wasWaiting && !queue.cancel(99).wasWaiting)
        #expect(queue.runningCount == 2 && queue.waitingCount == 0)
    }
}

@Suite struct DecodeSchedulerTests {
    private final class Usage: Sendable {
        struct Counts {
            var bytes = 0
            var most = 0
            var done = 0
        }
        let counts = Mutex(Counts())
    }

    @Test func manyAtOnceWithinTheBudget() async throws {
        let scheduler = DecodeScheduler(concurrency: 4, byteBudget: 100)
        let use = Usage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let bytes = 10 + index % 50
                    try await scheduler.run(bytes: bytes) { (_) throws(ImageError) in
                        use.counts.withLock {
                            $0.bytes += bytes
                            $0.most = max($0.most, $0.bytes)
                        }
                        use.counts.withLock {
                            $0.bytes -= bytes
                            $0.done += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(use.counts.withLock { $0.done } == 200)
        #expect(use.counts.withLock { $0.most } <= 100)
    }

    @Test func cancellationReachesWaitingAndRunningWork() async {
        let scheduler = DecodeScheduler(concurrency: 1)
        let started = AsyncStream<Void>.makeStream()
        let running = Task {
            try await scheduler.run(bytes: 1) { (isCancelled) throws(ImageError) in
                started.continuation.yield()
                while !isCancelled() {}
                throw .cancelled
            }
        }
        for await _ in started.stream { break }
        let waiting = Task { try await scheduler.run(bytes: 1) { (_) throws(ImageError) in } }
        waiting.cancel()
        await #expect(throws: ImageError.cancelled) { try await waiting.value }
        running.cancel()
        await #expect(throws: ImageError.cancelled) { try await running.value }
        await #expect(throws: Never.self) { try await scheduler.run(bytes: 1) { (_) throws(ImageError) in } }
    }

    @Test func thumbnailsInParallelAreRight() async throws {
        let file = TestImages.jpeg(TestImages.smooth(120, 90))
        let recipe = ThumbnailRecipe(fitting: 30, 30)
        let expected = try Thumbnailer().makeThumbnail(of: file, recipe: recipe)
        let results = try await withThrowingTaskGroup(of: Thumbnail.self) { group in
            for _ in 0..<40 {
                group.addTask { try await Thumbnailer().makeThumbnail(of: file, recipe: recipe, scheduler: .shared) }
            }
            return try await group.reduce(into: [Thumbnail]()) { $0.append($1) }
        }
        #expect(results.count == 40 && results.allSatisfy { $0 == expected })
    }
}
