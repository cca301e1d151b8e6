internal import DiskCache
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Hands a body on as it arrives, and stores it on the way. Only a body that ended as it should is stored.
actor StoringBodySource: ResponseBodySource {
    private nonisolated let body: HTTPResponseBody
    private nonisolated let isCancelled = Atomic(false)
    private let limit: Int
    private var iterator: HTTPResponseBody.AsyncIterator
    /// `nil` once the body cannot be stored any more, or is. With its last reference goes what it has written.
    private var writer: (any CacheWriter)?
    private var count = 0

    init(_ body: HTTPResponseBody, writer: any CacheWriter, limit: Int) {
        self.body = body
        self.limit = limit
        self.writer = writer
        iterator = body.makeAsyncIterator()
    }

    nonisolated var trailers: HTTPHeaders { body.trailers }

    func next() async throws(NetworkError) -> Data? {
        // One reader at a time, so this copy is the only one in use.
        var reading = iterator
        let chunk: Data?
        do {
            chunk = try await reading.next(isolation: self)
        } catch {
            await giveUp()
            throw error
        }
        iterator = reading
        guard let chunk else {
            // The end after a cancellation is not the end of the body.
            if isCancelled.load(ordering: .acquiring) {
                await giveUp()
            } else {
                let finished = writer.take()
                await finished?.commit()
            }
            return nil
        }
        count += chunk.count
        if let writer {
            let isStored = count <= limit ? await writer.write(chunk) : false
            if !isStored { await giveUp() }
        }
        return chunk
    }

    nonisolated func cancel() {
        isCancelled.store(true, ordering: .releasing)
        body.cancel()
    }

    private func giveUp() async {
        let abandoned = writer.take()
        await abandoned?.cancel()
    }
}
