/// The operations on files that transfers need, so that tests can make each of them fail.
///
/// All of them block, so they are called on threads made for that only, never on Swift's.
protocol FileOperations: Sendable {
    /// Opens a regular file for reading.
    func openForReading(_ path: String) throws(FileFailure) -> OpenFile

    /// Opens a file for reading and writing, and makes it if it is not there; never follows a symbolic link.
    ///
    /// - Parameter permissions: Of a new file, before the process's mask.
    func openForWriting(_ path: String, permissions: UInt16) throws(FileFailure) -> OpenFile

    /// Closes a file. There is nothing to do about an error.
    func close(_ file: OpenFile)

    /// The length in bytes.
    func size(of file: OpenFile) throws(FileFailure) -> Int

    /// Reads at most as much as the buffer takes; 0 means the end of the file.
    func read(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileFailure) -> Int

    /// Writes at least one byte of bytes that are not empty.
    func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int

    /// Cuts a file off, or makes it longer with zeros.
    func truncate(_ file: OpenFile, to size: Int) throws(FileFailure)

    /// Sets who may read and write a file, whatever the process's mask is.
    func setPermissions(_ file: OpenFile, to permissions: UInt16) throws(FileFailure)

    /// Returns when the bytes are on the disk.
    func synchronize(_ file: OpenFile) throws(FileFailure)

    /// Returns when the names in a folder are on the disk.
    func synchronizeDirectory(_ path: String) throws(FileFailure)

    /// Locks a file as long as it is open, unless another one has it locked.
    func tryLock(_ file: OpenFile) throws(FileFailure) -> Bool

    /// Whether an open file is still the one that a path names.
    func isFile(_ file: OpenFile, at path: String) -> Bool

    /// Gives a file another name, in place of what has it.
    func rename(_ path: String, to newPath: String) throws(FileFailure)

    /// Gives a file another name, unless something has it.
    func renameWithoutReplacing(_ path: String, to newPath: String) throws(FileFailure)

    /// Removes a file; that there is none is no error.
    func remove(_ path: String) throws(FileFailure)

    /// What is at a path, or `nil` when there is nothing. Symbolic links are followed.
    func kind(at path: String) -> FileKind?

    /// Free bytes of the disk a file is on, or `nil` when the system does not say.
    func freeSpace(for file: OpenFile) -> Int?
}

/// What can be at a path.
enum FileKind: Sendable {
    case file, folder, other
}

/// An open file, and its name for errors.
struct OpenFile: Sendable, Hashable {
    let number: Int32
    let path: String
}

extension FileOperations {
    /// Writes all bytes, however few the system takes at a time.
    func writeAll(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = try write(file, UnsafeRawBufferPointer(rebasing: bytes[written...]), at: offset + written)
            // No progress and no reason given: do not try for ever.
            guard count > 0 else { throw FileFailure(.other, path: file.path) }
            written += count
        }
    }

    /// Writes bytes at the beginning.
    func writeAll(_ file: OpenFile, _ bytes: [UInt8]) throws(FileFailure) {
        var failure: FileFailure?
        bytes.withUnsafeBytes { buffer in
            do throws(FileFailure) {
                try writeAll(file, buffer, at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Reads until a buffer is full or the file ends.
    func readAll(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileFailure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(file, into: rest, at: offset + filled)
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Reads at most a number of bytes; fewer when the file ends before.
    func readBytes(_ file: OpenFile, count: Int, at offset: Int) throws(FileFailure) -> [UInt8] {
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileFailure) {
                filled = try readAll(file, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
