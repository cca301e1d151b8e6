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

extension EntryFolder {
    /// A file that nobody looks for yet, locked so that a scan can tell whether its writer still lives.
    struct Temporary: Sendable {
        var file: FileDescriptor
        var path: String
    }

    /// Keeps a value under a key. When it fails, what was under the key before is gone too: a reader must not be given
    /// an older value than the last one that somebody tried to store.
    func write(_ key: CacheKey, metadata: Data, body: Data) -> Bool {
        let name = name(key)
        guard accepts(key, metadata: metadata, bodyLength: body.count) else {
            removeFile(of: name)
            state.withLock { $0.statistics.failedStores += 1 }
            return false
        }
        let token = state.withLock { $0.pending.begin(key) }
        let table = body.withUnsafeBytes { EntryFormat.table(of: $0) }
        let head = EntryFormat.head(key: key, metadata: metadata, bodyLength: body.count, table: table)
        let length = head.count + body.count + table.count * 8
        let isWritten = attempt(needing: length) { () throws(FileError) in
            let temporary = try createTemporary(for: name)
            do throws(FileError) {
                let tableBytes = EntryFormat.tableBytes(table)
                if length <= EntryFormat.blockLength {
                    try writeAll(head + body + tableBytes, to: temporary.file, at: 0)
                } else {
                    try writeAll(head, to: temporary.file, at: 0)
                    try writeAll(body, to: temporary.file, at: head.count)
                    try writeAll(tableBytes, to: temporary.file, at: head.count + body.count)
                }
                try fileSystem.rename(temporary.path, to: path(of: name))
                fileSystem.close(temporary.file)
            } catch {
                discard(temporary)
                throw error
            }
        }
        return finishWrite(of: name, token: token, length: isWritten ? length : nil)
    }

    /// Whether an entry of this size may be stored at all.
    func accepts(_ key: CacheKey, metadata: Data, bodyLength: Int) -> Bool {
        guard key.bytes.count <= CacheKey.maximumLength, metadata.count <= EntryFormat.metadataLimit,
            bodyLength <= configuration.entrySizeLimit
        else { return false }
        let format = EntryFormat(keyLength: key.bytes.count, metadataLength: metadata.count, bodyLength: bodyLength)
        return Self.bytesOnDisk(format.fileLength) <= configuration.entrySizeLimit
    }

    /// Takes note of a write that has ended, and makes room if it was one too many.
    ///
    /// - Parameter length: The length of the file that was put in place, or `nil` if the write failed.
    func finishWrite(of name: EntryName, token: UInt64, length: Int?) -> Bool {
        guard let length else {
            state.withLock { state in
                _ = state.pending.end(token)
                state.statistics.failedStores += 1
            }
            removeFile(of: name)
            return false
        }
        let time = now()
        // The file is in its place by now. A removal that came before is seen here; one that comes later sees the file.
        let isWanted = state.withLock { state in
            guard state.pending.end(token) else { return false }
            let entry = Entry(length: length, used: time, touched: time)
            state.entries.set(name, to: entry, cost: Self.bytesOnDisk(length))
            state.changedDuringScan?.insert(name)
            state.statistics.stores += 1
            state.bytesWrittenSinceScan += Self.bytesOnDisk(length)
            return true
        }
        guard isWanted else {
            removeFile(of: name)
            return false
        }
        evictIfNeeded()
        return true
    }

    /// Runs a write; makes room and tries once more if the disk is full, and tries once more if the folder is gone.
    func attempt(needing length: Int, _ write: () throws(FileError) -> Void) -> Bool {
        for isLast in [false, true] {
            do throws(FileError) {
                try write()
                return true
            } catch {
                if isLast { return false }
                switch error.code {
                case ENOSPC, EDQUOT: makeRoom(for: length)
                case ENOENT, ENOTDIR: continue
                default: return false
                }
            }
        }
        return false
    }

    func createTemporary(for name: EntryName) throws(FileError) -> Temporary {
        let folder = "\(root)/\(name.folder)"
        var attempts = 0
        while true {
            let path = "\(folder)/\(TemporaryName.random())"
            do throws(FileError) {
                let file = try fileSystem.create(path)
                // Where locks are not supported a scan falls back on the time of the last write.
                _ = try? fileSystem.tryLock(file)
                return Temporary(file: file, path: path)
            } catch {
                attempts += 1
                guard attempts < 3 else { throw error }
                switch error.code {
                case ENOENT: try createFolder(folder)
                case EEXIST: continue
                default: throw error
                }
            }
        }
    }

    func discard(_ temporary: Temporary) {
        try? fileSystem.remove(temporary.path)
        fileSystem.close(temporary.file)
    }

    func writeAll(_ bytes: some ContiguousBytes, to file: FileDescriptor, at offset: Int) throws(FileError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, FileError> in
            do throws(FileError) {
                return .success(try fileSystem.writeAll(file, bytes, at: offset))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Creates the folder and whatever is missing above it.
    private func createFolder(_ path: String) throws(FileError) {
        do throws(FileError) {
            let isNew = try fileSystem.createDirectory(path)
            if isNew, path == root { markAsCache() }
        } catch {
            guard error.code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
                throw error
            }
            try createFolder(String(path[..<slash]))
            let isNew = try fileSystem.createDirectory(path)
            if isNew, path == root { markAsCache() }
        }
    }

    /// Tells backup programs that this folder need not be kept (the Cache Directory Tagging Specification).
    private func markAsCache() {
        guard let file = try? fileSystem.create("\(root)/CACHEDIR.TAG") else { return }
        let text = "Signature: 8a477f597d28d172789f06886806bc55\n# See https://bford.info/cachedir/\n"
        try? writeAll(Array(text.utf8), to: file, at: 0)
        fileSystem.close(file)
    }

    /// Replaces an entry's metadata by writing the entry anew, so that no reader ever sees half of each. When it fails,
    /// the entry stays as it was.
    func replaceMetadata(of key: CacheKey, from old: Data, to new: Data) -> Bool {
        let path = path(of: name(key))
        guard let file = try? EntryFile(path: path, key: key, fileSystem: fileSystem), file.metadata == old,
            let writer = EntryWriter(folder: self, key: key, metadata: new, keepsOldOnFailure: true)
        else { return false }
        do throws(EntryFile.Failure) {
            while let blocks = try file.nextBlocks(limit: 1 << 20) {
                guard writer.append(blocks) else { return false }
            }
        } catch {
            recordFailure(error, of: name(key), isMiss: false)
            return false
        }
        return writer.commit()
    }
}

/// The names of files being written.
enum TemporaryName {
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        func hexadecimal() -> String {
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return ".\(hexadecimal())\(hexadecimal()).tmp"
    }

    static func matches(_ name: String) -> Bool {
        guard name.utf8.count == 37, name.hasPrefix("."), name.hasSuffix(".tmp") else { return false }
        return name.utf8.dropFirst().prefix(32).allSatisfy { digit in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
        }
    }
}
