#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Hands over the body of one cached value piece by piece.
///
/// What it reads is the value as it was when the reader was made: replacing, removing or evicting the entry meanwhile
/// does not disturb it.
public protocol CacheReader: Sendable {
    /// The length of the whole body in bytes.
    var bodyLength: Int { get }

    /// The next bytes of the body, or `nil` at its end. Every byte returned has passed its checksum.
    ///
    /// - Throws: ``CacheReadError`` when the next bytes are damaged or cannot be read. The entry is then gone.
    func read() async throws(CacheReadError) -> Data?
}

/// Why the rest of a cached body could not be read.
public enum CacheReadError: Error, Equatable, Sendable {
    /// The bytes do not match their checksum, or the file ends too early.
    case corrupt

    /// The system refused to read; the value is the `errno`.
    case system(Int32)
}
