/// The operations on files that a disk storage needs, so that tests can make each of them fail.
///
/// All of them block, so they are called on ``IOThreads`` only.
protocol FileSystem: Sendable {
    /// Opens a file for reading; never follows a symbolic link, never waits for the other end of a pipe.
    func open(_ path: String) throws(FileError) -> FileDescriptor

    /// Creates a file that must not exist yet, readable and writable by its owner only.
    func create(_ path: String) throws(FileError) -> FileDescriptor

    func close(_ file: FileDescriptor)

    func status(of file: FileDescriptor) throws(FileError) -> FileStatus

    /// The status of what is at a path, a symbolic link itself included.
    func status(at path: String) throws(FileError) -> FileStatus

    /// Reads at most as much as the buffer takes; 0 means the end of the file.
    func read(
        _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int

    /// Writes at least one byte of a buffer that is not empty.
    func write(_ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) -> Int

    func rename(_ path: String, to newPath: String) throws(FileError)

    func remove(_ path: String) throws(FileError)

    /// Creates one directory for its owner only, and tells whether it did: that it exists already is no error.
    func createDirectory(_ path: String) throws(FileError) -> Bool

    /// The names in a directory, without `.` and `..`.
    func list(_ path: String) throws(FileError) -> [String]

    /// Sets when a file was last used and written, in nanoseconds since 1970; `nil` leaves one as it is.
    func setTimes(at path: String, accessed: Int64?, modified: Int64?) throws(FileError)

    /// Locks a file as long as it is open, unless somebody else has it locked.
    func tryLock(_ file: FileDescriptor) throws(FileError) -> Bool
}

/// An open file.
struct FileDescriptor: Hashable, Sendable {
    var number: Int32
}

/// Why an operation on a file failed.
struct FileError: Error, Equatable, Sendable {
    /// The `errno`.
    var code: Int32
}

/// What a disk storage wants to know about a file.
struct FileStatus: Equatable, Sendable {
    enum Kind: Sendable { case file, directory, other }

    var kind: Kind
    /// Bytes in it.
    var size: Int
    /// When it was last used, in nanoseconds since 1970. The storage sets this itself; mount options do not matter.
    var accessed: Int64
    /// When it was last written, in nanoseconds since 1970.
    var modified: Int64
}
