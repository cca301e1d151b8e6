#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The operations of the system.
struct POSIXFileSystem: FileSystem {
    func open(_ path: String) throws(FileError) -> FileDescriptor {
        // Non-blocking, because a pipe put in place of an entry would otherwise stop the thread for good.
        try descriptor { systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0) }
    }

    func create(_ path: String) throws(FileError) -> FileDescriptor {
        try descriptor { systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    }

    func close(_ file: FileDescriptor) {
        // Whatever it returns, the descriptor is gone: to try again could close somebody else's.
        _ = systemClose(file.number)
    }

    func status(of file: FileDescriptor) throws(FileError) -> FileStatus {
        var status = stat()
        _ = try retrying { Int(fstat(file.number, &status)) }
        return FileStatus(status)
    }

    func status(at path: String) throws(FileError) -> FileStatus {
        var status = stat()
        _ = try retrying { Int(lstat(path, &status)) }
        return FileStatus(status)
    }

    func read(
        _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        try retrying { pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    func write(_ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        try retrying { pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    func rename(_ path: String, to newPath: String) throws(FileError) {
        _ = try retrying { Int(systemRename(path, newPath)) }
    }

    func remove(_ path: String) throws(FileError) {
        _ = try retrying { Int(unlink(path)) }
    }

    func createDirectory(_ path: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try retrying { Int(mkdir(path, 0o700)) }
            return true
        } catch  where error.code == EEXIST {
            return false
        }
    }

    func list(_ path: String) throws(FileError) -> [String] {
        guard let directory = opendir(path) else { throw FileError(code: errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                if errno != 0 { throw FileError(code: errno) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    func setTimes(at path: String, accessed: Int64?, modified: Int64?) throws(FileError) {
        var times = [timespec(accessed), timespec(modified)]
        _ = try retrying { Int(utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW)) }
    }

    func tryLock(_ file: FileDescriptor) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try retrying { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    private func descriptor(_ operation: () -> Int32) throws(FileError) -> FileDescriptor {
        FileDescriptor(number: Int32(truncatingIfNeeded: try retrying { Int(operation()) }))
    }

    /// A system call, again as long as a signal interrupts it.
    private func retrying(_ operation: () -> Int) throws(FileError) -> Int {
        while true {
            let result = operation()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw FileError(code: code) }
        }
    }
}

// Inside the type, `open`, `close` and `rename` mean its own methods.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ number: Int32) -> Int32 { close(number) }
private func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }

extension FileStatus {
    fileprivate init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        size = Int(status.st_size)
        #if canImport(Darwin)
        accessed = Int64(status.st_atimespec)
        modified = Int64(status.st_mtimespec)
        #else
        accessed = Int64(status.st_atim)
        modified = Int64(status.st_mtim)
        #endif
    }
}

extension Int64 {
    /// Nanoseconds, or as many of them as fit: a file may claim any date.
    fileprivate init(_ time: timespec) {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        self = overflow || carry ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}

extension timespec {
    fileprivate init(_ nanoseconds: Int64?) {
        guard let nanoseconds else {
            self.init(tv_sec: 0, tv_nsec: Self.omit)
            return
        }
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let isBefore1970 = rest < 0
        self.init(
            tv_sec: time_t(seconds - (isBefore1970 ? 1 : 0)), tv_nsec: Int(rest + (isBefore1970 ? 1_000_000_000 : 0)))
    }

    /// `UTIME_OMIT`, a macro with a cast that Swift does not import.
    private static var omit: Int {
        #if canImport(Darwin)
        -2
        #else
        (1 << 30) - 2
        #endif
    }
}
