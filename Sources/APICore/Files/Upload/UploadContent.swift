#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Bytes that can be sent from any place in them.
public enum UploadContent: Sendable {
    /// Bytes in memory.
    case data(Data)
    /// A file, read while it is sent.
    case file(String)

    /// Bytes altogether.
    func length(_ access: FileAccess) async throws(NetworkError) -> Int {
        switch self {
        case .data(let data): data.count
        case .file(let path): try await access.size(of: path)
        }
    }

    /// A part of the bytes.
    func segment(_ range: Range<Int>) -> BodySegment {
        switch self {
        case .data(let data): .bytes(data.dropFirst(range.lowerBound).prefix(range.count))
        case .file(let path): .file(path: path, range: range)
        }
    }
}

extension FileAccess {
    /// The length of a regular file.
    func size(of path: String) async throws(NetworkError) -> Int {
        try await run { (operations) throws(FileFailure) in
            let file = try operations.openForReading(path)
            defer { operations.close(file) }
            return try operations.size(of: file)
        }
    }
}
