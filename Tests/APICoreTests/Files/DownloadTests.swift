import DiskCache
import Foundation
import Testing

@testable import APICore

#if canImport(Glibc)
import Glibc
#endif

struct DownloadTests {
    private struct Export: Requestable { let path = "export" }

    private let content = sample
    private static let sample = Data.sample(1_000_000)
    private static let sampleDigest = SHA256.hash(sample).hexadecimal

    private func sha256(_ data: Data) -> String {
        data == Self.sample ? Self.sampleDigest : SHA256.hash(data).hexadecimal
    }

    @Test func aPlainDownload() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        let transfer = try server.client().download(
            Export(), to: folder.path("a.bin"),
            options: DownloadOptions(expectedLength: 1_000_000, sha256: sha256(content).uppercased()))
        var updates: [TransferProgress] = []
        for try await progress in transfer { updates.append(progress) }
        let file = try await transfer.value
        #expect(file.length == 1_000_000 && file.resumedBytes == 0 && file.head.status == .ok)
        #expect(file.sha256 == sha256(content))
        #expect(folder.contents("a.bin") == content)
        #expect(folder.names == ["a.bin"])
        #expect(updates.last?.bytes == 1_000_000 && updates.last?.total == 1_000_000)
        #expect(server.served == [.init(range: nil, ifRange: nil, status: 200, sent: 1_000_000)])
    }

    @Test(arguments: [0, 1, 9_999, 10_000, 262_144, 262_145]) func everyLength(_ count: Int) async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(Data.sample(count)))
        for connections in [1, 3] {
            let file = try await server.client().download(
                Export(), to: folder.path("a"),
                options: DownloadOptions(sha256: sha256(.sample(count)), connections: connections, segmentSize: 1)
            ).value
            #expect(file.length == count)
            #expect(folder.contents("a") == Data.sample(count))
        }
        #expect(folder.names == ["a"])
    }

    @Test func aLostConnectionIsResumedInPlace() async throws {
        let (folder, server, sleeps) = (try TemporaryFolder(), RangeServer(content), RecordedSleeps())
        server.cut(request: 0, after: 300_000)
        server.cut(request: 1, after: 123_456)
        let file = try await server.client(time: sleeps.time).download(
            Export(), to: folder.path("a"), options: DownloadOptions(sha256: sha256(content))
        ).value
        #expect(folder.contents("a") == content)
        #expect(file.resumedBytes == 0)
        #expect(server.served.map(\.range) == [nil, "bytes=300000-", "bytes=423456-"])
        #expect(server.served.map(\.ifRange) == [nil, "\"v1\"", "\"v1\""])
        #expect(server.totalSent == content.count)
        #expect(sleeps.durations.count == 2)
    }

    @Test func anotherProcessGoesOnWhereTheFirstStopped() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.cut(request: 0, after: 600_000)
        let options = DownloadOptions(sha256: sha256(content), reconnection: .never)
        let first = try server.client().download(Export(), to: folder.path("a"), options: options)
        #expect(await first.failure != nil)
        #expect(folder.names == ["a.part", "a.part-state"])
        #expect(folder.contents("a.part") == content.prefix(600_000))
        // Nothing of the URL is on the disk in plain text.
        #expect(!String(decoding: folder.contents("a.part-state") ?? Data(), as: UTF8.self).contains("export"))

        let file = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(file.resumedBytes == 600_000)
        #expect(folder.contents("a") == content && folder.names == ["a"])
        #expect(server.served.last == .init(range: "bytes=600000-", ifRange: "\"v1\"", status: 206, sent: 400_000))
    }

    @Test func aChangedCopyIsFetchedAnew() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.cut(request: 0, after: 600_000)
        let options = DownloadOptions(reconnection: .never)
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).outcome
        let other = Data.sample(800_000, seed: 2)
        server.change {
            $0.content = other
            $0.etag = "\"v2\""
        }
        let file = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == other && file.resumedBytes == 0)
        #expect(server.served.map(\.status) == [200, 200])
    }

    @Test func aServerThatLiesAboutRangesIsAskedForEverything() async throws {
        let folder = try TemporaryFolder()
        let answers: [HTTPResponse] = [
            HTTPResponse(status: .partialContent, headers: [.contentRange: "bytes 0-999999/1000000"], body: content),
            HTTPResponse(status: .partialContent, body: content),
            HTTPResponse(
                status: .partialContent, headers: [.contentRange: "bytes 600000-999999/1000000", .etag: "\"x\""]),
            HTTPResponse(status: .rangeNotSatisfiable),
        ]
        for (index, answer) in answers.enumerated() {
            let server = RangeServer(content)
            server.cut(request: 0, after: 600_000)
            server.answer(request: 1, with: answer)
            _ = try await server.client().download(Export(), to: folder.path("\(index)")).value
            #expect(folder.contents("\(index)") == content)
            #expect(server.served.map(\.range) == [nil, "bytes=600000-", nil])
        }
    }

    @Test func aCopyThatChangesEachTimeIsAnError() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.onRequest { index, resource in resource.etag = "\"v\(index)\"" }
        for index in 0..<20 { server.cut(request: index, after: 500_000) }
        let failure = try await server.client().download(Export(), to: folder.path("a")).failure
        guard case .invalidResponse = failure else { Issue.record("\(String(describing: failure))"); return }
        #expect(server.served.count == 5)
    }

    @Test func withoutAValidatorItStartsOver() async throws {
        for (etag, modified) in [(nil, nil), ("W/\"v1\"", nil), (nil, "Mon, 30 Nov 2026 23:59:59 GMT")]
            as [(String?, String?)]
        {
            let (folder, server) = (try TemporaryFolder(), RangeServer(content, etag: etag, lastModified: modified))
            server.cut(request: 0, after: 600_000)
            _ = try await server.client().download(Export(), to: folder.path("a")).value
            #expect(folder.contents("a") == content)
            #expect(server.served.map(\.range) == [nil, nil])

            // And nothing is left for another time.
            server.cut(request: 2, after: 600_000)
            let options = DownloadOptions(reconnection: .never)
            #expect(try await server.client().download(Export(), to: folder.path("b"), options: options).failure != nil)
            #expect(folder.names == ["a"])
        }
    }

    @Test func aServerThatBreaksOffEachTimeComesToAnEnd() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content, etag: nil))
        for index in 0..<20 { server.cut(request: index, after: 500_000) }
        #expect(try await server.client().download(Export(), to: folder.path("a")).failure != nil)
        #expect(server.served.count == 6)
        #expect(folder.names.isEmpty)
    }

    @Test func anOldDateIsAValidator() async throws {
        let server = RangeServer(content, etag: nil, lastModified: "Mon, 30 Nov 2026 00:00:00 GMT")
        let folder = try TemporaryFolder()
        server.cut(request: 0, after: 600_000)
        _ = try await server.client().download(Export(), to: folder.path("a")).value
        #expect(folder.contents("a") == content)
        #expect(server.served.last?.ifRange == "Mon, 30 Nov 2026 00:00:00 GMT")
        #expect(server.served.last?.status == 206)
    }

    @Test func anotherResourceDoesNotGoOnWithThisOne() async throws {
        struct Other: Requestable { let path = "other" }
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.cut(request: 0, after: 600_000)
        let options = DownloadOptions(reconnection: .never)
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).outcome
        // The same tag by chance.
        let other = Data.sample(1_000_000, seed: 3)
        server.change { $0.content = other }
        _ = try await server.client().download(Other(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == other)
        #expect(server.served.last?.range == nil)
    }

    @Test func aDamagedStateStartsOver() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        try Data.sample(600_000, seed: 9).write(to: URL(fileURLWithPath: folder.path("a.part")))
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("a.part-state")))
        _ = try await server.client().download(Export(), to: folder.path("a")).value
        #expect(folder.contents("a") == content && folder.names == ["a"])
        #expect(server.served.map(\.range) == [nil])
    }

    @Test func aFileThatWasCompleteButNotRenamedIsCheckedWithOneByte() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.cut(request: 0, after: 1_000_000)
        let options = DownloadOptions(sha256: sha256(content), reconnection: .never)
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).outcome
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == content)
        #expect(server.served.last == .init(range: "bytes=999999-", ifRange: "\"v1\"", status: 206, sent: 1))
    }

    @Test func checksumAndLength() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("a")))
        let client = try server.client()
        let wrong = String(repeating: "0", count: 64)
        #expect(
            await client.download(Export(), to: folder.path("a"), options: .init(sha256: wrong)).failure?.fileKind
                == .checksumMismatch(expected: wrong, actual: sha256(content)))
        let sentBefore = server.totalSent
        #expect(
            await client.download(Export(), to: folder.path("a"), options: .init(expectedLength: 5)).failure?.fileKind
                == .unexpectedLength(expected: 5, actual: 1_000_000))
        // Known from the head: the body was not fetched.
        #expect(server.totalSent == sentBefore)
        server.change { $0.announcesLength = false }
        #expect(
            await client.download(Export(), to: folder.path("a"), options: .init(expectedLength: 1_000_001)).failure?
                .fileKind == .unexpectedLength(expected: 1_000_001, actual: 1_000_000))
        guard
            case .unexpectedLength = await client.download(
                Export(), to: folder.path("a"), options: .init(expectedLength: 30_000)
            ).failure?.fileKind
        else { Issue.record("expected a length failure"); return }
        guard
            case .invalidRequest = await client.download(Export(), to: folder.path("a"), options: .init(sha256: "12"))
                .failure
        else { Issue.record("expected an invalid request"); return }
        #expect(folder.contents("a") == Data("old".utf8))
        #expect(folder.names == ["a"])
    }

    @Test func moreBytesThanAnnounced() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.change {
            $0.headers = [:]; $0.announcesLength = false; $0.headers[.contentLength] = "999"
        }
        let failure = try await server.client().download(Export(), to: folder.path("a")).failure
        guard case .invalidResponse = failure else { Issue.record("\(String(describing: failure))"); return }
        #expect(folder.contents("a") == nil)
    }

    @Test func aFullDiskLeavesNothing() async throws {
        let (folder, server, files) = (try TemporaryFolder(), RangeServer(content), FaultyFiles())
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("a")))
        files.set { $0.writeFailsAt = (size: 500_000, code: ENOSPC) }
        for connections in [1, 4] {
            let transfer = try server.client().download(
                Export(), to: folder.path("a"), options: .init(connections: connections, segmentSize: 100_000),
                access: files.access)
            #expect(await transfer.failure?.fileKind == .diskFull)
            #expect(folder.names == ["a"] && folder.contents("a") == Data("old".utf8))
        }
        files.set { $0.writeFailsAt = (size: 500_000, code: EFBIG) }
        #expect(
            try await server.client().download(Export(), to: folder.path("a"), options: .init(), access: files.access)
                .failure?.fileKind == .fileTooLarge)
        #expect(folder.names == ["a"])
    }

    @Test func aDiskWithoutRoomIsNoticedBeforeTheBody() async throws {
        let (folder, server, files) = (try TemporaryFolder(), RangeServer(content), FaultyFiles())
        files.set { $0.freeSpace = 999_999 }
        let transfer = try server.client().download(
            Export(), to: folder.path("a"), options: .init(), access: files.access)
        #expect(await transfer.failure?.fileKind == .diskFull)
        #expect(server.totalSent == 0 && folder.names.isEmpty)
    }

    @Test func targetsThatCannotBeWritten() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        let client = try server.client()
        #expect(
            await client.download(Export(), to: folder.path("missing/a")).failure?.fileKind == .notFound)
        #expect(await client.download(Export(), to: folder.path).failure?.fileKind == .notAFile)
        #expect(await client.download(Export(), to: "/proc/a").failure?.fileKind != nil)
        #expect(server.served.isEmpty)

        let files = FaultyFiles()
        files.set { $0.renameCode = EACCES }
        let transfer = client.download(Export(), to: folder.path("a"), options: .init(), access: files.access)
        #expect(await transfer.failure?.fileKind == .notPermitted)
        #expect(await transfer.failure?.request?.operation == "Export")
        files.set {
            $0.renameCode = nil
            $0.synchronizeCode = EIO
        }
        #expect(
            await client.download(Export(), to: folder.path("a"), options: .init(), access: files.access).failure?
                .fileKind == .other)
        #expect(folder.names.isEmpty)
    }

    @Test func anExistingFileIsKeptOnRequest() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        let options = DownloadOptions(replacesExisting: false)
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(
            try await server.client().download(Export(), to: folder.path("a"), options: options).failure?.fileKind
                == .alreadyExists)
        #expect(server.served.count == 1)
        // One that comes into being meanwhile is kept as well.
        let path = folder.path("b")
        server.onRequest { _, _ in try? Data("new".utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(
            try await server.client().download(Export(), to: path, options: options).failure?.fileKind == .alreadyExists
        )
        #expect(folder.contents("b") == Data("new".utf8))
        #expect(folder.names == ["a", "b"])
    }

    @Test func permissions() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        for mode: UInt16 in [0o600, 0o666, 0o640] {
            _ = try await server.client().download(
                Export(), to: folder.path("a"), options: DownloadOptions(permissions: mode)
            ).value
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a"))
            #expect((attributes[.posixPermissions] as? NSNumber)?.uint16Value == mode)
        }
    }

    @Test func bytesAreOnTheDiskBeforeTheName() async throws {
        let (folder, server, files) = (try TemporaryFolder(), RangeServer(content), FaultyFiles())
        _ = try await server.client().download(
            Export(), to: folder.path("a"), options: .init(), access: files.access
        ).value
        #expect(files.synchronized == [folder.path("a.part"), folder.path])
        _ = try await server.client().download(
            Export(), to: folder.path("a"), options: .init(isSynchronized: false), access: files.access
        ).value
        #expect(files.synchronized.count == 2)
    }

    @Test func twoDownloadsToOneFileDoNotMix() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        let opened = try await PartialFile.open(target: folder.path("a"), options: .init(), access: .system)
        #expect(try await server.client().download(Export(), to: folder.path("a")).failure?.fileKind == .inUse)
        await opened.file.abandon(keeping: false)
        _ = try await server.client().download(Export(), to: folder.path("a")).value
        #expect(folder.contents("a") == content)
    }

    @Test func cancellingKeepsWhatCanBeResumed() async throws {
        let folder = try TemporaryFolder()
        let content = content
        // A body that stops in the middle until it is cancelled.
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            HTTPResponse(
                head: ResponseHead(headers: [.etag: "\"v1\"", .contentLength: "1000000"]),
                body: .stream(StallingBody(content.prefix(300_000))))
        }
        let transfer = try transport.client().download(Export(), to: folder.path("a"))
        let task = Task { await transfer.outcome }
        while folder.contents("a.part")?.count ?? 0 < 300_000 { try await Task.sleep(for: .milliseconds(2)) }
        task.cancel()
        #expect(await transfer.failure?.isCancellation == true)
        #expect(folder.contents("a.part") == content.prefix(300_000))
        #expect(folder.names == ["a.part", "a.part-state"])
    }

    @Test func aTransferNobodyHoldsIsCancelled() async throws {
        let folder = try TemporaryFolder()
        let body = StallingBody(Data.sample(10))
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            HTTPResponse(head: ResponseHead(), body: .stream(body))
        }
        do {
            let transfer = try transport.client().download(Export(), to: folder.path("a"))
            _ = transfer.makeAsyncIterator()
            while !body.isWaiting { try await Task.sleep(for: .milliseconds(2)) }
        }
        while !folder.names.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test func statusesThatAreNoSuccess() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        server.answer(request: 0, with: HTTPResponse(status: .notFound, body: Data("gone".utf8)))
        let failure = try await server.client().download(Export(), to: folder.path("a")).failure
        #expect(failure?.status == .notFound && failure?.apiError?.body == Data("gone".utf8))
        #expect(folder.names.isEmpty)
        // A busy server in the middle of a download is asked again.
        server.cut(request: 1, after: 600_000)
        server.answer(request: 2, with: HTTPResponse(status: .serviceUnavailable))
        _ = try await server.client().download(Export(), to: folder.path("a")).value
        #expect(folder.contents("a") == content)
        #expect(server.served.map(\.status) == [404, 200, 503, 206])
    }

    @Test func fuzzInterruptions() async throws {
        var random = SeededGenerator(seed: 11)
        for round in 0..<20 {
            let content = Data.sample(Int.random(in: 1...200_000, using: &random), seed: UInt64(round))
            // Slow in a debug build, and the same code each time.
            let digest = round % 5 == 0 ? sha256(content) : nil
            let (folder, server) = (try TemporaryFolder(), RangeServer(content))
            for request in 0..<30 where Int.random(in: 0..<3, using: &random) > 0 {
                server.cut(request: request, after: Int.random(in: 0...content.count, using: &random))
            }
            var outcome: Result<DownloadedFile, NetworkError>?
            for _ in 0..<40 {
                let options = DownloadOptions(
                    sha256: digest, isSynchronized: false,
                    connections: Int.random(in: 1...3, using: &random),
                    segmentSize: [65_536, 70_000].randomElement(using: &random) ?? 65_536, reconnection: .never)
                outcome = try await server.client().download(Export(), to: folder.path("a"), options: options).outcome
                if case .success = outcome { break }
                #expect(folder.contents("a") == nil)
            }
            #expect(folder.contents("a") == content, "round \(round): \(String(describing: outcome))")
            #expect(folder.names == ["a"])
        }
    }
}

/// Gives out bytes and then waits until it is cancelled.
final class StallingBody: ResponseBodySource {
    private let chunks: ScriptedBody

    init(_ data: Data) {
        chunks = ScriptedBody([Data(data)])
    }

    var isWaiting: Bool { chunks.remaining == 0 }

    func next() async throws(NetworkError) -> Data? {
        if let chunk = try await chunks.next() { return chunk }
        do {
            try await Task.sleep(for: .seconds(3600))
        } catch {
            throw .cancelled
        }
        return nil
    }

    func cancel() { chunks.cancel() }
}
