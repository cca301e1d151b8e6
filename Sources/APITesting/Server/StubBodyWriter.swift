#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes the body of a ``StubResponse/stream(contentType:headers:_:)`` answer while the test goes on.
public struct StubBodyWriter: Sendable {
    /// The connection has ended, so that nothing can be written any more.
    public struct ConnectionEnded: Error, Sendable {}

    private let send: @Sendable ([UInt8]) async throws -> Void

    init(send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Writes bytes, in chunked coding as one chunk, and returns when the system has taken them all: a client that
    /// reads slowly holds the writer back. Nothing is written for no bytes.
    ///
    /// - Throws: ``ConnectionEnded``, or `CancellationError`.
    public func write(_ data: Data) async throws {
        try Task.checkCancellation()
        if !data.isEmpty { try await send([UInt8](data)) }
    }

    /// Writes text as UTF-8, in chunked coding as one chunk.
    ///
    /// - Throws: ``ConnectionEnded``, or `CancellationError`.
    public func write(_ text: String) async throws {
        try Task.checkCancellation()
        if !text.isEmpty { try await send(Array(text.utf8)) }
    }
}
