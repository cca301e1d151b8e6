import Foundation
import Testing

@testable import DiskCache

/// Every file operation fails in every way, at every call of it.
@Suite struct FaultTests {
    static let codes: [Int32] = [ENOSPC, EIO, ENOENT, EACCES, EROFS, EDQUOT, EMFILE, ENAMETOOLONG]

    private struct Values {
        static let first = patternedData(3000, seed: 1)
        static let second = patternedData(67_000, seed: 2)
        static let third = patternedData(66_000, seed: 3)
    }

    /// A clock on which two minutes pass between any two looks at it, so that every use is recorded on disk.
    private static func hurryingClock() -> @Sendable () -> Int64 {
        let clock = ManualClock(DiskStorage.systemTime())
        return {
            clock.advance(seconds: 120)
            return clock.now
        }
    }

    /// Everything a storage can do, and after each step only values that somebody stored under the key.
    private func exercise(_ storage: DiskStorage) async {
        func check(_ key: CacheKey, _ allowed: [(metadata: String, body: Data)], _ step: String) async {
            guard let value = await storage.value(for: key, inlineLimit: 66_500) else { return }
            guard let body = await value.body.collect() else { return }
            let metadata = String(decoding: value.metadata, as: UTF8.self)
            #expect(allowed.contains { $0.metadata == metadata && $0.body == body }, "\(step)")
        }
        await storage.scanned()
        await storage.store(Values.first, metadata: Data("1".utf8), for: "a")
        await check("a", [("1", Values.first)], "first store")
        await storage.store(Values.second, metadata: Data("2".utf8), for: "a")
        await check("a", [("2", Values.second)], "a failed store must not leave the older value")
        await storage.replaceMetadata(for: "a", from: Data("2".utf8), to: Data("2b".utf8))
        await check("a", [("2", Values.second), ("2b", Values.second)], "metadata")
        if let writer = await storage.writer(for: "b", metadata: Data("3".utf8)) {
            for start in stride(from: 0, to: Values.third.count, by: 10_000) {
                await writer.write(Values.third[start..<min(start + 10_000, Values.third.count)])
            }
            await writer.commit()
        }
        await check("b", [("3", Values.third)], "writer")
        storage.folder.scan()
        await storage.removeValues(withPrefix: "a")
        await storage.removeValue(for: "b")
        await storage.store(Values.first, metadata: Data("4".utf8), for: "c")
        await check("c", [("4", Values.first)], "last store")
    }

    private func run(_ plan: @escaping @Sendable (FaultyFileSystem.Operation, Int) -> FaultyFileSystem.Fault?) async
        -> FaultyFileSystem
    {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem(plan)
        do {
            let storage = DiskStorage(
                directory: folder.path, configuration: .init(sizeLimit: 1 << 20), fileSystem: fileSystem,
                threads: IOThreads(count: 1), now: Self.hurryingClock())
            await exercise(storage)
            fileSystem.setPlan(nil)
            // All is well again, so all must work again.
            #expect(await storage.store(Values.third, metadata: Data("5".utf8), for: "a"))
            #expect(await storage.data(for: "a") == Values.third)
            await storage.removeAll()
            #expect(await storage.data(for: "a") == nil)
            #expect(storage.folder.state.withLock { $0.unpublishedBytes } == 0)
        }
        return fileSystem
    }

    @Test(arguments: FaultyFileSystem.Operation.allCases)
    func oneCallFails(operation: FaultyFileSystem.Operation) async {
        let calls = await countCalls(of: operation)
        #expect(calls > 0)
        for code in [ENOSPC, EIO, ENOENT, EACCES] {
            for call in 0..<calls {
                let fileSystem = await run { $0 == operation && $1 == call ? .error(code) : nil }
                #expect(fileSystem.openFileCount == 0, "error \(code) at call \(call) leaves a file open")
            }
        }
    }

    @Test(arguments: FaultyFileSystem.Operation.allCases)
    func allCallsFail(operation: FaultyFileSystem.Operation) async {
        for code in Self.codes {
            let fileSystem = await run { kind, _ in kind == operation ? .error(code) : nil }
            #expect(fileSystem.openFileCount == 0)
        }
    }

    @Test func everythingFails() async {
        for code in Self.codes {
            let fileSystem = await run { _, _ in .error(code) }
            #expect(fileSystem.openFileCount == 0)
        }
    }

    /// One byte at a time for a while; and then the end of the file where there is none.
    @Test(arguments: [FaultyFileSystem.Operation.read, .write])
    func shortCalls(operation: FaultyFileSystem.Operation) async {
        let calls = await countCalls(of: operation)
        for call in 0..<calls {
            _ = await run { $0 == operation && (call..<call + 5).contains($1) ? .short : nil }
            _ = await run { $0 == operation && $1 == call ? .end : nil }
        }
    }

