#if canImport(Combine)
public import Combine

extension NetworkServiceProtocol {
    /// A publisher that sends the resource's request once for each subscriber, gives the decoded value and finishes.
    /// Cancelling the subscription cancels the request.
    ///
    /// Values arrive on no particular thread: use `receive(on:)`.
    public func publisher<Response, Request>(
        for resource: Resource<Response, Request>
    ) -> AnyPublisher<APIResponse<Response>, NetworkError> {
        Deferred {
            let subject = PassthroughSubject<APIResponse<Response>, NetworkError>()
            // The subject is thread-safe by Combine's contract; its type is not marked Sendable.
            nonisolated(unsafe) let output = subject
            let task = Task {
                do throws(NetworkError) {
                    let value = try await self.response(for: resource)
                    output.send(value)
                    output.send(completion: .finished)
                } catch {
                    output.send(completion: .failure(error))
                }
            }
            return subject.handleEvents(receiveCancel: { task.cancel() })
        }
        .eraseToAnyPublisher()
    }
}
#endif
