internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Carries chunks from the task that makes them to the loop that sends them, one at a time: the task waits until the
/// connection has taken what it made.
final class UploadPump: Sendable {
    private struct State {
        var chunk = Data()
        var offset = 0
        var sent = 0
        var isEnded = false
        var failure: NetworkError?
        var trailers: [String] = []
        /// libcurl waits for more.
        var isPaused = false
        var isStopped = false
        /// The task waits until its chunk is taken.
        var maker: UnsafeContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// The trailer fields as lines, once the body has ended.
    var trailerLines: [String] { state.withLock { $0.trailers } }

    /// Whether nothing has been sent yet.
    var isAtStart: Bool { state.withLock { $0.sent == 0 } }

    /// Starts to make chunks.
    ///
    /// - Parameter wake: Called when there is something for a paused libcurl.
    func start(_ stream: BodyStream, wake: @escaping @Sendable () -> Void) {
        let task = Task { [self] in
            do {
                let source = try stream.makeSource()
                while let chunk = try await source.next() {
                    if chunk.isEmpty { continue }
                    guard await offer(chunk, wake: wake) else { return }
                }
                let trailers = stream.trailerNames.isEmpty ? [:] : try await source.trailers
                finish(trailers: try UploadPump.lines(trailers), failure: nil, wake: wake)
            } catch {
                finish(trailers: [], failure: NetworkError(error), wake: wake)
            }
        }
        let isStopped = state.withLock {
            $0.task = task
            return $0.isStopped
        }
        if isStopped { task.cancel() }
    }

    /// Stops making chunks.
    func stop() {
        let (maker, task) = state.withLock { state in
            state.isStopped = true
            state.chunk = Data()
            return (state.maker.take(), state.task.take())
        }
        task?.cancel()
        maker?.resume(returning: false)
    }

    /// Copies what is there to libcurl.
    func read(into buffer: UnsafeMutableRawBufferPointer, length: Int?) -> UploadBody.ReadResult {
        let (result, maker) = state.withLock { state -> (UploadBody.ReadResult, UnsafeContinuation<Bool, Never>?) in
            if let failure = state.failure { return (.failure(failure), nil) }
            guard state.chunk.count > state.offset else {
                guard state.isEnded else {
                    state.isPaused = true
                    return (.wait, nil)
                }
                if let length, state.sent < length {
                    return (.failure(UploadPump.mismatch(length, state.sent)), nil)
                }
                return (.bytes(0), nil)
            }
            let count = min(buffer.count, state.chunk.count - state.offset)
            if let length, state.sent + count > length {
                return (.failure(UploadPump.mismatch(length, state.sent + count)), nil)
            }
            let start = state.offset
            state.chunk.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            }
            state.offset += count
            state.sent += count
            guard state.offset == state.chunk.count else { return (.bytes(count), nil) }
            state.chunk = Data()
            state.offset = 0
            return (.bytes(count), state.maker.take())
        }
        maker?.resume(returning: true)
        return result
    }

    /// Hands over a chunk and waits until it is taken; `false` when nobody wants more.
    private func offer(_ chunk: Data, wake: @escaping @Sendable () -> Void) async -> Bool {
        await withUnsafeContinuation { continuation in
            let (isStopped, wakes) = state.withLock { state -> (Bool, Bool) in
                guard !state.isStopped else { return (true, false) }
                state.chunk = chunk
                state.offset = 0
                state.maker = continuation
                defer { state.isPaused = false }
                return (false, state.isPaused)
            }
            if isStopped { continuation.resume(returning: false) }
            if wakes { wake() }
        }
    }

    private func finish(trailers: [String], failure: NetworkError?, wake: @escaping @Sendable () -> Void) {
        let wakes = state.withLock { state in
            state.isEnded = true
            state.failure = failure
            state.trailers = trailers
            defer { state.isPaused = false }
            return state.isPaused && !state.isStopped
        }
        if wakes { wake() }
    }

    private static func mismatch(_ length: Int, _ made: Int) -> NetworkError {
        .invalidRequest(InvalidRequest(.contentLengthMismatch(header: "\(length)", body: made)))
    }

    private static func lines(_ trailers: HTTPHeaders) throws(NetworkError) -> [String] {
        var lines: [String] = []
        for field in trailers.fields {
            guard field.name.isValid else {
                throw .invalidRequest(InvalidRequest(.invalidHeaderName(field.name.rawValue)))
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidRequest(InvalidRequest(.invalidHeaderValue(name: field.name.rawValue)))
            }
            lines.append("\(field.name): \(field.value)")
        }
        return lines
    }
}
