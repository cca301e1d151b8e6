#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches a file from its beginning to its end over one connection at a time, going on where the one before stopped.
struct SequentialDownload {
    let download: FileDownload
    /// A response to a request for everything that was sent already.
    var firstResponse: HTTPResponse?

    private var hasBegun = false
    private var restarts = 0
    /// More than these, and the server's copy changes faster than it can be fetched.
    private static let maximumRestarts = 3

    init(download: FileDownload, firstResponse: HTTPResponse? = nil) {
        self.download = download
        self.firstResponse = firstResponse
    }

    mutating func run(_ progress: inout DownloadProgress) async throws(NetworkError) -> ResponseHead {
        var failures = 0
        try await prepare(&progress)
        while true {
            let before = progress.length
            do throws(NetworkError) {
                if let head = try await attempt(&progress) { return head }
            } catch {
                // Bytes that are not kept are no progress: a server that breaks off each time must come to an end.
                if progress.state != nil, progress.length > before { failures = 0 }
                guard download.isTransient(error, hasBegun: hasBegun) else { throw error }
                try await download.wait(afterFailures: failures, error: error)
                failures += 1
            }
        }
    }

    /// Makes what is there a file without gaps.
    private func prepare(_ progress: inout DownloadProgress) async throws(NetworkError) {
        guard progress.fileSize > 0 || progress.state != nil else { return }
        guard var state = progress.state, progress.length > 0 else { return try await progress.reset() }
        // One byte is fetched again of a file that is all there: the answer tells whether it is still the same.
        if let total = state.total, progress.length >= total { progress.length = total - 1 }
        guard progress.length > 0 else { return try await progress.reset() }
        if progress.length < progress.fileSize {
            try await progress.partial.resize(to: progress.length)
            progress.fileSize = progress.length
        }
        if state.layout != .sequential {
            state.layout = .sequential
            try await progress.partial.save(state)
            progress.state = state
        }
        progress.resumedBytes = progress.length
    }

    /// One request and its body.
    ///
    /// - Returns: The head when the file is complete; `nil` to ask again.
    private mutating func attempt(_ progress: inout DownloadProgress) async throws(NetworkError) -> ResponseHead? {
        if progress.state == nil, progress.fileSize > 0 { try await progress.reset() }
        let requested = progress.length > 0 ? progress.length..<Int.max : nil
        let validator = progress.state?.validator
        let response: HTTPResponse
        do throws(NetworkError) {
            if let first = firstResponse.take() {
                response = first
            } else {
                response = try await download.connect(download.headers(range: requested, validator: validator))
            }
        } catch  where error.status == .rangeNotSatisfiable && requested != nil {
            try await restart(&progress)
            return nil
        }
        let decision = DownloadDecision(
            response.head, requested: requested, validator: validator, knownTotal: progress.state?.total)
        switch decision {
        case .append(let total):
            progress.state?.total = total
        case .startOver(let total):
            if requested != nil { try await restart(&progress) }
            try await begin(response.head, total: total, &progress)
        case .askAgain:
            response.body.cancel()
            try await restart(&progress)
            return nil
        case .fail(let error):
            response.body.cancel()
            throw error
        }
        hasBegun = true
        try await receive(response, &progress)
        return response.head
    }

    private mutating func restart(_ progress: inout DownloadProgress) async throws(NetworkError) {
        restarts += 1
        guard restarts <= Self.maximumRestarts else {
            throw .invalidResponse(InvalidResponse("the server's copy changes each time it is asked for"))
        }
        try await progress.reset()
        download.reporter.update(0)
    }

    private func begin(
        _ head: ResponseHead, total: Int?, _ progress: inout DownloadProgress
    ) async throws(NetworkError) {
        guard let identity = download.identity, let validator = head.resumableValidator else { return }
        let state = DownloadState(identity: identity, validator: validator, total: total)
        try await progress.partial.save(state)
        progress.state = state
    }

    private func receive(_ response: HTTPResponse, _ progress: inout DownloadProgress) async throws(NetworkError) {
        let total = progress.state?.total ?? response.totalLength(from: progress.length)
        try download.checkLength(total)
        if let total { try await progress.partial.requireSpace(total - progress.length) }
        download.reporter.setTotal(total)
        let limit = total ?? download.options.expectedLength ?? .max
        var buffer = ChunkBuffer()
        var received = progress.length
        do throws(NetworkError) {
            for try await chunk in response.body {
                guard chunk.count <= limit - received else {
                    try download.checkLength(total == nil ? received + chunk.count : nil)
                    throw .invalidResponse(InvalidResponse("more bytes came than the \(limit) that were announced"))
                }
                received += chunk.count
                if let full = buffer.append(chunk) { try await write(full, &progress) }
                download.reporter.update(received)
            }
        } catch {
            // What has come is worth keeping; the error that ended it is worth more than one on the way there.
            if let rest = buffer.take() { try? await write(rest, &progress) }
            throw error
        }
        if let rest = buffer.take() { try await write(rest, &progress) }
        if let total, progress.length < total {
            throw .truncated(TruncatedBody(received: progress.length, expected: total))
        }
        download.reporter.update(progress.length, isLast: true)
    }

    private func write(_ bytes: Data, _ progress: inout DownloadProgress) async throws(NetworkError) {
        progress.digest = try await progress.partial.write(bytes, at: progress.length, digest: progress.digest)
        progress.length += bytes.count
        progress.fileSize = progress.length
    }
}

extension HTTPResponse {
    /// The length of the whole resource, when the response says it.
    fileprivate func totalLength(from offset: Int) -> Int? {
        if status == .partialContent { return headers[.contentRange].flatMap { ContentRange($0) }?.total }
        return head.isUnencoded ? headers[.contentLength].flatMap { Int(digits: $0) } : nil
    }
}

/// Gathers small chunks, so that a write is worth its way to another thread.
struct ChunkBuffer: Sendable {
    private var bytes = Data()

    /// Adds a chunk.
    ///
    /// - Returns: All bytes when there are enough to be written.
    mutating func append(_ chunk: Data) -> Data? {
        if bytes.isEmpty { bytes = chunk } else { bytes.append(chunk) }
        return bytes.count >= bodyChunkSize ? take() : nil
    }

    /// What is there, if anything.
    mutating func take() -> Data? {
        guard !bytes.isEmpty else { return nil }
        defer { bytes = Data() }
        return bytes
    }
}
