/// How an API leads from one page to the next.
///
/// ```swift
/// client.pages(ListIssues(), by: .linkHeader)                                          // GitHub
/// client.pages(ListCharges(), by: .cursor(\.nextCursor) { request, cursor in          // Stripe, Slack
///     var next = request
///     next.startingAfter = cursor
///     return next
/// })
/// client.pages(ListUsers(), by: .nextURL(\.next))                                      // Django REST framework
/// client.pages(Search("swift"), by: .pageNumber(isLast: { $0.items.isEmpty }) { request, number in … })
/// ```
public struct Pagination<Request: APIRequest>: Sendable {
    /// Where the next page is.
    public enum NextPage: Sendable {
        /// The answer to another request. The key tells pages apart: one that comes again is an error.
        case request(Request, key: String)
        /// At a URL, absolute or relative to the page's. The request's header fields go along; its path and parameters
        /// are replaced.
        case url(String)
    }

    /// Finds the next page.
    ///
    /// - Parameters:
    ///   - response: The page.
    ///   - request: The request it came from.
    ///   - number: The number of the page, from 1.
    /// - Returns: The next page, or `nil` when there is none.
    public let next:
        @Sendable (
            _ response: APIResponse<Request.Response>, _ request: Request, _ number: Int
        ) throws -> NextPage?

    /// Makes a way of your own.
    public init(
        _ next:
            @escaping @Sendable (
                _ response: APIResponse<Request.Response>, _ request: Request, _ number: Int
            ) throws -> NextPage?
    ) {
        self.next = next
    }

    /// By the `Link` header field with the relation `next` (RFC 8288).
    public static var linkHeader: Pagination { linkHeader(relation: "next") }

    /// By the `Link` header field with that relation (RFC 8288).
    public static func linkHeader(relation: String) -> Pagination {
        Pagination { response, _, _ in
            WebLink.links(in: response.headers).first { link in
                // A link with another context says nothing about this page (RFC 8288 section 3.2).
                link.hasRelation(relation) && link["anchor"] == nil
            }
            .map { .url($0.target) }
        }
    }

    /// By a URL in the page.
    public static func nextURL(
        _ url: @escaping @Sendable (Request.Response) throws -> String?
    ) -> Pagination {
        Pagination { response, _, _ in
            try url(response.value).flatMap { $0.isEmpty ? nil : .url($0) }
        }
    }

    /// By a cursor in the page.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the next page, or `nil` when there is none. An empty text is none as well.
    ///   - request: The request for the page at a cursor.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ cursor: @escaping @Sendable (Request.Response) throws -> Cursor?,
        request: @escaping @Sendable (_ request: Request, _ cursor: Cursor) throws -> Request
    ) -> Pagination {
        Pagination { response, current, _ in
            guard let cursor = try cursor(response.value), !cursor.description.isEmpty else { return nil }
            return .request(try request(current, cursor), key: cursor.description)
        }
    }

    /// By counting pages.
    ///
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - isLast: Whether a page is the last one.
    ///   - request: The request for the page of a number.
    public static func pageNumber(
        startingAt first: Int = 1, isLast: @escaping @Sendable (Request.Response) throws -> Bool,
        request: @escaping @Sendable (_ request: Request, _ number: Int) throws -> Request
    ) -> Pagination {
        Pagination { response, current, number in
            guard try !isLast(response.value) else { return nil }
            let next = first + number
            return .request(try request(current, next), key: "\(next)")
        }
    }
}
