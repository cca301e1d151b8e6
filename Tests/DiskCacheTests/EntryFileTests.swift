import Foundation
import Testing

@testable import DiskCache

/// What is accepted as an entry, byte by byte.
@Suite struct EntryFileTests {
    private let folder = TemporaryFolder()
    private let key: CacheKey = "the key"

    private func file(of bytes: [UInt8]) throws(EntryFile.Failure) -> EntryFile {
        folder.write(Data(bytes), to: "entry")
        return try EntryFile(path: "\(folder.path)/entry", key: key, fileSystem: POSIXFileSystem())
    }

    private func entry(_ body: Data, metadata: Data = Data("metadata".utf8)) -> [UInt8] {
        let table = body.withUnsafeBytes { EntryFormat.table(of: $0) }
        return EntryFormat.head(key: key, metadata: metadata, bodyLength: body.count, table: table) + body
            + EntryFormat.tableBytes(table)
    }

    @Test func theLayoutIsTheOneDescribed() {
        let bytes = entry(Data("body".utf8))
        #expect(bytes.count == 40 + 7 + 8 + 4 + 8)
        #expect(bytes[0..<8] == [0x89, 0x41, 0x4C, 0x45, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(bytes[8..<32] == [1, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[40..<59]) == Array("the keymetadatabody".utf8))
    }

    @Test(arguments: [0, 1, 4096, 32_000, 65_535, 65_536, 65_537, 131_072, 200_000])
    func whatIsWrittenIsRead(length: Int) throws {
        let body = patternedData(length)
        let file = try file(of: entry(body))
        #expect(file.metadata == Data("metadata".utf8))
        #expect(try file.body() == body)
        var streamed = Data()
        while let blocks = try file.nextBlocks(limit: 100_000) { streamed += blocks }
        #expect(streamed == body)
    }

    @Test func largeMetadataIsRead() throws {
        let metadata = patternedData(100_000, seed: 3)
        let file = try file(of: entry(Data("body".utf8), metadata: metadata))
        #expect(file.metadata == metadata)
        #expect(try file.body() == Data("body".utf8))
    }

    @Test func aChangeOfAnyByteIsNoticed() throws {
        let bytes = entry(Data("a body of some bytes".utf8))
        for index in bytes.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= change
                #expect(throws: EntryFile.Failure.self, "byte \(index)") { try file(of: changed).body() }
            }
        }
    }

    @Test func aChangeInALargeBodyIsNoticedBeforeItIsHandedOver() throws {
        var bytes = entry(patternedData(200_000))
        bytes[40 + 15 + 150_000] ^= 1
        let file = try file(of: bytes)
        #expect(throws: EntryFile.Failure.corrupt) { try file.body() }
        #expect(try file.nextBlocks(limit: 1) == patternedData(200_000).prefix(65_536))
        #expect(try file.nextBlocks(limit: 1)?.count == 65_536)
        #expect(throws: EntryFile.Failure.corrupt) { try file.nextBlocks(limit: 1) }
    }

    @Test func aFileCutAnywhereOrWithMoreBytesIsNoEntry() {
        let bytes = entry(Data("a body of some bytes".utf8))
        for length in 0..<bytes.count {
            #expect(throws: EntryFile.Failure.corrupt, "\(length)") { try file(of: Array(bytes[..<length])) }
        }
        #expect(throws: EntryFile.Failure.corrupt) { try file(of: bytes + [0]) }
    }

    @Test func swappedBlocksAreNoticed() {
        var bytes = entry(patternedData(2 * 65_536))
        let first = Array(bytes[55..<55 + 65_536])
        bytes.replaceSubrange(55..<55 + 65_536, with: bytes[55 + 65_536..<55 + 2 * 65_536])
        bytes.replaceSubrange(55 + 65_536..<55 + 2 * 65_536, with: first)
        #expect(throws: EntryFile.Failure.corrupt) { try file(of: bytes).body() }
    }

    @Test func anotherVersionAndAnotherKeyAreLeftAlone() {
        var bytes = entry(Data("body".utf8))
        bytes[8] = 2
        #expect(throws: EntryFile.Failure.notOurs) { try file(of: bytes) }
        folder.write(Data(entry(Data("body".utf8))), to: "entry")
        #expect(throws: EntryFile.Failure.notOurs) {
            try EntryFile(path: "\(folder.path)/entry", key: "the ke!", fileSystem: POSIXFileSystem())
        }
    }

    @Test func whatIsNoFileIsNoEntry() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/folder", withIntermediateDirectories: true)
        mkfifo("\(folder.path)/pipe", 0o600)
        folder.write(Data(entry(Data("body".utf8))), to: "entry")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/entry")
        for name in ["folder", "pipe", "link", "nothing"] {
            #expect(throws: EntryFile.Failure.self, "\(name)") {
                try EntryFile(path: "\(folder.path)/\(name)", key: key, fileSystem: POSIXFileSystem())
            }
        }
    }

    /// Random headers, and entries changed in several places with the header's checksum left as it is.
    @Test func randomBytesNeverCrash() {
        var random = SplitMix64(state: 42)
        let good = entry(patternedData(300))
        var accepted = 0
        for round in 0..<3000 {
            var bytes = round.isMultiple(of: 2) ? good : (0..<Int.random(in: 0..<200, using: &random)).map { _ in 0 }
            for _ in 0..<Int.random(in: 1..<8, using: &random) where !bytes.isEmpty {
                bytes[.random(in: 0..<min(60, bytes.count), using: &random)] = .random(in: 0...255, using: &random)
            }
            if !round.isMultiple(of: 2) { bytes.replaceSubrange(0..<min(8, bytes.count), with: good[0..<8]) }
            if let file = try? file(of: bytes), (try? file.body()) != nil, bytes != good { accepted += 1 }
        }
        #expect(accepted == 0)
    }
}
