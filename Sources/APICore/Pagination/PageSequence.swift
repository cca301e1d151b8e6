/// The pages of a list, fetched as they are read.
///
/// ```swift
/// for try await page in client.pages(ListIssues(), by: .linkHeader) { print(page.value.count) }
/// for try await issue in client.pages(ListIssues(), by: .linkHeader).items { print(issue.title) }
/// ```
///
/// A page that leads to one that was fetched already, as broken servers' do, ends it with
/// ``NetworkError/invalidResponse(_:)``. It stops when the task is cancelled. Each iteration starts at the first page.
public struct PageSequence<Request: APIRequest>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = APIResponse<Request.Response>
    /// How it can fail.
    public typealias Failure = NetworkError

    let fetch: @Sendable (Request, RequestURL?, HTTPHeaders?) async throws(NetworkError) -> Element
    let first: Request
    let pagination: Pagination<Request>
    let prefetches: Bool
    let maximumPages: Int

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(sequence: self, cursor: PageCursor(first: first))
    }

    /// Reads pages in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: PageSequence
        var cursor: PageCursor<Request>
        private var prefetch: Prefetch<Element>?
        /// What is wrong behind the page given out last.
        private var failure: NetworkError?
        private var isOver = false

        init(sequence: PageSequence, cursor: PageCursor<Request>) {
            self.sequence = sequence
            self.cursor = cursor
        }

        /// The next page, or `nil` behind the last one.
        public mutating func next() async throws(NetworkError) -> Element? {
            try await next(isolation: #isolation)
        }

        /// The next page, or `nil` behind the last one.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Element? {
            guard !isOver else { return nil }
            do throws(NetworkError) {
                if let failure { throw failure }
                guard let step = cursor.step, cursor.number <= sequence.maximumPages else {
                    isOver = true
                    return nil
                }
                let page: Element
                if let prefetch = prefetch.take() {
                    page = try await prefetch.value
                } else {
                    if Task.isCancelled { throw .cancelled }
                    page = try await sequence.fetch(step.request, step.url, step.headers)
                }
                do throws(NetworkError) {
                    try cursor.advance(behind: page, by: sequence.pagination)
                } catch {
                    // The page itself is good.
                    failure = error
                    return page
                }
                if sequence.prefetches, let next = cursor.step, cursor.number <= sequence.maximumPages {
                    let fetch = sequence.fetch
                    prefetch = Prefetch { () async throws(NetworkError) in
                        try await fetch(next.request, next.url, next.headers)
                    }
                }
                return page
            } catch {
                isOver = true
                prefetch = nil
                throw error
            }
        }
    }
}

/// A page on its way before it is asked for; it is cancelled when nobody will ask.
private final class Prefetch<Value: Sendable>: Sendable {
    private let task: Task<Result<Value, NetworkError>, Never>

    init(_ operation: @escaping @Sendable () async throws(NetworkError) -> Value) {
        task = Task {
            do throws(NetworkError) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    var value: Value {
        get async throws(NetworkError) {
            try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }.get()
        }
    }
}
