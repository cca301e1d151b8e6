import Foundation
import Testing

@testable import DiskCache

@Suite struct LayeredStorageTests {
    private let front = MemoryStorage(costLimit: 100_000, entryCostLimit: 10_000)

    @Test func hitsBehindComeToTheFront() async {
        let back = MemoryStorage()
        let storage = LayeredStorage(front: front, back: back)
        await back.store(Data("1".utf8), metadata: Data("m".utf8), for: "a")
        #expect(await storage.data(for: "a") == Data("1".utf8))
        #expect(front.contains("a"))
        #expect(await storage.value(for: "a")?.metadata == Data("m".utf8))
        #expect(back.statistics.hits == 1)
        #expect(storage.statistics.hits == 2)
        #expect(await storage.data(for: "b") == nil)
        #expect(storage.statistics.misses == 1)
    }

    @Test func everythingReachesBoth() async throws {
        let back = MemoryStorage()
        let storage = LayeredStorage(front: front, back: back)
        await storage.store(Data("1".utf8), metadata: Data("m".utf8), for: "a/1")
        #expect(front.contains("a/1") && back.contains("a/1"))
        #expect(await storage.replaceMetadata(for: "a/1", from: Data("m".utf8), to: Data("n".utf8)))
        #expect(front.lookUp("a/1")?.metadata == Data("n".utf8))
        #expect(back.lookUp("a/1")?.metadata == Data("n".utf8))
        for remove in removals {
            await storage.store(Data("1".utf8), metadata: Data("m".utf8), for: "a/1")
            await remove(storage)
            #expect(!front.contains("a/1") && !back.contains("a/1"))
            let writer = try #require(await storage.writer(for: "a/1", metadata: Data()))
            await writer.write(Data("old".utf8))
            await remove(storage)
            #expect(await !writer.commit())
            #expect(!front.contains("a/1") && !back.contains("a/1"))
        }
    }

    @Test func aWriterFillsTheFrontIfTheBodyIsSmall() async throws {
        let storage = LayeredStorage(front: front, back: MemoryStorage())
        for (length, isInFront) in [(100, true), (20_000, false)] {
            let writer = try #require(await storage.writer(for: "a", metadata: Data("m".utf8)))
            for start in stride(from: 0, to: length, by: 100) {
                await writer.write(patternedData(length)[start..<start + 100])
            }
            #expect(await writer.commit())
            #expect(front.contains("a") == isInFront)
            #expect(await storage.data(for: "a") == patternedData(length))
        }
    }

    @Test func tooLargeForTheFrontReplacesWhatIsThere() async {
        let storage = LayeredStorage(front: front, back: MemoryStorage())
        await storage.store(Data("small".utf8), for: "a")
        await storage.store(patternedData(20_000), for: "a")
        #expect(await storage.data(for: "a") == patternedData(20_000))
    }

    @Test func metadataThatTheBackDoesNotReplaceTakesTheEntryFromTheFront() async {
        let back = MemoryStorage()
        let storage = LayeredStorage(front: front, back: back)
        await storage.store(Data("1".utf8), metadata: Data("m".utf8), for: "a")
        await back.store(Data("2".utf8), metadata: Data("other".utf8), for: "a")
        #expect(await !storage.replaceMetadata(for: "a", from: Data("m".utf8), to: Data("n".utf8)))
        #expect(await storage.data(for: "a") == Data("2".utf8))
    }

    /// A look-up that was under way in the back while the key was changed must not put the old value in front.
    @Test(arguments: 0..<3)
    func whatWasReadBeforeAChangeDoesNotComeToTheFront(change: Int) async {
        let back = SlowStorage()
        let storage = LayeredStorage(front: front, back: back)
        await back.inner.store(Data("old".utf8), for: "a/1")
        back.beforeReturning = { [storage] in
            switch change {
            case 0: await storage.removeValue(for: "a/1")
            case 1: await storage.removeAll()
            default: await storage.store(patternedData(20_000), metadata: Data(), for: "a/1")
            }
        }
        _ = await storage.data(for: "a/1")
        #expect(!front.contains("a/1"))
    }

    /// A storage with nothing but the required functions works through the defaults.
    @Test func theDefaultsServeAPlainStorage() async throws {
        let storage = PlainStorage()
        let writer = try #require(await storage.writer(for: "a", metadata: Data("m".utf8)))
        await writer.write(Data("12".utf8))
        await writer.write(Data("34".utf8))
        #expect(await writer.commit())
        #expect(await !writer.commit())
        #expect(await storage.replaceMetadata(for: "a", from: Data("m".utf8), to: Data("n".utf8)))
        #expect(await storage.value(for: "a")?.metadata == Data("n".utf8))
        #expect(await storage.data(for: "a") == Data("1234".utf8))
        let cancelled = try #require(await storage.writer(for: "b", metadata: Data()))
        await cancelled.write(Data("1".utf8))
        await cancelled.cancel()
        #expect(await !cancelled.commit())
        #expect(await storage.value(for: "b") == nil)
        #expect(storage.statistics == CacheStatistics())
    }
}

private struct PlainStorage: CacheStorage {
    let inner = MemoryStorage()

    func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? { inner.lookUp(key) }
    func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool {
        inner.insert(body, metadata: metadata, for: key)
    }
    func removeValue(for key: CacheKey) async { await inner.removeValue(for: key) }
    func removeValues(withPrefix prefix: CacheKey) async { await inner.removeValues(withPrefix: prefix) }
    func removeAll() async { await inner.removeAll() }
}

/// Lets something happen between reading a value and returning it.
private final class SlowStorage: CacheStorage, @unchecked Sendable {
    let inner = MemoryStorage()
    /// Set once, before the storage is used.
    var beforeReturning: @Sendable () async -> Void = {}

    func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? {
        let value = inner.lookUp(key)
        await beforeReturning()
        return value
    }
    func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool {
        inner.insert(body, metadata: metadata, for: key)
    }
    func removeValue(for key: CacheKey) async { await inner.removeValue(for: key) }
    func removeValues(withPrefix prefix: CacheKey) async { await inner.removeValues(withPrefix: prefix) }
    func removeAll() async { await inner.removeAll() }
}
