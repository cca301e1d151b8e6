extension Sequence where Element: Sendable {
    /// Transforms the elements, a bounded number at the same time, and returns the results in the elements' order.
    ///
    /// ```swift
    /// let users = try await ids.concurrentMap(limit: 8) { try await client.send(FetchUser(id: $0)) }
    /// ```
    ///
    /// The first error cancels what is under way, starts nothing more, and is thrown. Cancelling the task does the same.
    ///
    /// - Parameters:
    ///   - limit: The most elements at the same time; less than 1 is 1.
    ///   - transform: What is done with each element.
    public func concurrentMap<Value: Sendable>(
        limit: Int = 8, _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws(NetworkError) -> [Value] {
        var values: [Value] = []
        for result in await concurrentResults(limit: limit, stopsAtFailure: true, transform) {
            values.append(try result.get())
        }
        return values
    }

    /// Transforms the elements, a bounded number at the same time, and returns what came of each, in the elements'
    /// order. An error does not end the others.
    public func concurrentResults<Value: Sendable>(
        limit: Int = 8, _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async -> [Result<Value, NetworkError>] {
        await concurrentResults(limit: limit, stopsAtFailure: false, transform)
    }

    /// With `stopsAtFailure`, a failure is the only element of what is returned.
    private func concurrentResults<Value: Sendable>(
        limit: Int, stopsAtFailure: Bool, _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async -> [Result<Value, NetworkError>] {
        let elements = Array(self)
        return await withTaskGroup(of: (index: Int, result: Result<Value, NetworkError>).self) { group in
            var results: [Result<Value, NetworkError>?] = Array(repeating: nil, count: elements.count)
            var next = 0
            func start() {
                guard next < elements.count else { return }
                let (index, element) = (next, elements[next])
                next += 1
                group.addTask {
                    do {
                        try Task.checkCancellation()
                        return (index, .success(try await transform(element)))
                    } catch {
                        return (index, .failure(NetworkError(error)))
                    }
                }
            }
            for _ in 0..<Swift.max(limit, 1) { start() }
            while let (index, result) = await group.next() {
                if stopsAtFailure, case .failure = result {
                    group.cancelAll()
                    return [result]
                }
                results[index] = result
                start()
            }
            return results.compactMap { $0 }
        }
    }
}

extension NetworkServiceProtocol {
    /// Sends requests, a bounded number at the same time, and returns their values in the requests' order.
    ///
    /// ```swift
    /// let users = try await client.send(ids.map { FetchUser(id: $0) }, limit: 8)
    /// ```
    ///
    /// - Throws: The first error; what is under way then is cancelled.
    public func send<Request: APIRequest>(
        _ requests: some Sequence<Request>, limit: Int = 8
    ) async throws(NetworkError) -> [Request.Response] {
        try await Array(requests).concurrentMap(limit: limit) { try await self.send($0) }
    }
}
