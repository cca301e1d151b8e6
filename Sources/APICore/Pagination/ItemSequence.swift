/// The items of a list's pages, one after the other.
public struct ItemSequence<Request: APIRequest, Items: Sequence>: AsyncSequence, Sendable
where Items.Element: Sendable {
    /// An item.
    public typealias Element = Items.Element
    /// How it can fail.
    public typealias Failure = NetworkError

    let pages: PageSequence<Request>
    let items: @Sendable (Request.Response) throws -> Items

    /// Starts at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator(), items: items)
    }

    /// Reads items in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var pages: PageSequence<Request>.AsyncIterator
        let items: @Sendable (Request.Response) throws -> Items
        var current: Items.Iterator?

        /// The next item, or `nil` behind the last one.
        public mutating func next() async throws(NetworkError) -> Items.Element? {
            try await next(isolation: #isolation)
        }

        /// The next item, or `nil` behind the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Items.Element? {
            while true {
                if let item = current?.next() { return item }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                do {
                    current = try items(page.value).makeIterator()
                } catch {
                    throw NetworkError(error)
                }
            }
        }
    }
}

extension PageSequence {
    /// The items of the pages.
    ///
    /// ```swift
    /// for try await user in client.pages(ListUsers(), by: .nextURL(\.next)).items(\.results) { … }
    /// ```
    public func items<Items: Sequence>(
        _ items: @escaping @Sendable (Request.Response) throws -> Items
    ) -> ItemSequence<Request, Items> where Items.Element: Sendable {
        ItemSequence(pages: self, items: items)
    }
}

extension PageSequence where Request.Response: Sequence, Request.Response.Element: Sendable {
    /// The items of pages that are lists.
    public var items: ItemSequence<Request, Request.Response> {
        ItemSequence(pages: self) { $0 }
    }
}
