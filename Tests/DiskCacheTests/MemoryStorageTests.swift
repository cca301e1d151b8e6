import Foundation
import Testing

@testable import DiskCache

@Suite struct MemoryStorageTests {
    private let overhead = MemoryStorage.entryOverhead

    @Test func keepsAndForgets() async {
        let storage = MemoryStorage()
        await storage.store(Data("1".utf8), metadata: Data("m".utf8), for: "a")
        await storage.store(Data("2".utf8), for: "b/1")
        await storage.store(Data("3".utf8), for: "b/2")
        #expect(await storage.value(for: "a")?.metadata == Data("m".utf8))
        #expect(await storage.data(for: "b/2") == Data("3".utf8))
        #expect(await storage.data(for: "c") == nil)
        await storage.removeValues(withPrefix: "b/")
        #expect(await storage.data(for: "b/1") == nil)
        #expect(await storage.data(for: "a") == Data("1".utf8))
        await storage.removeValue(for: "a")
        #expect(storage.statistics.entries == 0)
        #expect(storage.statistics.hits == 3)
        #expect(storage.statistics.misses == 2)
        #expect(storage.statistics.stores == 3)
    }

    @Test func keysThatLookEqualAreNot() async {
        let storage = MemoryStorage()
        await storage.store(Data("one scalar".utf8), for: CacheKey("\u{E9}"))
        await storage.store(Data("two scalars".utf8), for: CacheKey("e\u{301}"))
        #expect(await storage.data(for: CacheKey("\u{E9}")) == Data("one scalar".utf8))
        #expect(await storage.data(for: CacheKey("e\u{301}")) == Data("two scalars".utf8))
    }

    @Test func theLeastRecentlyUsedGoesFirst() async {
        let storage = MemoryStorage(costLimit: 3 * (overhead + 101), entryCostLimit: overhead + 101)
        for key in ["a", "b", "c"] { await storage.store(Data(count: 100), for: CacheKey(key)) }
        _ = await storage.value(for: "a")
        await storage.store(Data(count: 100), for: "d")
        #expect(await storage.data(for: "b") == nil)
        #expect(await storage.data(for: "a") != nil)
        #expect(storage.statistics.evictions == 1)
        #expect(storage.statistics.bytes == 3 * (overhead + 101))
    }

    @Test func tooLargeAValueLeavesNothingUnderItsKey() async {
        let storage = MemoryStorage(costLimit: 10_000, entryCostLimit: overhead + 101)
        #expect(await storage.store(Data(count: 100), for: "a"))
        #expect(await !storage.store(Data(count: 101), for: "a"))
        #expect(await storage.data(for: "a") == nil)
        #expect(storage.statistics.failedStores == 1)
    }

    @Test func writerCommitsWhole() async throws {
        let storage = MemoryStorage()
        let writer = try #require(await storage.writer(for: "a", metadata: Data("m".utf8)))
        await writer.write(Data("12".utf8))
        #expect(await storage.value(for: "a") == nil)
        await writer.write(Data("34".utf8))
        #expect(await writer.commit())
        #expect(await storage.data(for: "a") == Data("1234".utf8))
        #expect(await !writer.commit())
    }

    @Test func writerGivesUpOnTooMuch() async throws {
        let storage = MemoryStorage(costLimit: 10_000, entryCostLimit: overhead + 101)
        let writer = try #require(await storage.writer(for: "a", metadata: Data()))
        #expect(await writer.write(Data(count: 100)))
        #expect(await !writer.write(Data(count: 1)))
        #expect(await !writer.commit())
        #expect(await storage.value(for: "a") == nil)
    }

    @Test func aRemovalCoversWritersUnderWay() async throws {
        let storage = MemoryStorage()
        for remove in removals {
            let writer = try #require(await storage.writer(for: "a/1", metadata: Data()))
            await writer.write(Data("old".utf8))
            await remove(storage)
            #expect(await !writer.commit())
            #expect(await storage.value(for: "a/1") == nil)
        }
    }

    @Test func metadataIsReplacedOnlyIfItIsTheExpectedOne() async {
        let storage = MemoryStorage()
        await storage.store(Data("body".utf8), metadata: Data("1".utf8), for: "a")
        #expect(await !storage.replaceMetadata(for: "a", from: Data("0".utf8), to: Data("2".utf8)))
        #expect(await storage.value(for: "a")?.metadata == Data("1".utf8))
        #expect(await storage.replaceMetadata(for: "a", from: Data("1".utf8), to: Data("2".utf8)))
        #expect(await storage.value(for: "a")?.metadata == Data("2".utf8))
        #expect(await storage.data(for: "a") == Data("body".utf8))
        #expect(await !storage.replaceMetadata(for: "b", from: Data(), to: Data("2".utf8)))
    }
}

/// The ways to remove the key `a/1`.
let removals: [@Sendable (any CacheStorage) async -> Void] = [
    { await $0.removeValue(for: "a/1") },
    { await $0.removeValues(withPrefix: "a/") },
    { await $0.removeAll() },
]
