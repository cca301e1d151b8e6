extension NetworkServiceProtocol {
    /// The pages of a list, fetched as they are read.
    ///
    /// ```swift
    /// for try await issue in client.pages(ListIssues(), by: .linkHeader, prefetches: true).items { … }
    /// ```
    ///
    /// - Parameters:
    ///   - first: The request for the first page.
    ///   - pagination: How a page leads to the next one.
    ///   - prefetches: Whether the next page is fetched while the one before is being worked on.
    ///   - maximumPages: The most pages to read.
    public func pages<Request: APIRequest>(
        _ first: Request, by pagination: Pagination<Request>, prefetches: Bool = false, maximumPages: Int = .max
    ) -> PageSequence<Request> {
        PageSequence(
            fetch: { (request, url, headers) async throws(NetworkError) in
                guard let url else { return try await self.response(for: request) }
                var overlay = RequestOverlay(request, url: url)
                if let headers { overlay.headers = headers }
                let decoder = request._requestOptions().decoder ?? self.configuration.decoder
                let resource = Resource<Request.Response, RequestOverlay<Request>>(request: overlay) { data, head in
                    try request.decode(DataResponse(head: head, body: data), using: decoder)
                }
                return try await self.response(for: resource)
            },
            first: first, pagination: pagination, prefetches: prefetches, maximumPages: maximumPages)
    }
}
