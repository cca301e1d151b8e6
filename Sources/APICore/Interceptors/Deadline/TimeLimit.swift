/// Runs an operation against a timer; whichever ends first decides, and the other is cancelled.
///
/// An answer that arrives while the operation is being cancelled is still returned: it has cost the server its work.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration, time: TimeSource, failure: @autoclosure () -> NetworkError,
    _ operation: @escaping @Sendable () async throws(NetworkError) -> Value
) async throws(NetworkError) -> Value {
    guard limit > .zero else { throw failure() }
    let result = await withTaskGroup(of: Result<Value, NetworkError>?.self) { group -> Result<Value, NetworkError>? in
        group.addTask { await Result.catching(operation) }
        group.addTask {
            do {
                try await time.sleep(limit)
                return nil
            } catch {
                return .failure(.cancelled)
            }
        }
        guard let first = await group.next() else { return nil }
        guard case .some(let result) = first else {
            group.cancelAll()
            // The operation ends now, because it is cancelled; only a success counts.
            if case .some(.some(.success(let value))) = await group.next() { return .success(value) }
            return nil
        }
        if case .failure(.cancelled) = result, Task.isCancelled {
            group.cancelAll()
            if case .some(.some(.success(let value))) = await group.next() { return .success(value) }
            return result
        }
        group.cancelAll()
        return result
    }
    guard let result else { throw failure() }
    return try result.get()
}

extension Result where Failure == NetworkError, Success: Sendable {
    /// What an operation came to, with its type of error kept, as task groups and continuations do not.
    static func catching(
        _ operation: @Sendable () async throws(NetworkError) -> Success
    ) async -> Result {
        do throws(NetworkError) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }
}

extension HTTPResponse {
    /// The response as the caller wants it: whole, if the request asks for that, so that a transfer that breaks
    /// breaks within the attempt.
    func delivered(for request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard request.delivery == .buffered, body.data == nil else { return self }
        var whole = self
        whole.body = .bytes(try await body.collect(upTo: request.options.maximumBodySize ?? .max))
        return whole
    }
}
