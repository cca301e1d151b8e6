#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The operations of the system.
struct POSIXFileOperations: FileOperations {
    func openForReading(_ path: String) throws(FileFailure) -> OpenFile {
        // Non-blocking, because a pipe would otherwise stop the thread until somebody writes into it.
        let number = try call(path) { Int(systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)) }
        return try regularFile(OpenFile(number: Int32(truncatingIfNeeded: number), path: path))
    }

    func openForWriting(_ path: String, permissions: UInt16) throws(FileFailure) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = try call(path) { Int(systemOpen(path, flags, mode_t(permissions))) }
        return try regularFile(OpenFile(number: Int32(truncatingIfNeeded: number), path: path))
    }

    private func regularFile(_ file: OpenFile) throws(FileFailure) -> OpenFile {
        do throws(FileFailure) {
            guard try status(of: file).st_mode & S_IFMT == S_IFREG else {
                throw FileFailure(.notAFile, path: file.path)
            }
            return file
        } catch {
            close(file)
            throw error
        }
    }

    private func status(of file: OpenFile) throws(FileFailure) -> stat {
        var result = stat()
        _ = try call(file.path) { Int(fstat(file.number, &result)) }
        return result
    }

    func close(_ file: OpenFile) {
        // Whatever it returns, the descriptor is gone: to try again could close somebody else's.
        _ = systemClose(file.number)
    }

    func size(of file: OpenFile) throws(FileFailure) -> Int {
        Int(try status(of: file).st_size)
    }

    func read(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileFailure) -> Int {
        try call(file.path) { pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
        try call(file.path) { pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    func truncate(_ file: OpenFile, to size: Int) throws(FileFailure) {
        _ = try call(file.path) { Int(ftruncate(file.number, off_t(size))) }
    }

    func setPermissions(_ file: OpenFile, to permissions: UInt16) throws(FileFailure) {
        _ = try call(file.path) { Int(fchmod(file.number, mode_t(permissions))) }
    }

    func synchronize(_ file: OpenFile) throws(FileFailure) {
        _ = try call(file.path) { Int(fsync(file.number)) }
    }

    func synchronizeDirectory(_ path: String) throws(FileFailure) {
        let number = try call(path) { Int(systemOpen(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0)) }
        let directory = OpenFile(number: Int32(truncatingIfNeeded: number), path: path)
        defer { close(directory) }
        do throws(FileFailure) {
            try synchronize(directory)
        } catch  where error.code == EINVAL {
            // Some file systems cannot synchronize folders; the name is as safe as they make it.
        }
    }

    func tryLock(_ file: OpenFile) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            _ = try call(file.path) { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    func isFile(_ file: OpenFile, at path: String) -> Bool {
        var named = stat()
        guard let opened = try? status(of: file), lstat(path, &named) == 0 else { return false }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    func rename(_ path: String, to newPath: String) throws(FileFailure) {
        _ = try call(newPath) { Int(systemRename(path, newPath)) }
    }

    func renameWithoutReplacing(_ path: String, to newPath: String) throws(FileFailure) {
        // A second name fails when it is taken, which a check before a rename cannot promise.
        _ = try call(newPath) { Int(link(path, newPath)) }
        try remove(path)
    }

    func remove(_ path: String) throws(FileFailure) {
        do throws(FileFailure) {
            _ = try call(path) { Int(unlink(path)) }
        } catch  where error.code == ENOENT {
            return
        }
    }

    func kind(at path: String) -> FileKind? {
        var status = stat()
        if stat(path, &status) != 0, lstat(path, &status) != 0 { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    func freeSpace(for file: OpenFile) -> Int? {
        var status = statvfs()
        guard fstatvfs(file.number, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int(clamping: bytes)
    }

    /// A system call, again as long as a signal interrupts it.
    private func call(_ path: String, _ operation: () -> Int) throws(FileFailure) -> Int {
        while true {
            let result = operation()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw FileFailure(code: code, path: path) }
        }
    }
}

// Inside the type, `open`, `close` and `rename` mean its own methods.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ number: Int32) -> Int32 { close(number) }
private func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }
