internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches a file in parts, several at the same time.
struct ParallelDownload: Sendable {
    /// What came of it.
    enum Outcome: Sendable {
        /// Everything is there.
        case complete(ResponseHead)
        /// The server does not do ranges, or does not say for certain what they are of. A response to a request for
        /// everything may be there already.
        case notPossible(HTTPResponse?)
    }

    let download: FileDownload
    let identity: String

    private var segmentSize: Int { min(max(download.options.segmentSize, 64 << 10), 1 << 40) }

    func run(_ progress: inout DownloadProgress) async throws(NetworkError) -> Outcome {
        // A copy that changes while it is fetched is fetched anew; one that changes each time is not fetched in parts.
        for _ in 0..<2 {
            let size = segmentSize
            let present = progress.state?.completeSegments(size: size, fileSize: progress.fileSize) ?? []
            let total = progress.state?.total
            var first = 0
            while present.contains(first) { first += 1 }
            // All there: the last part is fetched again, to know whether it is still the same.
            if let total, first * size >= total { first = max((total - 1) / size, 0) }
            let start = first * size
            let requested = start..<min(start + size, total ?? .max)
            guard !requested.isEmpty else { return .notPossible(nil) }
            let validator = progress.state?.validator
            let response: HTTPResponse
            do throws(NetworkError) {
                response = try await download.connect(download.headers(range: requested, validator: validator))
            } catch  where error.status == .rangeNotSatisfiable {
                return .notPossible(nil)
            }
            let decision = DownloadDecision(
                response.head, requested: requested, validator: validator, knownTotal: total)
            switch decision {
            case .append(.some(let total)):
                guard let strong = response.head.resumableValidator ?? validator else {
                    response.body.cancel()
                    return .notPossible(nil)
                }
                try download.checkLength(total)
                let state = DownloadState(
                    identity: identity, validator: strong, total: total,
                    layout: .segments(size: size, completed: present.subtracting([first])))
                if try await fetchSegments(state, firstSegment: first, response, &progress) {
                    return .complete(response.head)
                }
                try await progress.reset()
            case .startOver:
                try await progress.reset()
                return .notPossible(response)
            case .append(nil), .askAgain:
                response.body.cancel()
                try await progress.reset()
                return .notPossible(nil)
            case .fail(let error):
                response.body.cancel()
                throw error
            }
        }
        return .notPossible(nil)
    }

    /// - Returns: Whether everything is there; not when the server's copy changed meanwhile.
    private func fetchSegments(
        _ state: DownloadState, firstSegment: Int, _ response: HTTPResponse, _ progress: inout DownloadProgress
    ) async throws(NetworkError) -> Bool {
        guard case .segments(let size, let completed) = state.layout, let total = state.total else { return false }
        if progress.fileSize < total { try await progress.partial.requireSpace(total - progress.fileSize) }
        // The state first: a file that is longer than what has come must not be taken for a sequential one.
        try await progress.partial.save(state)
        progress.state = state
        try await progress.partial.resize(to: total)
        progress.fileSize = total
        progress.resumedBytes = completed.reduce(0) { $0 + min(size, total - $1 * size) }
        download.reporter.setTotal(total)

        let ledger = SegmentLedger(
            state: state, partial: progress.partial, reporter: download.reporter,
            isSynchronized: download.options.isSynchronized, startingWith: firstSegment)
        let outcome = await fetchAll(ledger, firstSegment: firstSegment, response)
        progress.state = await ledger.state
        switch outcome {
        case .complete:
            progress.length = total
            return true
        case .changed:
            return false
        case .failed(let error):
            throw error
        }
    }

    private func fetchAll(
        _ ledger: SegmentLedger, firstSegment: Int, _ response: HTTPResponse
    ) async -> SegmentFetch.Outcome {
        let fetch = SegmentFetch(download: download, ledger: ledger)
        return await withTaskGroup(of: SegmentFetch.Outcome.self) { group in
            group.addTask { await fetch.run(first: (firstSegment, response)) }
            for _ in 1..<max(download.options.connections, 2) {
                group.addTask { await fetch.run(first: nil) }
            }
            var result = SegmentFetch.Outcome.complete
            for await outcome in group {
                // The first thing that went wrong is the reason; the others were cancelled because of it.
                guard case .complete = result else { continue }
                result = outcome
                if case .complete = outcome { continue }
                group.cancelAll()
            }
            return result
        }
    }
}
