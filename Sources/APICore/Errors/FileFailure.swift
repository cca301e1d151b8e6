#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file could not be read or written, or what was downloaded is not what was expected.
///
/// Whatever the kind, the file a download was meant for is as it was before.
public struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The disk or the user's quota is full.
        case diskFull
        /// The file would be larger than the file system or the process's limit allows.
        case fileTooLarge
        /// No permission, or a file system that is mounted read-only.
        case notPermitted
        /// The file, or the folder it is to go into, does not exist.
        case notFound
        /// There is a file of that name already, and it was not to be replaced.
        case alreadyExists
        /// What is at that path is a folder, or something else that is no regular file.
        case notAFile
        /// Another transfer writes to the same file at this moment.
        case inUse
        /// The server's length is not the expected one.
        case unexpectedLength(expected: Int, actual: Int)
        /// The SHA-256 of what came is not the expected one. Both are in hexadecimal.
        case checksumMismatch(expected: String, actual: String)
        /// A file that was being sent became shorter meanwhile.
        case changedWhileRead
        /// Anything else the system reports.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The file.
    public let path: String
    /// The system's error number, if it was the system that failed.
    public let code: Int32?
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ kind: Kind, path: String, code: Int32? = nil, request: RequestSummary? = nil) {
        self.kind = kind
        self.path = path
        self.code = code
        self.request = request
    }

    /// Makes the error of a system call from its `errno`.
    init(code: Int32, path: String) {
        let kind: Kind =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EFBIG: .fileTooLarge
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .alreadyExists
            case EISDIR: .notAFile
            case EWOULDBLOCK: .inUse
            default: .other
            }
        self.init(kind, path: path, code: code)
    }

    /// The request, the file, and what failed.
    public var description: String {
        let what =
            switch kind {
            case .diskFull: "the disk is full"
            case .fileTooLarge: "the file would be too large"
            case .notPermitted: "no permission"
            case .notFound: "no such file or folder"
            case .alreadyExists: "the file exists already"
            case .notAFile: "it is not a regular file"
            case .inUse: "another transfer writes to it"
            case .unexpectedLength(let expected, let actual): "expected \(expected) bytes, the server has \(actual)"
            case .checksumMismatch(let expected, let actual): "expected the SHA-256 \(expected), got \(actual)"
            case .changedWhileRead: "it became shorter while it was being sent"
            case .other: "the system failed"
            }
        let cause = code.map { " (\(String(cString: strerror($0))))" } ?? ""
        return request.prefixing("\(path): \(what)\(cause)")
    }
}
