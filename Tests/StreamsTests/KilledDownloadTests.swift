#if os(Linux)
import APICore
import APITesting
import DiskCache
import Foundation
import Synchronization
import Testing

/// A process that is killed half-way through a download, and one that goes on.
struct KilledDownloadTests {
    private static let length = 6_000_000

    /// Serves a resource in ranges; the first requests stop in the middle.
    private final class ExportServer: Sendable {
        let server: StubServer
        let etag = Mutex("\"v1\"")
        let stalls = Mutex(true)
        /// Told apart from the first copy at every byte.
        let shift = Mutex(0)

        init() throws {
            server = try StubServer()
            server.on(.get, "/export") { [weak self] request in
                guard let self else { return .status(.gone) }
                return respond(request)
            }
        }

        func content(_ range: Range<Int>) -> Data {
            let shift = shift.withLock { $0 }
            return StubResponse.pattern((range.lowerBound + shift)..<(range.upperBound + shift))
        }

        private func respond(_ request: RecordedRequest) -> StubResponse {
            let (length, etag) = (KilledDownloadTests.length, etag.withLock { $0 })
            let isSame = request.headers[.ifRange].map { $0 == etag } ?? true
            guard isSame, let range = request.headers[.range]?.dropFirst(6).split(separator: "-"),
                let first = Int(range[0])
            else {
                let response = StubResponse.generated(length: length, headers: [.etag: etag]) { self.content($0) }
                return stalls.withLock { $0 } ? response.stalling(at: .bodyByte(length / 2)) : response
            }
            let last = range.count > 1 ? min(Int(range[1]) ?? (length - 1), length - 1) : length - 1
            var response = StubResponse.generated(
                length: last - first + 1,
                headers: [.etag: etag, .contentRange: "bytes \(first)-\(last)/\(length)"]
            ) { self.content(($0.lowerBound + first)..<($0.upperBound + first)) }
            response.status = .partialContent
            // In parts: those of the first half come, the others stop at once.
            let stops = stalls.withLock { $0 } && first >= length / 2
            return stops ? response.stalling(at: .bodyByte(0)) : response
        }
    }

    /// A process of which the end is awaited without blocking a thread: the server's answers need those.
    private final class Worker: Sendable {
        let process: Process
        private let output = Pipe()
        private let ended: AsyncStream<Void>

        init(_ arguments: [String]) throws {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            ended = stream
            process = Process()
            // Beside the test executable, whatever the build folder is called.
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("DownloadWorker")
            process.arguments = arguments
            process.standardOutput = output
            process.terminationHandler = { _ in continuation.finish() }
            try process.run()
        }

        func end() async {
            for await _ in ended {}
        }

        /// The numbers it has printed.
        var numbers: [Int] {
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).map { Int($0) ?? -1 }
        }
    }

    private func waitUntil(_ condition: () -> Bool) async throws {
        for _ in 0..<5000 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(4))
        }
        Issue.record("waited for 20 s")
    }

    private func size(_ path: String) -> Int {
        // Blocks that are there, not the length: parts are written into a file that has its full length already.
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }

    private func killHalfWay(_ server: ExportServer, _ path: String, connections: Int) async throws {
        let worker = try Worker([server.server.url("/export"), path, "\(connections)"])
        // Up to one buffer for each connection is in memory.
        try await waitUntil { size(path + ".part") >= Self.length / 2 - (connections + 1) << 18 }
        // What is on the disk is vouched for a little later: until the state has come to rest.
        var (last, unchanged) = (Data(), 0)
        while unchanged < 8 {
            try await Task.sleep(for: .milliseconds(25))
            let state = FileManager.default.contents(atPath: path + ".part-state") ?? Data()
            unchanged = state == last && !state.isEmpty ? unchanged + 1 : 0
            last = state
        }
        kill(worker.process.processIdentifier, SIGKILL)
        await worker.end()
        #expect(worker.process.terminationReason == .uncaughtSignal)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FileManager.default.fileExists(atPath: path + ".part-state"))
    }

    private func finish(
        _ server: ExportServer, _ path: String, connections: Int
    ) async throws -> (length: Int, resumed: Int) {
        server.stalls.withLock { $0 = false }
        let worker = try Worker([server.server.url("/export"), path, "\(connections)"])
        await worker.end()
        #expect(worker.process.terminationStatus == 0)
        let numbers = worker.numbers
        return numbers.count == 2 ? (numbers[0], numbers[1]) : (-1, -1)
    }

    private func isComplete(_ server: ExportServer, _ folder: Folder) -> Bool {
        FileManager.default.contents(atPath: folder.path("export")) == server.content(0..<Self.length)
            && folder.names == ["export"]
    }

    @Test func theFirstHalfIsNotFetchedAgain() async throws {
        let (server, folder) = (try ExportServer(), try Folder())
        try await killHalfWay(server, folder.path("export"), connections: 1)
        server.server.clearRequests()
        let (length, resumed) = try await finish(server, folder.path("export"), connections: 1)
        #expect(isComplete(server, folder))
        #expect(length == Self.length && resumed >= Self.length / 2 - 2 << 18)
        // The server's record: one request, from where the first process stopped, on condition of the same copy.
        #expect(server.server.requests.map { $0.headers[.range] } == ["bytes=\(resumed)-"])
        #expect(server.server.requests.map { $0.headers[.ifRange] } == ["\"v1\""])
    }

    @Test func aFileThatChangedMeanwhileIsFetchedAnew() async throws {
        let (server, folder) = (try ExportServer(), try Folder())
        try await killHalfWay(server, folder.path("export"), connections: 1)
        server.etag.withLock { $0 = "\"v2\"" }
        server.shift.withLock { $0 = 1 }
        server.server.clearRequests()
        let (length, resumed) = try await finish(server, folder.path("export"), connections: 1)
        #expect(isComplete(server, folder))
        #expect(length == Self.length && resumed == 0)
        #expect(server.server.requests.count == 1)
    }

    @Test func partsThatAreThereAreNotFetchedAgain() async throws {
        let (server, folder) = (try ExportServer(), try Folder())
        try await killHalfWay(server, folder.path("export"), connections: 4)
        server.server.clearRequests()
        let (length, resumed) = try await finish(server, folder.path("export"), connections: 4)
        #expect(isComplete(server, folder))
        #expect(length == Self.length && resumed >= 1 << 20)
        var fetched = 0
        for request in server.server.requests {
            let ends = (request.headers[.range] ?? "").dropFirst(6).split(separator: "-").map { Int($0) ?? 0 }
            if ends.count == 2 { fetched += ends[1] - ends[0] + 1 }
        }
        // The last part is asked for in full and is shorter.
        #expect(fetched <= Self.length - resumed + 1 << 18)
        #expect(server.server.requests.allSatisfy { $0.headers[.ifRange] == "\"v1\"" })
    }
}

/// A folder of a test's own, removed with the last reference.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "streams-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String { path + "/" + name }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
#endif
