import Foundation
import Testing

@testable import DiskCache

@Suite struct DiskStorageTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    private func storage(
        _ configuration: DiskStorage.Configuration = .init(), fileSystem: any FileSystem = POSIXFileSystem()
    ) async -> DiskStorage {
        let storage = DiskStorage(
            directory: folder.path, configuration: configuration, fileSystem: fileSystem, now: { [clock] in clock.now })
        await storage.scanned()
        return storage
    }

    @Test(arguments: [0, 1, 4096, 65_535, 65_536, 65_537, 1_000_000])
    func keepsABodyOfAnyLength(length: Int) async throws {
        let body = patternedData(length)
        let storage = await storage()
        #expect(await storage.store(body, metadata: Data("m".utf8), for: "a"))
        #expect(await storage.value(for: "a")?.metadata == Data("m".utf8))
        #expect(await storage.data(for: "a") == body)

        let reopened = await self.storage()
        #expect(await reopened.data(for: "a") == body)
        #expect(reopened.statistics.entries == 1)
        #expect(reopened.statistics.bytes == storage.statistics.bytes)

        let value = try #require(await reopened.value(for: "a", inlineLimit: 0))
        #expect(value.body.count == length)
        #expect(await value.body.collect() == body)
    }

    @Test func keysMayHoldAnyBytes() async {
        let storage = await storage()
        let keys = [
            CacheKey([]), CacheKey([0]), CacheKey([0, 0]), CacheKey([0x2F]), CacheKey([0x2E, 0x2E, 0x2F]),
            CacheKey([0xFF, 0xFE]), CacheKey("\u{E9}"), CacheKey("e\u{301}"),
            CacheKey([UInt8](repeating: 7, count: 50_000)),
            CacheKey(0...255), CacheKey("a\nb\0c"),
        ]
        for (index, key) in keys.enumerated() { await storage.store(Data("\(index)".utf8), for: key) }
        for (index, key) in keys.enumerated() { #expect(await storage.data(for: key) == Data("\(index)".utf8)) }
        #expect(await !storage.store(Data(), for: CacheKey(repeatElement(1, count: CacheKey.maximumLength + 1))))
    }

    @Test func theFileIsNamedByTheHashOfTheKey() async {
        let storage = await storage()
        await storage.store(Data("x".utf8), for: "abc")
        #expect(
            folder.entries == ["ba/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"])
    }

    @Test func nobodyElseMayLook() async throws {
        let storage = await storage()
        await storage.store(Data("x".utf8), for: "abc")
        let entry = try #require(folder.entries.first)
        for (path, mode) in [("", 0o700), ("ba", 0o700), (entry, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
        #expect(folder.contents("CACHEDIR.TAG").starts(with: Data("Signature: 8a477f597d28d172789f06886806bc55".utf8)))
    }

    @Test func collidingHashesAreAMiss() async {
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(), fileSystem: POSIXFileSystem(),
            name: { _ in EntryName(digest: [UInt8](repeating: 0xAB, count: 32)) })
        await storage.store(Data("a".utf8), for: "a")
        #expect(await storage.data(for: "b") == nil)
        #expect(await storage.data(for: "a") == Data("a".utf8))
        await storage.store(Data("b".utf8), for: "b")
        #expect(await storage.data(for: "a") == nil)
        #expect(await storage.data(for: "b") == Data("b".utf8))
        #expect(storage.statistics.corrupt == 0)
    }

    @Test func countsWhatItDoes() async {
        let storage = await storage()
        await storage.store(Data(count: 5000), for: "a")
        _ = await storage.data(for: "a")
        _ = await storage.data(for: "b")
        var expected = CacheStatistics()
        expected.hits = 1
        expected.misses = 1
        expected.stores = 1
        expected.entries = 1
        expected.bytes = 8192
        #expect(storage.statistics == expected)
        await storage.store(Data(count: 10), for: "a")
        #expect(storage.statistics.bytes == 4096)
        await storage.removeValue(for: "a")
        #expect(storage.statistics.bytes == 0)
        #expect(folder.entries.isEmpty)
    }

    @Test func goesDownToTheLowWaterMarkByUse() async {
        clock.set(toSystemTime: ())
        let storage = await storage(.init(sizeLimit: 10 * 4096, lowWaterMark: 0.5, entrySizeLimit: 4096))
        for index in 0..<10 { await storage.store(Data("\(index)".utf8), for: CacheKey("\(index)")) }
        #expect(storage.statistics.entries == 10)
        _ = await storage.data(for: "0")
        await storage.store(Data("10".utf8), for: "10")
        #expect(storage.statistics.entries == 5)
        #expect(storage.statistics.evictions == 6)
        #expect(folder.entries.count == 5)
        for key in ["0", "7", "8", "9", "10"] { #expect(await storage.data(for: CacheKey(key)) != nil, "\(key)") }
    }

    @Test func countsWhatWasThereBeforeTheStart() async {
        clock.set(toSystemTime: ())
        let first = await storage()
        for index in 0..<10 {
            await first.store(Data("\(index)".utf8), for: CacheKey("\(index)"))
            clock.advance(seconds: 100)
            // Recorded on disk, since the last record is long ago.
            if index > 0 { _ = await first.data(for: "0") }
        }
        let second = await storage(.init(sizeLimit: 10 * 4096, lowWaterMark: 0.3, entrySizeLimit: 4096))
        #expect(second.statistics.entries == 10)
        await second.store(Data("new".utf8), for: "new")
        #expect(second.statistics.entries == 3)
        #expect(await second.data(for: "0") != nil)
        #expect(await second.data(for: "new") != nil)
    }

    @Test func tooLargeAValueIsRefusedAndLeavesNothing() async throws {
        let storage = await storage(.init(sizeLimit: 1 << 20, entrySizeLimit: 100_000))
        #expect(await storage.store(Data(count: 90_000), for: "a"))
        #expect(await !storage.store(Data(count: 100_000), for: "a"))
        #expect(await storage.data(for: "a") == nil)
        let writer = try #require(await storage.writer(for: "a", metadata: Data()))
        #expect(await writer.write(Data(count: 70_000)))
        #expect(await !writer.write(Data(count: 70_000)))
        #expect(await !writer.commit())
        #expect(folder.entries.isEmpty)
        #expect(folder.files.filter { $0.hasSuffix(".tmp") }.isEmpty)
        #expect(storage.statistics.failedStores == 2)
    }

    @Test func dropsWhatIsTooOld() async {
        let storage = await storage(.init(ageLimit: .seconds(3600)))
        clock.set(toSystemTime: ())
        await storage.store(Data("a".utf8), for: "a")
        clock.advance(seconds: 3590)
        #expect(await storage.data(for: "a") != nil)
        clock.advance(seconds: 20)
        #expect(await storage.data(for: "a") == nil)
        #expect(storage.statistics.expirations == 1)
        #expect(folder.entries.isEmpty)
    }

    @Test func aScanDropsWhatIsTooOld() async {
        clock.set(toSystemTime: ())
        await storage().store(Data("a".utf8), for: "a")
        clock.advance(seconds: 4000)
        let second = await storage(.init(ageLimit: .seconds(3600)))
        #expect(second.statistics.expirations == 1)
        #expect(folder.entries.isEmpty)
    }

    /// Written by a clock a year ahead, which is then put right.
    @Test func anEntryFromTheFutureAgesFromWhenItWasSeen() async throws {
        clock.set(toSystemTime: ())
        await storage().store(Data("a".utf8), for: "a")
        let path = "\(folder.path)/\(try #require(folder.entries.first))"
        let ahead = clock.now + 365 * 86_400 * 1_000_000_000
        try POSIXFileSystem().setTimes(at: path, accessed: ahead, modified: ahead)
        let limited = DiskStorage.Configuration(ageLimit: .seconds(3600))
        #expect(await storage(limited).data(for: "a") != nil)
        #expect(try POSIXFileSystem().status(at: path).modified == clock.now)
        clock.advance(seconds: 3700)
        #expect(await storage(limited).data(for: "a") == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func anyClockAndAnyFileTimeWork(time: Int64) async throws {
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(ageLimit: .seconds(Int64.max)), fileSystem: POSIXFileSystem(),
            now: { time })
        await storage.scanned()
        await storage.store(Data("a".utf8), for: "a")
        #expect(await storage.data(for: "a") != nil)
        let path = "\(folder.path)/\(try #require(folder.entries.first))"
        for fileTime: Int64 in [-4_000_000_000_000_000_000, 0, 4_000_000_000_000_000_000] {
            try? POSIXFileSystem().setTimes(at: path, accessed: fileTime, modified: fileTime)
            _ = await storage.data(for: "a")
            await self.storage(.init(ageLimit: .seconds(1))).scanned()
            await storage.store(Data("a".utf8), for: "a")
        }
    }

    @Test func otherPeoplesFilesStay() async throws {
        let storage = await storage()
        await storage.store(Data("a".utf8), for: "a")
        let name = EntryName("foreign").file
        let foreign = [
            "notes.txt", "ab/notes.txt", "zz/file", "ab/.hidden.tmp", "abc/def", "\(name.prefix(2))/\(name)",
            "\(name.prefix(2))/\(name.uppercased())",
        ]
        for file in foreign { folder.write(Data("precious".utf8), to: file) }
        let second = await self.storage(.init(sizeLimit: 4096, lowWaterMark: 0, entrySizeLimit: 4096))
        #expect(second.statistics.entries == 1)
        await second.store(Data("b".utf8), for: "b")
        await second.removeValues(withPrefix: "")
        await second.removeAll()
        for file in foreign { #expect(folder.contents(file) == Data("precious".utf8), "\(file)") }
        #expect(folder.files.count == foreign.count + 1)
    }

    @Test func damagedEntriesGoOneByOne() async throws {
        let first = await storage()
        for index in 0..<6 { await first.store(patternedData(5000), for: CacheKey("\(index)")) }
        let entries = folder.entries
        let good = folder.contents(entries[0])
        folder.write(Data(), to: entries[0])
        folder.write(Data(count: good.count), to: entries[1])
        folder.write(good.prefix(4096), to: entries[2])
        var flipped = folder.contents(entries[3])
        flipped[3000] ^= 1
        folder.write(flipped, to: entries[3])

        let second = await storage()
        #expect(second.statistics.corrupt == 3)
        var found = 0
        for index in 0..<6 {
            guard let body = await second.data(for: CacheKey("\(index)")) else { continue }
            #expect(body == patternedData(5000))
            found += 1
        }
        #expect(found == 2)
        #expect(second.statistics.corrupt == 4)
        #expect(folder.entries.count == 2)
        #expect(second.statistics.entries == 2)
    }

    @Test func aScanRemovesWhatDeadWritersLeft() async throws {
        clock.set(toSystemTime: ())
        let first = await storage()
        let writer = try #require(await first.writer(for: "a", metadata: Data()))
        await writer.write(patternedData(100_000))
        let abandoned = "ab/\(TemporaryName.random())"
        folder.write(Data(count: 10), to: abandoned)
        await storage().scanned()
        #expect(folder.files.contains(abandoned), "too fresh to be taken for abandoned")

        clock.advance(seconds: 120)
        await storage().scanned()
        #expect(!folder.files.contains(abandoned))
        #expect(await writer.commit(), "a living writer's file is locked, however old")
        #expect(await first.data(for: "a") == patternedData(100_000))
    }

    @Test func worksOnWhenTheFolderIsDeletedUnderneath() async throws {
        let storage = await storage()
        await storage.store(Data("a".utf8), for: "a")
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(await storage.data(for: "a") == nil)
        #expect(storage.statistics.entries == 0)
        #expect(await storage.store(Data("b".utf8), for: "a"))
        #expect(await storage.data(for: "a") == Data("b".utf8))

        let writer = try #require(await storage.writer(for: "c", metadata: Data()))
        await writer.write(patternedData(100_000))
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(await !writer.commit())
        #expect(await storage.data(for: "c") == nil)
        await storage.removeAll()
        #expect(await storage.store(Data("d".utf8), for: "d"))
    }

    @Test func aPathThatIsAFileIsAStorageThatMisses() async {
        folder.write(Data("file".utf8), to: "file")
        let storage = DiskStorage(directory: "\(folder.path)/file")
        await storage.scanned()
        #expect(await !storage.store(Data("a".utf8), for: "a"))
        #expect(await storage.data(for: "a") == nil)
        await storage.removeAll()
        #expect(folder.contents("file") == Data("file".utf8))
    }

    @Test func replacesMetadataAlone() async {
        let storage = await storage()
        for length in [10, 300_000] {
            let body = patternedData(length)
            await storage.store(body, metadata: Data("1".utf8), for: "a")
            #expect(await !storage.replaceMetadata(for: "a", from: Data("0".utf8), to: Data("2".utf8)))
            #expect(await storage.replaceMetadata(for: "a", from: Data("1".utf8), to: Data("22".utf8)))
            #expect(await storage.value(for: "a")?.metadata == Data("22".utf8))
            #expect(await storage.data(for: "a") == body)
        }
        #expect(await !storage.replaceMetadata(for: "b", from: Data(), to: Data("2".utf8)))
        #expect(folder.entries.count == 1)
    }

    @Test func removesByPrefix() async {
        let storage = await storage()
        for key in ["GET http://a/1", "GET http://a/2", "GET http://a", "GET http://b/1", "GET"] {
            await storage.store(Data(key.utf8), for: CacheKey(key))
        }
        await storage.removeValues(withPrefix: "GET http://a/")
        #expect(storage.statistics.entries == 3)
        #expect(await storage.data(for: "GET http://a/1") == nil)
        #expect(await storage.data(for: "GET http://a") != nil)
        await storage.removeValues(withPrefix: "")
        #expect(folder.entries.isEmpty)
    }

    @Test func aPrefixDoesNotReachIntoTheMetadata() async {
        let storage = await storage()
        await storage.store(Data(), metadata: Data("b".utf8), for: "a")
        await storage.removeValues(withPrefix: "ab")
        #expect(await storage.value(for: "a") != nil)
    }

    @Test func aRemovalCoversWritersUnderWay() async throws {
        let storage = await storage()
        for remove in removals {
            let writer = try #require(await storage.writer(for: "a/1", metadata: Data()))
            await writer.write(Data("old".utf8))
            await remove(storage)
            #expect(await !writer.commit())
            #expect(await storage.value(for: "a/1") == nil)
            #expect(folder.entries.isEmpty)
        }
    }

    @Test func aWriterThatIsDroppedLeavesNothing() async throws {
        let threads = IOThreads(count: 1)
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(), fileSystem: POSIXFileSystem(), threads: threads)
        do {
            let writer = try #require(await storage.writer(for: "a", metadata: Data()))
            await writer.write(patternedData(100_000))
            #expect(folder.files.contains { $0.hasSuffix(".tmp") })
        }
        // The only thread has done what was asked before.
        await threads.run {}
        #expect(!folder.files.contains { $0.hasSuffix(".tmp") })
        #expect(storage.folder.state.withLock { $0.unpublishedBytes } == 0)
    }

    @Test func whatIsBeingReadMayBeReplacedAndRemoved() async throws {
        let storage = await storage()
        let body = patternedData(1_000_000)
        await storage.store(body, for: "a")
        let value = try #require(await storage.value(for: "a", inlineLimit: 1000))
        guard case .stream(let reader) = value.body else {
            Issue.record("a large body should come as a stream")
            return
        }
        var received = try #require(try await reader.read())
        await storage.store(Data("other".utf8), for: "a")
        await storage.removeAll()
        while let piece = try await reader.read() { received += piece }
        #expect(received == body)
    }

    @Test func damageInTheMiddleOfAStreamIsAnErrorAndTheEntryGoes() async throws {
        let storage = await storage()
        await storage.store(patternedData(1_000_000), for: "a")
        let entry = try #require(folder.entries.first)
        var bytes = folder.contents(entry)
        bytes[700_000] ^= 1
        folder.write(bytes, to: entry)
        let value = try #require(await storage.value(for: "a", inlineLimit: 1000))
        #expect(await value.body.collect() == nil)
        #expect(storage.statistics.corrupt == 1)
        #expect(folder.entries.isEmpty)
    }

    @Test func twoStoragesShareAFolder() async {
        let first = await storage()
        let second = await storage()
        await first.store(Data("1".utf8), for: "a")
        #expect(await second.data(for: "a") == Data("1".utf8))
        await second.store(Data("2".utf8), for: "a")
        #expect(await first.data(for: "a") == Data("2".utf8))
        await first.removeAll()
        #expect(await second.data(for: "a") == nil)
        #expect(second.statistics.entries == 0)
    }

    @Test func whatOthersWriteIsCountedAfterAnEighthOfTheLimit() async {
        let configuration = DiskStorage.Configuration(sizeLimit: 64 * 4096, lowWaterMark: 0.5, entrySizeLimit: 4096)
        let mine = await storage(configuration)
        let other = await storage(configuration)
        for index in 0..<60 { await other.store(Data("\(index)".utf8), for: CacheKey("other \(index)")) }
        #expect(mine.statistics.entries == 0)
        for index in 0..<9 { await mine.store(Data("\(index)".utf8), for: CacheKey("mine \(index)")) }
        await mine.scanned()
        #expect(folder.entries.count <= 64)
        #expect(mine.statistics.entries == folder.entries.count)
    }

    @Test func manyTasksAtOnce() async {
        let storage = await storage(.init(sizeLimit: 50 * 4096, entrySizeLimit: 4096))
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var random = SplitMix64(state: UInt64(task))
                    var wrong = 0
                    for _ in 0..<40 {
                        let number = Int.random(in: 0..<80, using: &random)
                        let key = CacheKey("\(number)")
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: await storage.store(patternedData(number * 10, seed: UInt64(number)), for: key)
                        case 1 where number == 0: await storage.removeAll()
                        default:
                            let data = await storage.data(for: key)
                            if let data, data != patternedData(number * 10, seed: UInt64(number)) { wrong += 1 }
                        }
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
        #expect(storage.statistics.bytes <= 50 * 4096)
        #expect(storage.statistics.corrupt == 0)
    }

    /// A disk that does not answer must not keep other tasks from running: one blocked call per thread of Swift's pool,
    /// and more, and still a task gets through that then lets them go.
    @Test(.timeLimit(.minutes(1)))
    func aStuckDiskDoesNotStopOtherTasks() async {
        let gate = Gate()
        let fileSystem = FaultyFileSystem { operation, _ in
            if operation == .open { gate.wait() }
            return nil
        }
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(), fileSystem: fileSystem, threads: IOThreads(count: 2))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<64 { group.addTask { _ = await storage.data(for: CacheKey("\(index)")) } }
            group.addTask { gate.open() }
        }
        #expect(storage.statistics.misses == 64)
    }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = OpenFlag()

    private final class OpenFlag: @unchecked Sendable { var value = false }  // Guarded by `condition`.

    func wait() {
        condition.lock()
        while !isOpen.value { condition.wait() }
        condition.unlock()
    }

    func open() {
        condition.lock()
        isOpen.value = true
        condition.broadcast()
        condition.unlock()
    }
}
