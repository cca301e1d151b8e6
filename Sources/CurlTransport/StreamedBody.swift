internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A response body between the loop that receives it and the task that reads it.
///
/// Everything that has come since the last read is one chunk. When more than the buffer's size has come, libcurl is
/// paused, and the server slowed down by TCP or HTTP/2 flow control, until the reader takes it.
final class StreamedBody: ResponseBodySource {
    enum Reception: Sendable {
        case taken
        /// The buffer is full; the bytes were not taken.
        case full
        /// Nobody will read them.
        case unwanted
    }

    private enum End {
        case complete
        case failed(NetworkError)
    }

    private typealias Reader = UnsafeContinuation<Result<Data?, NetworkError>, Never>

    private struct State: ~Copyable {
        var buffer = BodyBuffer()
        var isPaused = false
        var end: End?
        var reader: Reader?
        var trailers: HTTPHeaders = [:]
        /// Nobody will read.
        var isAbandoned = false
    }

    private let state = Lock(State())
    private let exchange: CurlExchange
    private let capacity: Int

    init(exchange: CurlExchange, capacity: Int) {
        self.exchange = exchange
        self.capacity = max(capacity, 1)
    }

    // The loop's side.

    /// Takes bytes. They reach a waiting reader with ``flush()``, all of a batch at once.
    func receive(_ bytes: UnsafeRawPointer, count: Int) -> Reception {
        state.withLock { state in
            guard state.end == nil else { return .unwanted }
            guard state.buffer.count < capacity else {
                state.isPaused = true
                return .full
            }
            return state.buffer.append(bytes, count: count) ? .taken : .unwanted
        }
    }

    /// Gives a waiting reader what has come. Whether libcurl may go on.
    func flush() -> Bool {
        let (reader, data, resumes) = state.withLock { state -> (Reader?, Data?, Bool) in
            guard state.reader != nil, state.buffer.count > 0 else { return (nil, nil, false) }
            defer { state.isPaused = false }
            return (state.reader.take(), state.buffer.take(), state.isPaused)
        }
        if let data { reader?.resume(returning: .success(data)) }
        return resumes
    }

    /// The body is complete, or broke.
    func finish(_ error: NetworkError?, trailers: HTTPHeaders) {
        let (reader, result) = state.withLock { state -> (Reader?, Result<Data?, NetworkError>) in
            guard state.end == nil else { return (nil, .success(nil)) }
            state.end = error.map { .failed($0) } ?? .complete
            state.trailers = trailers
            // Without a reader the bytes stay for the next read.
            guard let reader = state.reader.take() else { return (nil, .success(nil)) }
            if state.buffer.count > 0 { return (reader, .success(state.buffer.take())) }
            return (reader, error.map { .failure($0) } ?? .success(nil))
        }
        reader?.resume(returning: result)
    }

    // The reader's side.

    private enum Taken {
        case result(Result<Data?, NetworkError>, resumes: Bool)
        case nothing
    }

    private static func take(_ state: inout State) -> Taken {
        if state.isAbandoned { return .result(.failure(.cancelled), resumes: false) }
        if state.buffer.count > 0 {
            let resumes = state.isPaused && state.end == nil
            state.isPaused = false
            return .result(.success(state.buffer.take()), resumes: resumes)
        }
        switch state.end {
        case .complete: return .result(.success(nil), resumes: false)
        case .failed(let error): return .result(.failure(error), resumes: false)
        case nil: return .nothing
        }
    }

    func next() async throws(NetworkError) -> Data? {
        if Task.isCancelled { cancel() }
        if case .result(let result, let resumes) = state.withLock({ StreamedBody.take(&$0) }) {
            if resumes { exchange.loop.post(.resumeReceiving(exchange)) }
            return try result.get()
        }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: Reader) in
                let taken = state.withLock { state -> Taken in
                    let taken = StreamedBody.take(&state)
                    if case .nothing = taken { state.reader = reader }
                    return taken
                }
                if case .result(let result, let resumes) = taken {
                    if resumes { exchange.loop.post(.resumeReceiving(exchange)) }
                    reader.resume(returning: result)
                }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func cancel() {
        let (reader, isRunning) = state.withLock { state -> (Reader?, Bool) in
            let isRunning = state.end == nil
            if isRunning { state.end = .failed(.cancelled) }
            state.isAbandoned = true
            state.buffer.removeAll()
            return (state.reader.take(), isRunning)
        }
        reader?.resume(returning: .failure(.cancelled))
        if isRunning { exchange.loop.post(.cancel(exchange)) }
    }

    var trailers: HTTPHeaders { state.withLock { $0.trailers } }
}
