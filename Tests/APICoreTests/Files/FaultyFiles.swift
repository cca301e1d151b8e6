import DiskCache
import Synchronization

@testable import APICore

/// The system's files, of which a test makes single operations fail.
final class FaultyFiles: FileOperations {
    struct Faults: Sendable {
        /// The `errno` of a write that would make a file longer than that.
        var writeFailsAt: (size: Int, code: Int32)?
        var freeSpace: Int?
        var renameCode: Int32?
        var synchronizeCode: Int32?
        var synchronized: [String] = []
    }

    private let system = POSIXFileOperations()
    private let state = Mutex(Faults())

    var access: FileAccess { FileAccess(operations: self, threads: .shared) }
    var synchronized: [String] { state.withLock { $0.synchronized } }
    func set(_ change: (inout Faults) -> Void) { state.withLock { change(&$0) } }

    func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
        guard let fault = state.withLock({ $0.writeFailsAt }), offset + bytes.count > fault.size else {
            return try system.write(file, bytes, at: offset)
        }
        // A disk takes what still fits, and fails the next time.
        guard offset < fault.size else { throw FileFailure(code: fault.code, path: file.path) }
        return try system.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<(fault.size - offset)]), at: offset)
    }

    func rename(_ path: String, to newPath: String) throws(FileFailure) {
        if let code = state.withLock({ $0.renameCode }), !newPath.hasSuffix("-state") {
            throw FileFailure(code: code, path: newPath)
        }
        try system.rename(path, to: newPath)
    }

    func synchronize(_ file: OpenFile) throws(FileFailure) {
        let code = state.withLock { state in
            state.synchronized.append(file.path)
            return state.synchronizeCode
        }
        if let code { throw FileFailure(code: code, path: file.path) }
    }

    func synchronizeDirectory(_ path: String) throws(FileFailure) {
        state.withLock { $0.synchronized.append(path) }
    }

    func freeSpace(for file: OpenFile) -> Int? { state.withLock { $0.freeSpace } ?? system.freeSpace(for: file) }

    func openForReading(_ path: String) throws(FileFailure) -> OpenFile { try system.openForReading(path) }
    func openForWriting(_ path: String, permissions: UInt16) throws(FileFailure) -> OpenFile {
        try system.openForWriting(path, permissions: permissions)
    }
    func close(_ file: OpenFile) { system.close(file) }
    func size(of file: OpenFile) throws(FileFailure) -> Int { try system.size(of: file) }
    func read(
        _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileFailure) -> Int { try system.read(file, into: buffer, at: offset) }
    func truncate(_ file: OpenFile, to size: Int) throws(FileFailure) { try system.truncate(file, to: size) }
    func setPermissions(_ file: OpenFile, to permissions: UInt16) throws(FileFailure) {
        try system.setPermissions(file, to: permissions)
    }
    func tryLock(_ file: OpenFile) throws(FileFailure) -> Bool { try system.tryLock(file) }
    func isFile(_ file: OpenFile, at path: String) -> Bool { system.isFile(file, at: path) }
    func renameWithoutReplacing(_ path: String, to newPath: String) throws(FileFailure) {
        try system.renameWithoutReplacing(path, to: newPath)
    }
    func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
    func kind(at path: String) -> FileKind? { system.kind(at: path) }
}
