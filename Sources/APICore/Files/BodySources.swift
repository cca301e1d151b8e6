internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The most bytes given out at a time: large enough that the steps between do not count, small enough that many
/// transfers at once stay small.
let bodyChunkSize = 256 << 10

/// Gives out bytes in memory in pieces, so that progress can be told.
final class DataSource: RequestBodySource {
    private let rest: Mutex<Data>

    init(_ data: Data) {
        rest = Mutex(data)
    }

    func next() async throws -> Data? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let chunk = rest.prefix(bodyChunkSize)
            rest = rest.dropFirst(bodyChunkSize)
            return chunk
        }
    }
}

/// Reads a file, or a part of it, in pieces.
final class FileSource: RequestBodySource {
    private struct Place: Sendable {
        var file: OpenFile?
        var offset: Int
        /// `nil` reads to wherever the file ends.
        let end: Int?
    }

    private let path: String
    private let access: FileAccess
    private let place: Mutex<Place>

    init(path: String, range: Range<Int>?, access: FileAccess) {
        self.path = path
        self.access = access
        place = Mutex(Place(offset: range?.lowerBound ?? 0, end: range?.upperBound))
    }

    deinit {
        if let file = place.withLock({ $0.file }) { access.close(file) }
    }

    func next() async throws -> Data? {
        // One reader at a time, so nothing changes between here and there.
        let (known, offset, end) = place.withLock { ($0.file, $0.offset, $0.end) }
        let count = min(bodyChunkSize, (end ?? .max) - offset)
        guard count > 0 else { return nil }
        let path = path
        let step = try await access.run { (operations) throws(FileFailure) in
            let file: OpenFile
            if let known { file = known } else { file = try operations.openForReading(path) }
            do throws(FileFailure) {
                return (file: file, bytes: try operations.readBytes(file, count: count, at: offset))
            } catch {
                if known == nil { operations.close(file) }
                throw error
            }
        }
        place.withLock {
            $0.file = step.file
            $0.offset = offset + step.bytes.count
        }
        // What was announced must come: a file that became shorter cannot be sent.
        if end != nil, step.bytes.count < count { throw NetworkError.file(FileFailure(.changedWhileRead, path: path)) }
        return step.bytes.isEmpty ? nil : Data(step.bytes)
    }
}

/// Tells how many bytes a source has given out and were taken.
final class CountingSource: RequestBodySource {
    private let source: any RequestBodySource
    private let given = Mutex(0)
    private let report: @Sendable (_ bytes: Int) -> Void

    init(_ source: any RequestBodySource, report: @escaping @Sendable (_ bytes: Int) -> Void) {
        self.source = source
        self.report = report
    }

    func next() async throws -> Data? {
        // Who asks for more has taken what was given.
        let sum = given.withLock { $0 }
        if sum > 0 { report(sum) }
        let chunk = try await source.next()
        given.withLock { $0 += chunk?.count ?? 0 }
        return chunk
    }
}
