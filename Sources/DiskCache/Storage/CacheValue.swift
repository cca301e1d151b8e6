#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is kept under a key: a few bytes about the value, and the value itself.
public struct CacheValue: Sendable {
    /// A small description of the body (for an HTTP response its status and headers), replaceable on its own with
    /// ``CacheStorage/replaceMetadata(for:from:to:)``.
    public var metadata: Data

    /// The value's bytes, at hand or to be read piece by piece.
    public var body: CacheBody

    /// A value whose bytes are at hand.
    public init(metadata: Data = Data(), body: Data) {
        self.metadata = metadata
        self.body = .bytes(body)
    }

    /// A value whose bytes are at hand or come from a reader.
    public init(metadata: Data, body: CacheBody) {
        self.metadata = metadata
        self.body = body
    }
}

/// The bytes of a cached value.
public enum CacheBody: Sendable {
    /// All of them, checked.
    case bytes(Data)

    /// A reader that hands them over piece by piece, each piece checked before it is handed over.
    case stream(any CacheReader)

    /// The length of the body in bytes.
    public var count: Int {
        switch self {
        case .bytes(let data): data.count
        case .stream(let reader): reader.bodyLength
        }
    }

    /// All bytes of the body, or `nil` when a piece of it turned out to be damaged or unreadable.
    ///
    /// A stream is read from where it stands, so ask once.
    public func collect() async -> Data? {
        switch self {
        case .bytes(let data):
            return data
        case .stream(let reader):
            var data = Data()
            data.reserveCapacity(reader.bodyLength)
            do {
                while let piece = try await reader.read() { data.append(piece) }
            } catch {
                return nil
            }
            return data
        }
    }
}
