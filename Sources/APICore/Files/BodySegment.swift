#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A piece of a request body that is put together from several.
enum BodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// Bytes of a file. It must have them all when it is sent.
    case file(path: String, range: Range<Int>)
    /// A whole file whose length is not known yet.
    case wholeFile(path: String)
    /// Chunks that are made while they are sent.
    case stream(BodyStream)

    /// Bytes in it, where that is known.
    var length: Int? {
        switch self {
        case .bytes(let data): data.count
        case .file(_, let range): range.count
        case .wholeFile: nil
        case .stream(let stream): stream.length
        }
    }

    var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }

    /// Starts reading from its beginning.
    func makeSource(_ access: FileAccess) throws -> any RequestBodySource {
        switch self {
        case .bytes(let data): DataSource(data)
        case .file(let path, let range): FileSource(path: path, range: range, access: access)
        case .wholeFile(let path): FileSource(path: path, range: nil, access: access)
        case .stream(let stream): try stream.makeSource()
        }
    }
}

extension BodyStream {
    /// Segments one after the other.
    init(_ segments: [BodySegment], access: FileAccess = .system) {
        var length: Int? = 0
        for segment in segments {
            // Sums that overflow are lengths nobody can send.
            length = length.flatMap { sum in
                segment.length.flatMap { part in
                    let (result, overflow) = sum.addingReportingOverflow(part)
                    return overflow ? nil : result
                }
            }
        }
        self.init(length: length, isReplayable: segments.allSatisfy(\.isReplayable)) {
            SegmentedSource(segments, access: access)
        }
    }
}

/// Reads segments one after the other. The actor is what makes the place in them safe to keep.
actor SegmentedSource: RequestBodySource {
    private var waiting: ArraySlice<BodySegment>
    private var current: (any RequestBodySource)?
    private let access: FileAccess

    init(_ segments: [BodySegment], access: FileAccess) {
        waiting = segments[...]
        self.access = access
    }

    func next() async throws -> Data? {
        while true {
            if let source = current {
                if let chunk = try await source.next() {
                    if chunk.isEmpty { continue }
                    return chunk
                }
                current = nil
            } else if let segment = waiting.popFirst() {
                current = try segment.makeSource(access)
            } else {
                return nil
            }
        }
    }
}
