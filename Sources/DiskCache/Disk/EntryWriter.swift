#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes one entry piece by piece, with calls that block.
///
/// The header is written last, when the length and the checksums are known, and the file gets its name after that.
final class EntryWriter: Sendable {
    private struct Progress {
        /// `nil` once the writer has ended, in whichever way.
        var temporary: EntryFolder.Temporary?
        /// Bytes of the body not yet written: less than a block, except on the way to ``flush(_:)``.
        var buffer: [UInt8] = []
        /// Bytes of the body in the file.
        var written = 0
        var table: [UInt64] = []
    }

    private let folder: EntryFolder
    private let key: CacheKey
    private let metadata: Data
    private let name: EntryName
    private let token: UInt64
    private let keepsOldOnFailure: Bool
    private let bodyOffset: Int
    private let progress: Locked<Progress>

    /// - Parameter keepsOldOnFailure: Whether a failed write leaves what is under the key.
    init?(folder: EntryFolder, key: CacheKey, metadata: Data, keepsOldOnFailure: Bool = false) {
        let name = folder.name(key)
        var temporary: EntryFolder.Temporary?
        let token = folder.state.withLock { $0.pending.begin(key) }
        if folder.accepts(key, metadata: metadata, bodyLength: 0) {
            _ = folder.attempt(needing: EntryFormat.blockLength) { () throws(FileError) in
                temporary = try folder.createTemporary(for: name)
            }
        }
        self.folder = folder
        self.key = key
        self.metadata = metadata
        self.name = name
        self.token = token
        self.keepsOldOnFailure = keepsOldOnFailure
        bodyOffset = EntryFormat.headerLength + key.bytes.count + metadata.count
        progress = Locked(Progress(temporary: temporary))
        if temporary == nil {
            reportFailure()
            return nil
        }
    }

    deinit {
        cancel()
    }

    /// Adds bytes to the buffer without touching the disk.
    ///
    /// - Returns: Whether the writer still works, and whether ``flush()`` should be called.
    func buffer(_ bytes: Data) -> (isWorking: Bool, isFull: Bool) {
        progress.withLock { progress in
            guard progress.temporary != nil else { return (false, false) }
            progress.buffer.append(contentsOf: bytes)
            return (true, progress.buffer.count >= EntryFormat.blockLength)
        }
    }

    /// Writes the full blocks of the buffer.
    func flush() -> Bool {
        progress.withLock { progress in
            guard progress.temporary != nil else { return false }
            let whole = progress.buffer.count / EntryFormat.blockLength * EntryFormat.blockLength
            return write(whole, in: &progress)
        }
    }

    func append(_ bytes: Data) -> Bool {
        let (isWorking, isFull) = buffer(bytes)
        return isFull ? flush() : isWorking
    }

    func commit() -> Bool {
        progress.withLock { progress in
            guard progress.temporary != nil, write(progress.buffer.count, in: &progress),
                let temporary = progress.temporary
            else { return false }
            let head = EntryFormat.head(
                key: key, metadata: metadata, bodyLength: progress.written, table: progress.table)
            let tableBytes = EntryFormat.tableBytes(progress.table)
            let isWritten = folder.attempt(needing: EntryFormat.blockLength) { () throws(FileError) in
                try folder.writeAll(head, to: temporary.file, at: 0)
                try folder.writeAll(tableBytes, to: temporary.file, at: bodyOffset + progress.written)
                try folder.fileSystem.rename(temporary.path, to: folder.path(of: name))
            }
            guard isWritten else {
                fail(&progress)
                return false
            }
            folder.fileSystem.close(temporary.file)
            progress.temporary = nil
            releaseBytes(of: progress)
            return folder.finishWrite(
                of: name, token: token, length: bodyOffset + progress.written + tableBytes.count)
        }
    }

    func cancel() {
        progress.withLock { progress in
            guard let temporary = progress.temporary.take() else { return }
            folder.discard(temporary)
            releaseBytes(of: progress)
            folder.state.withLock { _ = $0.pending.end(token) }
        }
    }

    /// Writes the first bytes of the buffer; only the last call may write part of a block.
    private func write(_ count: Int, in progress: inout Progress) -> Bool {
        guard count > 0, let temporary = progress.temporary else { return count == 0 }
        let isCancelled = folder.state.withLock { $0.pending.isCancelled(token) }
        guard !isCancelled, folder.accepts(key, metadata: metadata, bodyLength: progress.written + count) else {
            fail(&progress)
            return false
        }
        let bytes = Array(progress.buffer.prefix(count))
        let written = progress.written
        let isWritten = folder.attempt(needing: count) { () throws(FileError) in
            try folder.writeAll(bytes, to: temporary.file, at: bodyOffset + written)
        }
        guard isWritten else {
            fail(&progress)
            return false
        }
        progress.table += bytes.withUnsafeBytes { EntryFormat.table(of: $0) }
        progress.buffer.removeFirst(count)
        progress.written += count
        folder.state.withLock { $0.unpublishedBytes += count }
        folder.evictIfNeeded()
        return true
    }

    private func fail(_ progress: inout Progress) {
        guard let temporary = progress.temporary.take() else { return }
        folder.discard(temporary)
        releaseBytes(of: progress)
        progress.buffer = []
        reportFailure()
    }

    private func reportFailure() {
        if keepsOldOnFailure {
            folder.state.withLock { _ = $0.pending.end(token) }
        } else {
            _ = folder.finishWrite(of: name, token: token, length: nil)
        }
    }

    private func releaseBytes(of progress: Progress) {
        folder.state.withLock { $0.unpublishedBytes -= progress.written }
    }
}
