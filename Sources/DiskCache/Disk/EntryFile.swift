#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One entry's file, open for reading, its header, key, metadata and block checksums read and checked.
///
/// The file is closed with the last reference. Nothing ever changes an entry's file in place, so what is read through
/// one opening belongs together, whatever happens to the name meanwhile.
///
/// Single reads and no `mmap`: a mapped file that another program cuts short, or a sector that cannot be read, raises
/// `SIGBUS` and takes the process with it.
final class EntryFile: Sendable {
    enum Failure: Error, Equatable {
        case corrupt
        /// Another key's entry, or another version of the format, or no entry at all: nothing to be removed.
        case notOurs
        case system(Int32)
    }

    let format: EntryFormat
    let metadata: Data
    let status: FileStatus

    private let fileSystem: any FileSystem
    private let file: FileDescriptor
    private let table: [UInt8]
    /// The beginning of the file as read with the first call; of a small entry, all of it.
    private let beginning: [UInt8]
    private let nextBlock = Locked(0)

    /// How much is read with the first call. Entries up to this size take one.
    static let firstRead = 32_768

    init(path: String, key: CacheKey, fileSystem: any FileSystem) throws(Failure) {
        let file = try Self.system { () throws(FileError) in try fileSystem.open(path) }
        do throws(Failure) {
            let status = try Self.system { () throws(FileError) in try fileSystem.status(of: file) }
            guard status.kind == .file else { throw .notOurs }
            let parts = try Self.load(file, length: status.size, key: key, fileSystem: fileSystem)
            (format, metadata, table, beginning) = parts
            self.status = status
            self.file = file
            self.fileSystem = fileSystem
        } catch {
            fileSystem.close(file)
            throw error
        }
    }

    deinit {
        fileSystem.close(file)
    }

    private static func load(
        _ file: FileDescriptor, length: Int, key: CacheKey, fileSystem: any FileSystem
    ) throws(Failure) -> (EntryFormat, Data, [UInt8], [UInt8]) {
        var beginning = try read(file, count: min(length, firstRead), at: 0, fileSystem: fileSystem)
        let format: EntryFormat
        do throws(EntryFormat.Flaw) {
            format = try EntryFormat(beginning: beginning, fileLength: length)
        } catch {
            // A file under the digest of our key is ours even if its first bytes are not.
            throw error == .otherVersion ? .notOurs : .corrupt
        }
        if format.bodyOffset > beginning.count {
            beginning += try read(
                file, count: format.bodyOffset - beginning.count, at: beginning.count, fileSystem: fileSystem)
        }
        let table: [UInt8]
        if format.fileLength <= beginning.count {
            table = Array(beginning[format.tableOffset..<format.fileLength])
        } else {
            table = try read(file, count: format.blockCount * 8, at: format.tableOffset, fileSystem: fileSystem)
        }
        let isIntact = beginning.withUnsafeBytes { head in
            table.withUnsafeBytes { table in
                let keyAndMetadata = head[EntryFormat.headerLength..<format.bodyOffset]
                return format.checksum
                    == format.expectedChecksum(
                        keyAndMetadata: UnsafeRawBufferPointer(rebasing: keyAndMetadata), table: table)
            }
        }
        guard isIntact else { throw .corrupt }
        let keyEnd = EntryFormat.headerLength + format.keyLength
        guard beginning[EntryFormat.headerLength..<keyEnd].elementsEqual(key.bytes) else { throw .notOurs }
        return (format, Data(beginning[keyEnd..<format.bodyOffset]), table, beginning)
    }

    /// The whole body.
    func body() throws(Failure) -> Data {
        guard format.fileLength > beginning.count else {
            let body = format.bodyOffset..<format.tableOffset
            let isIntact = beginning.withUnsafeBytes { areIntact(UnsafeRawBufferPointer(rebasing: $0[body]), from: 0) }
            guard isIntact else { throw .corrupt }
            return beginning.withUnsafeBytes { Data($0[body]) }
        }
        guard format.bodyLength > 0, let memory = malloc(format.bodyLength) else {
            if format.bodyLength == 0 { return Data() }
            throw .system(ENOMEM)
        }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: format.bodyLength)
        do throws(Failure) {
            let count = try Self.system { () throws(FileError) in
                try fileSystem.readAll(file, into: buffer, at: format.bodyOffset)
            }
            guard count == buffer.count, areIntact(UnsafeRawBufferPointer(buffer), from: 0) else { throw .corrupt }
        } catch {
            free(memory)
            throw error
        }
        return Data(bytesNoCopy: memory, count: format.bodyLength, deallocator: .free)
    }

    /// The next blocks of the body, at most `limit` bytes of them but at least one block; `nil` at the end.
    func nextBlocks(limit: Int) throws(Failure) -> Data? {
        let blocks = max(1, limit / EntryFormat.blockLength)
        let first = nextBlock.withLock { next in
            defer { next = min(next + blocks, format.blockCount) }
            return next
        }
        let start = first * EntryFormat.blockLength
        guard start < format.bodyLength else { return nil }
        let count = min(blocks * EntryFormat.blockLength, format.bodyLength - start)
        let bytes = try Self.read(file, count: count, at: format.bodyOffset + start, fileSystem: fileSystem)
        guard bytes.withUnsafeBytes({ areIntact($0, from: first) }) else { throw .corrupt }
        return Data(bytes)
    }

    private func areIntact(_ bytes: UnsafeRawBufferPointer, from firstBlock: Int) -> Bool {
        table.withUnsafeBytes { table in
            stride(from: 0, to: bytes.count, by: EntryFormat.blockLength).allSatisfy { start in
                let end = min(start + EntryFormat.blockLength, bytes.count)
                let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                return EntryFormat.isIntact(
                    block: block, index: firstBlock + start / EntryFormat.blockLength, table: table)
            }
        }
    }

    private static func read(
        _ file: FileDescriptor, count: Int, at offset: Int, fileSystem: any FileSystem
    ) throws(Failure) -> [UInt8] {
        let bytes = try system { () throws(FileError) in try fileSystem.readAll(file, count: count, at: offset) }
        guard bytes.count == count else { throw .corrupt }
        return bytes
    }

    private static func system<Result>(
        _ operation: () throws(FileError) -> Result
    ) throws(Failure) -> Result {
        do throws(FileError) {
            return try operation()
        } catch {
            throw .system(error.code)
        }
    }
}
