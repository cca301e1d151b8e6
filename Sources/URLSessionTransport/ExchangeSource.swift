internal import APICore
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The body of a response that is read as it arrives.
///
/// `@unchecked`: URLSessionTask is documented to be safe to use from any thread, and only `cancel()` is called here.
final class ExchangeSource: ResponseBodySource, @unchecked Sendable {
    private let exchange: Exchange
    private let task: URLSessionTask
    private let deadline: Task<Void, Never>?

    init(exchange: Exchange, task: URLSessionTask, deadline: Task<Void, Never>?) {
        self.exchange = exchange
        self.task = task
        self.deadline = deadline
    }

    func next() async throws(NetworkError) -> Data? {
        let result: Result<Data?, NetworkError> = await withTaskCancellationHandler {
            do throws(NetworkError) {
                return .success(try await exchange.chunk())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        if case .success(nil) = result { deadline?.cancel() }
        return try result.get()
    }

    func cancel() {
        deadline?.cancel()
        exchange.fail(.cancelled)
        task.cancel()
    }
}
