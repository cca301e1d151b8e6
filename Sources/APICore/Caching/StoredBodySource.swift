internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Hands over a stored body, or a range of it, piece by piece.
final class StoredBodySource: ResponseBodySource {
    private struct Position {
        /// Bytes still to be left out.
        var skip: Int
        /// Bytes still to be handed over.
        var rest: Int
    }

    private let reader: any CacheReader
    private let position: Locked<Position>

    init(_ reader: any CacheReader, range: Range<Int>) {
        self.reader = reader
        position = Locked(Position(skip: range.lowerBound, rest: range.count))
    }

    func next() async throws(NetworkError) -> Data? {
        while position.withLock({ $0.rest > 0 }) {
            if Task.isCancelled { throw .cancelled }
            let piece: Data?
            do {
                piece = try await reader.read()
            } catch {
                throw .truncated(TruncatedBody(received: received, expected: reader.bodyLength))
            }
            guard let piece else { throw .truncated(TruncatedBody(received: received, expected: reader.bodyLength)) }
            let wanted = position.withLock { position -> Data in
                let skipped = min(position.skip, piece.count)
                let wanted = piece.dropFirst(skipped).prefix(position.rest)
                position.skip -= skipped
                position.rest -= wanted.count
                return wanted
            }
            if !wanted.isEmpty { return wanted }
        }
        return nil
    }

    func cancel() {
        position.withLock { $0.rest = 0 }
    }

    private var received: Int { reader.bodyLength - position.withLock { $0.rest } }
}
