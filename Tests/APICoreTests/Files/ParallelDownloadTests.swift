import DiskCache
import Foundation
import Testing

@testable import APICore

struct ParallelDownloadTests {
    private struct Export: Requestable { let path = "export" }

    private let content = Data.sample(1_000_000)
    private let options = DownloadOptions(connections: 4, segmentSize: 100_000)

    private func starts(_ server: RangeServer) -> [Int] {
        server.served.compactMap { $0.range.flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } }.sorted()
    }

    @Test func eachPartIsFetchedOnce() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        var options = options
        options.sha256 = SHA256.hash(content).hexadecimal
        let transfer = try server.client().download(Export(), to: folder.path("a"), options: options)
        var last: TransferProgress?
        for try await progress in transfer { last = progress }
        #expect(last?.bytes == 1_000_000 && last?.total == 1_000_000)
        #expect(folder.contents("a") == content && folder.names == ["a"])
        #expect(starts(server) == (0..<10).map { $0 * 100_000 })
        #expect(server.served.allSatisfy { $0.status == 206 })
        #expect(server.totalSent == 1_000_000)
        // All but the first are asked for on condition that it is the same copy.
        #expect(server.served.filter { $0.ifRange == "\"v1\"" }.count == 9)
    }

    @Test func aServerWithoutRangesIsAPlainDownload() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content, doesRanges: false))
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == content)
        #expect(server.served.count == 1 && server.totalSent == 1_000_000)
    }

    @Test func withoutAValidatorItIsAPlainDownload() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content, etag: nil))
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == content)
        #expect(server.served.map(\.status) == [206, 200])
    }

    @Test func partsThatAreThereAreNotFetchedAgain() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        for request in 5..<9 { server.cut(request: request, after: 0) }
        var options = options
        options.reconnection = .never
        #expect(try await server.client().download(Export(), to: folder.path("a"), options: options).failure != nil)
        let before = server.totalSent
        #expect(before < 1_000_000)
        let count = server.served.count
        let file = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == content && folder.names == ["a"])
        #expect(file.resumedBytes >= 400_000)
        let later = server.served[count...].reduce(0) { $0 + $1.sent }
        #expect(later == 1_000_000 - file.resumedBytes)
    }

    @Test func aLostConnectionCostsNoMoreThanItsPart() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        for request in 2..<7 { server.cut(request: request, after: 50_000) }
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == content)
        #expect(server.totalSent == 1_000_000)
    }

    @Test func aCopyThatChangesInTheMiddleIsFetchedAnew() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        let other = Data.sample(900_000, seed: 2)
        server.onRequest { index, resource in
            if index == 5 {
                resource.content = other
                resource.etag = "\"v2\""
            }
        }
        var options = options
        options.sha256 = SHA256.hash(other).hexadecimal
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == other && folder.names == ["a"])
    }

    @Test func aChangedCopyIsNoticedByANewProcess() async throws {
        let (folder, server) = (try TemporaryFolder(), RangeServer(content))
        for request in 5..<9 { server.cut(request: request, after: 0) }
        var options = options
        options.reconnection = .never
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).outcome
        for request in 5..<9 { server.cut(request: request, after: .max) }
        let other = Data.sample(1_000_000, seed: 2)
        server.change {
            $0.content = other
            $0.etag = "\"v2\""
        }
        _ = try await server.client().download(Export(), to: folder.path("a"), options: options).value
        #expect(folder.contents("a") == other)
    }

    @Test func goingOnWithAnotherNumberOfConnections() async throws {
        for (first, second) in [(1, 4), (4, 1)] {
            let (folder, server) = (try TemporaryFolder(), RangeServer(content))
            server.cut(request: first == 1 ? 0 : 5, after: first == 1 ? 550_000 : 0)
            for request in 6..<9 { server.cut(request: request, after: 0) }
            var options = options
            options.reconnection = .never
            options.connections = first
            #expect(try await server.client().download(Export(), to: folder.path("a"), options: options).failure != nil)
            let count = server.served.count
            if first == 1 { for request in 6..<9 { server.cut(request: request, after: .max) } }
            options.connections = second
            options.reconnection = ReconnectionPolicy(maximumAttempts: 20)
            let file = try await server.client().download(Export(), to: folder.path("a"), options: options).value
            #expect(folder.contents("a") == content)
            #expect(file.resumedBytes > 0)
            #expect(server.served[count...].reduce(0) { $0 + $1.sent } == 1_000_000 - file.resumedBytes)
        }
    }
}
