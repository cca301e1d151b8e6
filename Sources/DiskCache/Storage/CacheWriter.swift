#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Takes the body of one value piece by piece; nothing is visible to readers before ``commit()``.
///
/// Write from one task at a time. A writer that is dropped without a commit leaves nothing behind.
public protocol CacheWriter: Sendable {
    /// Adds bytes to the body.
    ///
    /// - Returns: `false` when the value cannot be stored any more (disk full, too large, folder gone). Everything
    ///   after that is ignored and ``commit()`` returns `false`; whoever passes a body on to somebody else just goes on.
    @discardableResult
    func write(_ bytes: Data) async -> Bool

    /// Makes the value visible under its key, in place of what was there.
    ///
    /// - Returns: Whether the value is stored. Not when a write failed, nor when the key was removed after the writer
    ///   was made: a removal also covers what was under way.
    @discardableResult
    func commit() async -> Bool

    /// Throws away what was written.
    func cancel() async
}
