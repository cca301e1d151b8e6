#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a new process must know to go on with a download: kept in a small file beside the partial one.
struct DownloadState: Sendable, Hashable, Codable {
    /// Which bytes of the partial file are there.
    enum Layout: Sendable, Hashable, Codable {
        /// All up to the end of the file.
        case sequential
        /// Segments of equal size (the last may be shorter), and the numbers of those that are complete.
        case segments(size: Int, completed: Set<Int>)
    }

    /// Changes when the meaning of the file does.
    static let currentVersion = 1
    /// More than this is no state of ours.
    static let maximumFileSize = 4 << 20

    var version = DownloadState.currentVersion
    /// Which resource it is: a digest, so that no secret of a URL is on the disk.
    var identity: String
    var validator: StrongValidator
    var total: Int?
    var layout: Layout

    init(identity: String, validator: StrongValidator, total: Int?, layout: Layout = .sequential) {
        self.identity = identity
        self.validator = validator
        self.total = total
        self.layout = layout
    }

    /// Reads a state; `nil` when it is none, damaged, of another version, or of another resource.
    init?(_ bytes: [UInt8], identity: String) {
        guard bytes.count <= DownloadState.maximumFileSize,
            let state = try? JSONDecoder().decode(DownloadState.self, from: Data(bytes)),
            state.version == DownloadState.currentVersion, state.identity == identity,
            state.validator.ifRange.isHTTPFieldValue, 0...Int.maximumLength ~= state.total ?? 0
        else { return nil }
        if case .segments(let size, let completed) = state.layout {
            guard size > 0, let total = state.total, completed.allSatisfy({ $0 >= 0 && $0 <= (total - 1) / size })
            else { return nil }
        }
        self = state
    }

    func encoded() -> [UInt8] {
        (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? []
    }

    /// Bytes from the beginning without a gap, in a file of that size.
    func completePrefix(fileSize: Int) -> Int {
        switch layout {
        case .sequential:
            return min(fileSize, total ?? .max)
        case .segments(let size, let completed):
            var count = 0
            while completed.contains(count) { count += 1 }
            let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
            return min(overflow ? .max : bytes, total ?? 0, fileSize)
        }
    }

    /// The segments of the given size that are complete, in a file of that size.
    func completeSegments(size: Int, fileSize: Int) -> Set<Int> {
        if case .segments(size, let completed) = layout, total == fileSize { return completed }
        let prefix = completePrefix(fileSize: fileSize)
        var whole = prefix / size
        // The last segment may be shorter than the others.
        if let total, prefix == total, prefix % size > 0 { whole += 1 }
        return Set(0..<whole)
    }
}
