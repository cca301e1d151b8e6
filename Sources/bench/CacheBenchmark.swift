import APICore
import DiskCache

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `bench cache`: how many fresh responses a second the HTTP cache serves from memory and from disk.
///
/// Rates are given by wall clock and by processor time: the latter is what one core can do, whatever else runs.
enum CacheBenchmark: Subcommand {
    static let name = "cache"
    static let usage = "cache [--size BYTES] [--entries N] [--requests N] [--tasks N]"

    static func run(_ arguments: Arguments) async throws {
        var arguments = arguments
        let size = try arguments.number("size") ?? 4096
        let entries = try arguments.number("entries") ?? 1000
        let requests = try arguments.number("requests") ?? 200_000
        let tasks = try arguments.number("tasks") ?? 16
        try arguments.finish()

        let directory = FileManager.default.temporaryDirectory.path + "/bench-cache-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let memory = MemoryStorage(costLimit: entries * (size + 4096) * 2)
        let disk = DiskStorage(directory: directory, configuration: .init(sizeLimit: entries * (size + 8192) * 2))
        for (name, storage, count) in [
            ("memory", memory as any CacheStorage, requests), ("disk", disk as any CacheStorage, requests / 4),
        ] {
            let cache = HTTPCache(storage: storage)
            for index in 0..<entries { _ = try await respond(cache, index, size) }
            _ = try await measure(cache, entries: entries, requests: entries, tasks: tasks, size: size)
            let (wall, processor) = try await measure(
                cache, entries: entries, requests: count, tasks: tasks, size: size)
            print(
                """
                {"storage":"\(name)","bytes":\(size),"entries":\(entries),"tasks":\(tasks),"requests":\(count),\
                "per_second":\(Int(Double(count) / wall)),"per_processor_second":\(Int(Double(count) / processor))}
                """)
        }
    }

    /// What is wrong with what the cache served.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Seconds by wall clock and of processor time for a number of requests, all of which must be hits.
    private static func measure(
        _ cache: HTTPCache, entries: Int, requests: Int, tasks: Int, size: Int
    ) async throws -> (wall: Double, processor: Double) {
        let (start, startProcessor) = (ContinuousClock.now, processorSeconds())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for index in stride(from: task, to: requests, by: tasks) {
                        let response = try await respond(cache, index % entries, nil)
                        guard response.body.data?.count == size else { throw Failure(description: "a wrong body") }
                    }
                }
            }
            try await group.waitForAll()
        }
        return ((ContinuousClock.now - start) / .seconds(1), processorSeconds() - startProcessor)
    }

    /// Sends a request through the cache; without a size there must be no need for a server.
    private static func respond(_ cache: HTTPCache, _ index: Int, _ size: Int?) async throws -> HTTPResponse {
        let request = HTTPRequest(
            url: try RequestURL("https://api.example.com/v1/things/\(index)?fields=name,size"),
            headers: [.accept: "application/json", .userAgent: "bench/1.0"])
        return try await cache.intercept(request) { _ async throws(NetworkError) in
            guard let size else { throw .other(Failure(description: "not served from the cache")) }
            return HTTPResponse(
                headers: [
                    "Cache-Control": "max-age=3600", "Content-Type": "application/json", "Server": "nginx/1.22.1",
                    "Date": HTTPDate.string(from: Date()), "ETag": "\"5f3759df\"", "Content-Length": "\(size)",
                    "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT", "Connection": "keep-alive",
                    "X-Request-ID": "7f000001", "Vary": "",
                ], body: Data(repeating: UInt8(truncatingIfNeeded: index), count: size))
        }
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
