internal import APICore
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The session's delegate: brings each callback to the exchange of its task.
///
/// `@unchecked`: NSObject is not Sendable; the only state is in the lock.
final class TaskRouter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct State {
        var exchanges: [Int: Exchange] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Starts a request, or returns `nil` when the transport is closed. The lock is held while the task is made, so that
    /// no task is made of an invalidated session, which would be an exception.
    func start(_ request: URLRequest, in session: URLSession, exchange: Exchange) -> URLSessionDataTask? {
        let task = state.withLock { state -> URLSessionDataTask? in
            guard !state.isClosed else { return nil }
            let task = session.dataTask(with: request)
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
        task?.resume()
        return task
    }

    /// Starts nothing any more, and fails what is going on.
    func close() {
        let exchanges = state.withLock { state in
            state.isClosed = true
            return state.exchanges.values
        }
        for exchange in exchanges { exchange.fail(.cancelled) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let exchange = exchange(of: dataTask) {
            if let response = response as? HTTPURLResponse {
                let length = response.expectedContentLength
                let headers = HTTPHeaders(
                    response.allHeaderFields.compactMap { name, value in
                        guard let name = name as? String, let value = value as? String else { return nil }
                        return HTTPHeader(name: name, value: value)
                    })
                exchange.receive(
                    status: response.statusCode, headers: headers, expectedLength: length >= 0 ? Int(length) : nil)
            } else {
                exchange.fail(.invalidResponse(InvalidResponse("the answer is not HTTP")))
            }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if exchange(of: dataTask)?.receive(data) == false { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard let error else { return exchange.complete() }
        let progress = exchange.progress
        exchange.fail(
            NetworkError(
                urlError: error, received: progress.received, expected: progress.expected, hasHead: progress.hasHead))
    }

    /// Redirects are the client's: the redirect itself is the answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
