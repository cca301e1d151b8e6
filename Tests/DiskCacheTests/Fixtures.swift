import Foundation

@testable import DiskCache

struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "/disk-cache-tests-\(UUID().uuidString)"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Paths of all files below, relative to the folder, sorted.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// The files that hold entries.
    var entries: [String] { files.filter { !$0.hasSuffix("CACHEDIR.TAG") && !$0.hasSuffix(".tmp") } }

    func contents(_ name: String) -> Data { FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data() }

    func write(_ data: Data, to name: String) {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? data.write(to: url)
    }
}

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let time: Locked<Int64>

    /// Starts at a time in 2024, in nanoseconds since 1970.
    init(_ time: Int64 = 1_720_000_000 * 1_000_000_000) {
        self.time = Locked(time)
    }

    var now: Int64 { time.withLock { $0 } }

    /// Files get the system's time when written; age needs a clock that agrees.
    func set(toSystemTime: Void) { time.withLock { $0 = DiskStorage.systemTime() } }

    func advance(seconds: Int64) { time.withLock { $0 += seconds * 1_000_000_000 } }
}

/// The operations of the system, each of which can be made to fail.
final class FaultyFileSystem: FileSystem {
    enum Operation: CaseIterable, Sendable {
        case open, create, status, read, write, rename, remove, createDirectory, list, setTimes, tryLock
    }

    enum Fault: Sendable {
        case error(Int32)
        /// Reads or writes one byte only.
        case short
        /// Reads nothing, as at the end of the file.
        case end
    }

    private struct State: Sendable {
        var plan: (@Sendable (Operation, Int) -> Fault?)?
        var counts: [Operation: Int] = [:]
        var openFiles: Set<FileDescriptor> = []
    }

    private let real = POSIXFileSystem()
    private let state = Locked(State())

    init(_ plan: (@Sendable (Operation, Int) -> Fault?)? = nil) {
        state.withLock { $0.plan = plan }
    }

    /// Says which operations fail from now on; the second argument counts the calls of the operation from 0.
    func setPlan(_ plan: (@Sendable (Operation, Int) -> Fault?)?) {
        state.withLock { state in
            state.plan = plan
            state.counts = [:]
        }
    }

    func count(of operation: Operation) -> Int { state.withLock { $0.counts[operation] ?? 0 } }

    /// Descriptors opened and not closed.
    var openFileCount: Int { state.withLock { $0.openFiles.count } }

    private func fault(_ operation: Operation) throws(FileError) -> Fault? {
        let (plan, count) = state.withLock { state in
            defer { state.counts[operation, default: 0] += 1 }
            return (state.plan, state.counts[operation] ?? 0)
        }
        let fault = plan?(operation, count)
        if case .error(let code) = fault { throw FileError(code: code) }
        return fault
    }

    func open(_ path: String) throws(FileError) -> FileDescriptor {
        _ = try fault(.open)
        let file = try real.open(path)
        state.withLock { _ = $0.openFiles.insert(file) }
        return file
    }

    func create(_ path: String) throws(FileError) -> FileDescriptor {
        _ = try fault(.create)
        let file = try real.create(path)
        state.withLock { _ = $0.openFiles.insert(file) }
        return file
    }

    func close(_ file: FileDescriptor) {
        state.withLock { _ = $0.openFiles.remove(file) }
        real.close(file)
    }

    func status(of file: FileDescriptor) throws(FileError) -> FileStatus {
        _ = try fault(.status)
        return try real.status(of: file)
    }

    func status(at path: String) throws(FileError) -> FileStatus {
        _ = try fault(.status)
        return try real.status(at: path)
    }

    func read(
        _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        switch try fault(.read) {
        case .end: return 0
        case .short: return try real.read(file, into: .init(rebasing: buffer.prefix(1)), at: offset)
        default: return try real.read(file, into: buffer, at: offset)
        }
    }

    func write(_ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        switch try fault(.write) {
        case .end: return 0
        case .short: return try real.write(file, .init(rebasing: bytes.prefix(1)), at: offset)
        default: return try real.write(file, bytes, at: offset)
        }
    }

    func rename(_ path: String, to newPath: String) throws(FileError) {
        _ = try fault(.rename)
        try real.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(FileError) {
        _ = try fault(.remove)
        try real.remove(path)
    }

    func createDirectory(_ path: String) throws(FileError) -> Bool {
        _ = try fault(.createDirectory)
        return try real.createDirectory(path)
    }

    func list(_ path: String) throws(FileError) -> [String] {
        _ = try fault(.list)
        return try real.list(path)
    }

    func setTimes(at path: String, accessed: Int64?, modified: Int64?) throws(FileError) {
        _ = try fault(.setTimes)
        try real.setTimes(at: path, accessed: accessed, modified: modified)
    }

    func tryLock(_ file: FileDescriptor) throws(FileError) -> Bool {
        _ = try fault(.tryLock)
        return try real.tryLock(file)
    }
}

func patternedData(_ count: Int, seed: UInt64 = 1) -> Data {
    var random = SplitMix64(state: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return Data(bytes.prefix(count))
}