    private func countCalls(of operation: FaultyFileSystem.Operation) async -> Int {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(sizeLimit: 1 << 20), fileSystem: fileSystem,
            threads: IOThreads(count: 1), now: Self.hurryingClock())
        await exercise(storage)
        return fileSystem.count(of: operation)
    }

    @Test func shortWritesStillStore() async {
        let folder = TemporaryFolder()
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(),
            fileSystem: FaultyFileSystem { operation, _ in operation == .write || operation == .read ? .short : nil })
        #expect(await storage.store(patternedData(3000), metadata: Data("m".utf8), for: "a"))
        #expect(await storage.data(for: "a") == patternedData(3000))
    }

    @Test(arguments: [ENOSPC, EDQUOT])
    func aFullDiskMakesRoomAndTriesOnceMore(code: Int32) async {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let storage = DiskStorage(directory: folder.path, configuration: .init(), fileSystem: fileSystem)
        await storage.scanned()
        for index in 0..<20 { await storage.store(patternedData(100), for: CacheKey("\(index)")) }
        fileSystem.setPlan { operation, call in operation == .write && call == 0 ? .error(code) : nil }
        #expect(await storage.store(patternedData(5000), for: "new"))
        // Twice the 8 KiB that are needed.
        #expect(storage.statistics.evictions == 4)
        #expect(await storage.data(for: "0") == nil)
        #expect(await storage.data(for: "4") != nil)
        #expect(await storage.data(for: "new") == patternedData(5000))

        fileSystem.setPlan { operation, _ in operation == .write ? .error(code) : nil }
        #expect(await !storage.store(patternedData(5000), for: "newer"))
        #expect(await storage.data(for: "19") != nil, "goes on without")
        #expect(storage.statistics.failedStores == 1)
    }

    @Test(arguments: [EROFS, EACCES])
    func aReadOnlyDiskIsStillRead(code: Int32) async {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let clock = ManualClock()
        await DiskStorage(directory: folder.path).store(Data("a".utf8), for: "a")
        fileSystem.setPlan { operation, _ in
            switch operation {
            case .create, .write, .rename, .remove, .createDirectory, .setTimes: .error(code)
            default: nil
            }
        }
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(sizeLimit: 100, lowWaterMark: 0), fileSystem: fileSystem,
            now: { clock.now })
        await storage.scanned()
        #expect(await !storage.store(Data("b".utf8), for: "b"))
        #expect(await storage.data(for: "a") == Data("a".utf8))
        #expect(await storage.data(for: "b") == nil)
        #expect(storage.statistics.entries == 1, "what cannot be evicted still counts")
    }

    @Test func aReadErrorIsAMissAndTheEntryStays() async {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let storage = DiskStorage(directory: folder.path, configuration: .init(), fileSystem: fileSystem)
        await storage.store(Data("a".utf8), for: "a")
        for code in [EIO, EMFILE, ENFILE, EACCES] {
            fileSystem.setPlan { operation, _ in operation == .open ? .error(code) : nil }
            #expect(await storage.data(for: "a") == nil)
        }
        #expect(storage.statistics.readErrors == 4)
        fileSystem.setPlan(nil)
        #expect(await storage.data(for: "a") == Data("a".utf8))
    }

    @Test func usesAreRecordedOnDiskNowAndThen() async {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let clock = ManualClock(DiskStorage.systemTime())
        let storage = DiskStorage(
            directory: folder.path, configuration: .init(), fileSystem: fileSystem, now: { clock.now })
        await storage.scanned()
        await storage.store(Data("a".utf8), for: "a")
        for _ in 0..<10 { _ = await storage.data(for: "a") }
        #expect(fileSystem.count(of: .setTimes) == 0)
        clock.advance(seconds: 61)
        for _ in 0..<10 { _ = await storage.data(for: "a") }
        #expect(fileSystem.count(of: .setTimes) == 1)
        clock.advance(seconds: -86_400)
        for _ in 0..<10 { _ = await storage.data(for: "a") }
        #expect(fileSystem.count(of: .setTimes) == 2, "a clock set back")
    }

    @Test func aSmallEntryTakesOneRead() async {
        let folder = TemporaryFolder()
        let fileSystem = FaultyFileSystem()
        let storage = DiskStorage(directory: folder.path, configuration: .init(), fileSystem: fileSystem)
        await storage.scanned()
        await storage.store(patternedData(4096), for: "a")
        fileSystem.setPlan(nil)
        #expect(await storage.data(for: "a") == patternedData(4096))
        #expect(fileSystem.count(of: .open) == 1)
        #expect(fileSystem.count(of: .status) == 1)
        #expect(fileSystem.count(of: .read) == 1)
    }
}
