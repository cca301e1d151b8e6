#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches parts of a file, one after the other, until none is left. Several of these run at the same time.
struct SegmentFetch: Sendable {
    /// What came of it.
    enum Outcome: Sendable {
        /// No part is left.
        case complete
        /// The server's copy is not the one the parts are of.
        case changed
        /// A part could not be fetched.
        case failed(NetworkError)
    }

    let download: FileDownload
    let ledger: SegmentLedger

    /// - Parameter first: A part that was asked for already.
    func run(first: (segment: Int, response: HTTPResponse)?) async -> Outcome {
        do throws(NetworkError) {
            if let first {
                guard try await fetch(first.segment, response: first.response) else { return .changed }
            }
            while let segment = await ledger.next() {
                guard try await fetch(segment, response: nil) else { return .changed }
            }
            return .complete
        } catch {
            return .failed(error)
        }
    }

    /// - Returns: Whether the part is there; not when the server's copy changed.
    private func fetch(_ segment: Int, response: HTTPResponse?) async throws(NetworkError) -> Bool {
        var response = response
        var range = ledger.range(of: segment)
        var failures = 0
        while !range.isEmpty {
            let before = range.lowerBound
            do throws(NetworkError) {
                let answer: HTTPResponse
                if let first = response.take() {
                    answer = first
                } else {
                    answer = try await download.connect(download.headers(range: range, validator: ledger.validator))
                    let decision = DownloadDecision(
                        answer.head, requested: range, validator: ledger.validator, knownTotal: ledger.total)
                    switch decision {
                    case .append: break
                    case .startOver, .askAgain:
                        answer.body.cancel()
                        return false
                    case .fail(let error):
                        answer.body.cancel()
                        throw error
                    }
                }
                try await receive(answer, into: &range)
            } catch  where error.status == .rangeNotSatisfiable {
                return false
            } catch {
                if range.lowerBound > before { failures = 0 }
                guard download.isTransient(error, hasBegun: true) else { throw error }
                try await download.wait(afterFailures: failures, error: error)
                failures += 1
            }
        }
        try await ledger.complete(segment)
        return true
    }

    private func receive(_ response: HTTPResponse, into range: inout Range<Int>) async throws(NetworkError) {
        var buffer = ChunkBuffer()
        var received = range.lowerBound
        do throws(NetworkError) {
            for try await chunk in response.body {
                guard chunk.count <= range.upperBound - received else {
                    throw .invalidResponse(InvalidResponse("more bytes came than were asked for"))
                }
                received += chunk.count
                if let full = buffer.append(chunk) { try await write(full, &range) }
            }
        } catch {
            if let rest = buffer.take() { try? await write(rest, &range) }
            throw error
        }
        if let rest = buffer.take() { try await write(rest, &range) }
        if !range.isEmpty {
            throw .truncated(TruncatedBody(received: range.lowerBound, expected: range.upperBound))
        }
    }

    private func write(_ bytes: Data, _ range: inout Range<Int>) async throws(NetworkError) {
        _ = try await ledger.partial.write(bytes, at: range.lowerBound)
        range = (range.lowerBound + bytes.count)..<range.upperBound
        await ledger.received(bytes.count)
    }
}

/// Knows which parts of a file are there, which are being fetched, and which are left.
actor SegmentLedger {
    nonisolated let partial: PartialFile
    nonisolated let validator: StrongValidator
    nonisolated let total: Int
    nonisolated private let size: Int
    nonisolated private let reporter: ProgressReporter
    nonisolated private let isSynchronized: Bool

    private(set) var state: DownloadState
    private var completed: Set<Int>
    private var nextSegment = 0
    private var bytes: Int
    private var isSaving = false
    private var hasUnsaved = false

    /// - Parameter first: A part that somebody fetches already.
    init(
        state: DownloadState, partial: PartialFile, reporter: ProgressReporter, isSynchronized: Bool,
        startingWith first: Int
    ) {
        self.partial = partial
        self.reporter = reporter
        self.isSynchronized = isSynchronized
        self.state = state
        validator = state.validator
        total = state.total ?? 0
        if case .segments(let size, let completed) = state.layout {
            self.size = size
            self.completed = completed
        } else {
            size = max(total, 1)
            completed = []
        }
        let (total, size) = (total, size)
        bytes = completed.reduce(0) { $0 + min(size, total - $1 * size) }
        taken = completed.union([first])
    }

    private var taken: Set<Int>

    nonisolated func range(of segment: Int) -> Range<Int> {
        let start = min(segment * size, total)
        return start..<min(start + size, total)
    }

    /// A part that nobody fetches yet, or `nil` when there is none.
    func next() -> Int? {
        while nextSegment * size < total {
            defer { nextSegment += 1 }
            if taken.insert(nextSegment).inserted { return nextSegment }
        }
        return nil
    }

    func received(_ count: Int) {
        bytes += count
        reporter.update(bytes, isLast: bytes == total)
    }

    /// Notes that a part is there, on the disk as well.
    func complete(_ segment: Int) async throws(NetworkError) {
        completed.insert(segment)
        hasUnsaved = true
        // One save at a time. What is completed meanwhile goes into the next.
        guard !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        while hasUnsaved {
            hasUnsaved = false
            state.layout = .segments(size: size, completed: completed)
            try await partial.save(state, synchronized: isSynchronized)
        }
    }
}
