import Foundation
import Testing

@testable import DiskCache
@testable import DiskCacheCrashWriter

/// Processes that are killed while they write. `DISK_CACHE_KILLS=1000 swift test --filter CrashTests` kills that many.
@Suite(.serialized) struct CrashTests {
    private static let kills = ProcessInfo.processInfo.environment["DISK_CACHE_KILLS"].flatMap(Int.init) ?? 40

    @Test func aKilledWriterLeavesNoWrongByte() async throws {
        let folder = TemporaryFolder()
        var random = SplitMix64(state: 1)
        var found = 0
        for kill in 0..<Self.kills {
            let writer = try CrashWriter(folder: folder.path, keys: 24, largest: 300_000)
            try writer.waitForOperations(.random(in: 1...6, using: &random))
            // Anywhere within the next operation.
            usleep(.random(in: 0..<2000, using: &random))
            writer.kill()
            found += await check(folder.path, keys: 24, "kill \(kill)")
        }
        #expect(found > Self.kills, "the writers did write")
    }

    @Test func twoProcessesOnOneKey() async throws {
        let folder = TemporaryFolder()
        let writers = try (0..<2).map { _ in try CrashWriter(folder: folder.path, keys: 1, largest: 300_000) }
        for writer in writers { try writer.waitForOperations(2) }
        let storage = DiskStorage(directory: folder.path)
        var found = 0
        for _ in 0..<Self.kills * 5 { found += await check(storage, keys: 1, "while writing") }
        for writer in writers { writer.kill() }
        #expect(storage.statistics.corrupt == 0, "every entry is whole at every moment")
        #expect(found > 0)
    }

    private func check(_ path: String, keys: Int, _ moment: String) async -> Int {
        let storage = DiskStorage(directory: path)
        await storage.scanned()
        let found = await check(storage, keys: keys, moment)
        #expect(storage.statistics.corrupt == 0, "\(moment)")
        return found
    }

    /// How many keys have a value, all of which are as some writer made them.
    private func check(_ storage: DiskStorage, keys: Int, _ moment: String) async -> Int {
        var found = 0
        for key in 0..<keys {
            guard let value = await storage.value(for: CacheKey("key \(key)")), let body = await value.body.collect()
            else { continue }
            found += 1
            let sample = SampleValue(metadata: value.metadata)
            #expect(sample?.key == key, "\(moment)")
            #expect(sample?.body == body, "\(moment), key \(key)")
        }
        return found
    }
}

/// The process that writes until it is killed.
private final class CrashWriter {
    private let process = Process()
    private let output = Pipe()

    init(folder: String, keys: Int, largest: Int) throws {
        // Beside the test executable, whatever the build folder is called.
        let products = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        process.executableURL = products.appendingPathComponent("DiskCacheCrashWriter")
        process.arguments = [folder, "\(keys)", "\(largest)"]
        process.standardOutput = output
        try process.run()
    }

    deinit { kill() }

    func waitForOperations(_ count: Int) throws {
        var done = 0
        while done < count {
            guard let bytes = try output.fileHandleForReading.read(upToCount: 1), !bytes.isEmpty else { return }
            done += bytes.count
        }
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
