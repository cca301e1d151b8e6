/// Where a walk over pages stands; no I/O.
struct PageCursor<Request: APIRequest>: Sendable {
    /// What is to be fetched next.
    struct Step: Sendable {
        var request: Request
        /// In place of the request's path and parameters.
        var url: RequestURL?
        /// In place of the request's header fields.
        var headers: HTTPHeaders?
    }

    /// `nil` when there is nothing more.
    private(set) var step: Step?
    /// The number of the page that is next, from 1.
    private(set) var number = 1
    private var origin: Origin?
    private var seen: Set<String> = []

    init(first: Request) {
        step = Step(request: first)
    }

    /// Moves on to the page behind this one.
    ///
    /// - Throws: What the closure throws; ``NetworkError/invalidResponse(_:)`` when the next page was fetched already.
    mutating func advance(
        behind page: APIResponse<Request.Response>, by pagination: Pagination<Request>
    ) throws(NetworkError) {
        guard let current = step else { return }
        if number == 1 { origin = page.head.url?.origin }
        if let url = page.head.url { seen.insert("url \(url.string)") }
        let next: Pagination<Request>.NextPage?
        do {
            next = try pagination.next(page, current.request, number)
        } catch {
            throw NetworkError(error)
        }
        switch next {
        case nil:
            step = nil
        case .request(let request, let key):
            try remember("key \(key)", shown: key)
            step = Step(request: request)
        case .url(let reference):
            let url = try resolve(reference, against: page.head.url)
            try remember("url \(url.string)", shown: url.description)
            step = Step(request: current.request, url: url, headers: headers(of: current.request, for: url))
        }
        number += 1
    }

    private mutating func remember(_ key: String, shown: String) throws(NetworkError) {
        guard seen.insert(key).inserted else {
            throw .invalidResponse(InvalidResponse("page \(number) leads back to a page that was read: \(shown)"))
        }
    }

    private func resolve(_ reference: String, against base: RequestURL?) throws(NetworkError) -> RequestURL {
        do throws(InvalidRequest) {
            guard let base else { return try RequestURL(reference) }
            return try base.resolving(reference)
        } catch {
            throw .invalidRequest(error)
        }
    }

    /// The request's own header fields, without credentials when the page is another origin's: the server chose it.
    private func headers(of request: Request, for url: RequestURL) -> HTTPHeaders? {
        guard let origin, origin != url.origin else { return nil }
        return HTTPHeaders(request._requestHeaders().filter { !SensitiveNames.standard.containsHeader($0.name) })
    }
}
