internal import APICore
internal import Foundation
internal import Synchronization

/// One request and its response: what the delegate's callbacks bring, and who waits for it.
///
/// The lock guards all of it; continuations are resumed outside.
final class Exchange: Sendable {
    /// A head with the length it promises.
    struct Head: Sendable {
        let value: ResponseHead
        let expectedLength: Int?
    }

    private struct State {
        var head: Head?
        var chunks: [Data] = []
        var received = 0
        var isComplete = false
        var failure: NetworkError?
        var headWaiter: CheckedContinuation<Result<Head, NetworkError>, Never>?
        var chunkWaiter: CheckedContinuation<Result<Data?, NetworkError>, Never>?
    }

    private let state = Mutex(State())
    private let limit: Int
    private let url: RequestURL

    init(limit: Int, url: RequestURL) {
        self.limit = limit
        self.url = url
    }

    /// Waits for the head.
    func head() async throws(NetworkError) -> Head {
        let result = await withCheckedContinuation { continuation in
            let ready: Result<Head, NetworkError>? = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                if let head = state.head { return .success(head) }
                state.headWaiter = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    /// Waits for the next piece of the body.
    func chunk() async throws(NetworkError) -> Data? {
        let result = await withCheckedContinuation { continuation in
            let ready: Result<Data?, NetworkError>? = state.withLock { state in
                if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
                if let failure = state.failure { return .failure(failure) }
                if state.isComplete { return .success(nil) }
                state.chunkWaiter = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }

    /// The head came.
    func receive(status: Int, headers: HTTPHeaders, expectedLength: Int?) {
        let head = Head(
            value: ResponseHead(status: HTTPStatusCode(status), headers: headers, url: url),
            expectedLength: expectedLength)
        let waiter = state.withLock { state in
            if state.head == nil { state.head = head }
            return state.headWaiter.take()
        }
        waiter?.resume(returning: .success(head))
    }

    /// A piece of the body came. Returns whether it is still within the limit.
    func receive(_ data: Data) -> Bool {
        guard !data.isEmpty else { return true }
        enum Next {
            case wait
            case hand(CheckedContinuation<Result<Data?, NetworkError>, Never>)
            case tooLarge
        }
        let next: Next = state.withLock { state in
            guard state.failure == nil else { return .wait }
            state.received += data.count
            if state.received > limit { return .tooLarge }
            if let waiter = state.chunkWaiter.take() { return .hand(waiter) }
            state.chunks.append(data)
            return .wait
        }
        switch next {
        case .wait: return true
        case .hand(let waiter): waiter.resume(returning: .success(data))
        case .tooLarge:
            fail(.bodyTooLarge(BodyTooLarge(limit: limit)))
            return false
        }
        return true
    }

    /// The response is complete.
    func complete() {
        let waiters = state.withLock { state in
            state.isComplete = true
            return (state.headWaiter.take(), state.chunkWaiter.take())
        }
        waiters.0?.resume(returning: .failure(.invalidResponse(InvalidResponse("no response"))))
        waiters.1?.resume(returning: .success(nil))
    }

    /// The exchange failed; the first failure counts, and nothing after the end.
    func fail(_ error: NetworkError) {
        let waiters = state.withLock { state in
            guard state.failure == nil, !state.isComplete else {
                return (
                    Optional<CheckedContinuation<Result<Head, NetworkError>, Never>>.none,
                    Optional<CheckedContinuation<Result<Data?, NetworkError>, Never>>.none
                )
            }
            state.failure = error
            return (state.headWaiter.take(), state.chunkWaiter.take())
        }
        waiters.0?.resume(returning: .failure(error))
        waiters.1?.resume(returning: .failure(error))
    }

    /// How much of the body has come, and how much was promised.
    var progress: (received: Int, expected: Int?, hasHead: Bool) {
        state.withLock { ($0.received, $0.head?.expectedLength, $0.head != nil) }
    }
}
