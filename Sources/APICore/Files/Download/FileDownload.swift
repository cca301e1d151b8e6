internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One download to a file, from the first request to the file in its place.
struct FileDownload: Sendable {
    /// Sends the request with header fields laid over its own.
    let connect: @Sendable (HTTPHeaders) async throws(NetworkError) -> HTTPResponse
    let target: String
    let options: DownloadOptions
    /// Tells resources apart; `nil` when the download cannot be resumed.
    let identity: String?
    let access: FileAccess
    let time: TimeSource
    let reporter: ProgressReporter

    func run() async throws(NetworkError) -> DownloadedFile {
        if let sha256 = options.sha256 {
            guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ $0.hexDigitValue != nil }) else {
                throw .invalidRequest(InvalidRequest(.other("a SHA-256 has 64 hexadecimal digits")))
            }
        }
        let opened = try await PartialFile.open(target: target, options: options, access: access)
        let state = identity.flatMap { DownloadState(opened.state, identity: $0) }
        var progress = DownloadProgress(
            partial: opened.file, state: state, fileSize: opened.length,
            digest: options.sha256 == nil ? nil : FileDigest())
        do throws(NetworkError) {
            let head = try await fetch(&progress)
            let sha256 = try await verify(progress)
            try await progress.partial.commit(length: progress.length, options: options)
            return DownloadedFile(
                path: target, length: progress.length, sha256: sha256, resumedBytes: progress.resumedBytes, head: head)
        } catch {
            await progress.partial.abandon(keeping: progress.isResumable && keepsPartialFile(after: error))
            throw error
        }
    }

    private func fetch(_ progress: inout DownloadProgress) async throws(NetworkError) -> ResponseHead {
        if options.connections > 1, let identity {
            let parallel = ParallelDownload(download: self, identity: identity)
            switch try await parallel.run(&progress) {
            case .complete(let head): return head
            case .notPossible(let response):
                var sequential = SequentialDownload(download: self, firstResponse: response)
                return try await sequential.run(&progress)
            }
        }
        var sequential = SequentialDownload(download: self)
        return try await sequential.run(&progress)
    }

    private func verify(_ progress: DownloadProgress) async throws(NetworkError) -> String? {
        try checkLength(progress.length)
        guard let expected = options.sha256?.lowercased(), let digest = progress.digest else { return nil }
        let actual = try await progress.partial.finish(digest, length: progress.length)
        guard actual == expected else {
            throw .file(FileFailure(.checksumMismatch(expected: expected, actual: actual), path: target))
        }
        return actual
    }

    /// Fails when the length, known beforehand or at the end, is not the expected one.
    func checkLength(_ length: Int?) throws(NetworkError) {
        guard let expected = options.expectedLength, let length, length != expected else { return }
        throw .file(FileFailure(.unexpectedLength(expected: expected, actual: length), path: target))
    }

    /// The range and the condition under which it is wanted.
    func headers(range: Range<Int>?, validator: StrongValidator?) -> HTTPHeaders {
        // Offsets count the resource's own bytes, not those of a compressed form.
        var headers: HTTPHeaders = [.acceptEncoding: "identity"]
        if let range {
            headers[.range] = "bytes=\(range.lowerBound)-" + (range.upperBound == .max ? "" : "\(range.upperBound - 1)")
            if let validator { headers[.ifRange] = validator.ifRange }
        }
        return headers
    }

    /// Whether another attempt may help.
    func isTransient(_ error: NetworkError, hasBegun: Bool) -> Bool {
        if case .api(let answer) = error {
            return hasBegun && options.reconnection.retriedStatuses.contains(answer.status)
        }
        return error.isLostConnection
    }

    /// Waits before another attempt, or throws the error when there were enough.
    func wait(afterFailures failures: Int, error: NetworkError) async throws(NetworkError) {
        if let limit = options.reconnection.maximumAttempts, failures >= limit { throw error }
        var delay = options.reconnection.delay(afterFailures: failures, serverDelay: nil)
        if let asked = error.apiError?.retryAfter(now: time.date()) { delay = max(delay, asked) }
        do {
            try await time.sleep(delay)
        } catch {
            throw .cancelled
        }
    }

    /// What is wrong with the bytes or the disk does not get better by keeping them.
    private func keepsPartialFile(after error: NetworkError) -> Bool {
        if case .file = error { false } else { true }
    }
}

/// How far a download has come, in memory and on the disk.
struct DownloadProgress: Sendable {
    let partial: PartialFile
    /// What the state file says; `nil` when there is none, and the download cannot be resumed.
    var state: DownloadState?
    /// Bytes without a gap from the beginning.
    var length: Int
    /// The length of the partial file, which has gaps when it is fetched in parts.
    var fileSize: Int
    /// Bytes that were there before this download and were not fetched again.
    var resumedBytes = 0
    /// What is digested so far, if a digest is wanted.
    var digest: FileDigest?

    init(partial: PartialFile, state: DownloadState?, fileSize: Int, digest: FileDigest?) {
        self.partial = partial
        self.state = state
        self.fileSize = fileSize
        self.digest = digest
        length = state?.completePrefix(fileSize: fileSize) ?? 0
    }

    /// Whether there is something worth keeping.
    var isResumable: Bool {
        guard let state else { return false }
        if case .segments(_, let completed) = state.layout { return !completed.isEmpty }
        return length > 0
    }

    /// Forgets all there is.
    mutating func reset() async throws(NetworkError) {
        try await partial.resize(to: 0)
        try await partial.save(nil)
        state = nil
        length = 0
        fileSize = 0
        resumedBytes = 0
        if digest != nil { digest = FileDigest() }
    }
}
