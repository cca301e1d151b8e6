internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file a download is written to until it is complete, and the state beside it. It is beside the target, so that
/// giving it the target's name is one step on one disk.
struct PartialFile: Sendable {
    /// Where the file goes when it is complete.
    let target: String
    let file: OpenFile
    let access: FileAccess

    /// A target's partial file.
    static func path(for target: String) -> String { target + ".part" }
    /// The state beside it.
    static func statePath(for target: String) -> String { target + ".part-state" }

    var statePath: String { PartialFile.statePath(for: target) }

    /// Opens and locks the partial file of a target, and makes it if it is not there.
    ///
    /// - Returns: The file, its length, and the bytes of the state file.
    static func open(
        target: String, options: DownloadOptions, access: FileAccess
    ) async throws(NetworkError) -> (file: PartialFile, length: Int, state: [UInt8]) {
        try await access.run { (operations) throws(FileFailure) in
            switch operations.kind(at: target) {
            case .folder, .other: throw FileFailure(.notAFile, path: target)
            case .file: if !options.replacesExisting { throw FileFailure(.alreadyExists, path: target) }
            case nil: break
            }
            let file = try openLocked(PartialFile.path(for: target), options: options, operations)
            do throws(FileFailure) {
                let length = try operations.size(of: file)
                let state = readState(PartialFile.statePath(for: target), operations)
                return (PartialFile(target: target, file: file, access: access), length, state)
            } catch {
                operations.close(file)
                throw error
            }
        }
    }

    private static func openLocked(
        _ path: String, options: DownloadOptions, _ operations: any FileOperations
    ) throws(FileFailure) -> OpenFile {
        while true {
            let file = try operations.openForWriting(path, permissions: options.permissions ?? 0o666)
            do throws(FileFailure) {
                guard try operations.tryLock(file) else { throw FileFailure(.inUse, path: path) }
                // Between opening and locking, who had it locked may have given the file its final name.
                if operations.isFile(file, at: path) { return file }
            } catch {
                operations.close(file)
                throw error
            }
            operations.close(file)
        }
    }

    /// A state that cannot be read is as good as none.
    private static func readState(_ path: String, _ operations: any FileOperations) -> [UInt8] {
        guard let file = try? operations.openForReading(path) else { return [] }
        defer { operations.close(file) }
        guard let size = try? operations.size(of: file), size <= DownloadState.maximumFileSize else { return [] }
        return (try? operations.readBytes(file, count: size, at: 0)) ?? []
    }

    /// Puts another state in place of the one that is there; `nil` removes it.
    ///
    /// - Parameter synchronized: Makes sure that the bytes the state speaks of are on the disk before it.
    func save(_ state: DownloadState?, synchronized: Bool = false) async throws(NetworkError) {
        let (statePath, file) = (statePath, file)
        let bytes = state?.encoded()
        try await access.run { (operations) throws(FileFailure) in
            guard let bytes else { return try operations.remove(statePath) }
            if synchronized { try operations.synchronize(file) }
            let temporary = statePath + ".new"
            let new = try operations.openForWriting(temporary, permissions: 0o600)
            defer { operations.close(new) }
            try operations.truncate(new, to: 0)
            try operations.writeAll(new, bytes)
            try operations.rename(temporary, to: statePath)
        }
    }

    /// Cuts the file off, or makes it longer.
    func resize(to length: Int) async throws(NetworkError) {
        let file = file
        try await access.run { (operations) throws(FileFailure) in try operations.truncate(file, to: length) }
    }

    /// Fails when the disk has less free space than that.
    func requireSpace(_ bytes: Int) async throws(NetworkError) {
        let (file, target) = (file, target)
        try await access.run { (operations) throws(FileFailure) in
            if let free = operations.freeSpace(for: file), free < bytes { throw FileFailure(.diskFull, path: target) }
        }
    }

    /// Writes bytes, and digests them when they are the next to be digested.
    func write(
        _ bytes: Data, at offset: Int, digest: FileDigest? = nil
    ) async throws(NetworkError) -> FileDigest? {
        let file = file
        return try await access.run { (operations) throws(FileFailure) in
            var digest = digest
            var failure: FileFailure?
            bytes.withUnsafeBytes { buffer in
                do throws(FileFailure) {
                    try operations.writeAll(file, buffer, at: offset)
                    digest?.append(buffer, at: offset)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            return digest
        }
    }

    /// Digests what is not digested yet.
    func finish(_ digest: FileDigest, length: Int) async throws(NetworkError) -> String {
        var digest = digest
        while digest.count < length {
            if Task.isCancelled { throw .cancelled }
            let (file, current) = (file, digest)
            digest = try await access.run { (operations) throws(FileFailure) in
                var next = current
                // A piece at a time, so that others get their turn on the thread.
                let bytes = try operations.readBytes(file, count: min(4 << 20, length - next.count), at: next.count)
                guard !bytes.isEmpty else { throw FileFailure(.changedWhileRead, path: file.path) }
                bytes.withUnsafeBytes { next.append($0, at: next.count) }
                return next
            }
        }
        return digest.hexadecimal
    }

    /// Gives the file its final name and closes it.
    func commit(length: Int, options: DownloadOptions) async throws(NetworkError) {
        let (file, target, statePath) = (file, target, statePath)
        try await access.run { (operations) throws(FileFailure) in
            let size = try operations.size(of: file)
            guard size == length else {
                throw FileFailure(.unexpectedLength(expected: length, actual: size), path: target)
            }
            if let permissions = options.permissions { try operations.setPermissions(file, to: permissions) }
            if options.isSynchronized { try operations.synchronize(file) }
            if options.replacesExisting {
                try operations.rename(file.path, to: target)
            } else {
                try operations.renameWithoutReplacing(file.path, to: target)
            }
            // From here on the file is in its place: what fails now does not undo that.
            try? operations.remove(statePath)
            if options.isSynchronized { try? operations.synchronizeDirectory(PartialFile.folder(of: target)) }
            operations.close(file)
        }
    }

    /// Closes the file, and removes it with its state unless it is to be kept for another time.
    func abandon(keeping isKept: Bool) async {
        let (file, statePath) = (file, statePath)
        _ = try? await access.run { (operations) throws(FileFailure) in
            if !isKept {
                try? operations.remove(file.path)
                try? operations.remove(statePath)
            }
            try? operations.remove(statePath + ".new")
            operations.close(file)
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// The SHA-256 of a file's first bytes.
struct FileDigest: Sendable {
    private var hasher = SHA256()
    /// Bytes digested.
    private(set) var count = 0

    /// Digests bytes if they are the next ones; others are left for later.
    mutating func append(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset == count else { return }
        hasher.update(bytes)
        count += bytes.count
    }

    /// The digest of all bytes so far.
    var hexadecimal: String {
        var hasher = hasher
        return hasher.finalize().hexadecimal
    }
}

extension [UInt8] {
    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
