/// A request that is another one with a few things changed, as streams and downloads need it: a range, the last event
/// seen, the next page's URL.
///
/// Mocks that answer by the request's type look through it with ``DecoratedRequest``.
struct RequestOverlay<Base: Requestable>: Requestable, DecoratedRequest {
    let base: Base
    /// Laid over the request's own.
    var headers: HTTPHeaders
    /// In place of the request's own.
    var replacementBody: HTTPBody?
    /// In place of base URL, path and parameters.
    var absoluteURL: RequestURL?
    /// In place of the request's own.
    var options: RequestOptions

    init(_ base: Base, headers: HTTPHeaders = [:], body: HTTPBody? = nil, url: RequestURL? = nil) {
        self.base = base
        self.headers = base._requestHeaders().merging(headers)
        replacementBody = body
        absoluteURL = url
        options = base._requestOptions()
        options.operationName = options.operationName ?? RequestBuilder.operationName(of: Base.self)
        if let url { options.baseURL = url }
    }

    var undecorated: any Requestable { base }

    var path: RequestPath { absoluteURL == nil ? base._requestPath() : RequestPath("") }
    var method: HTTPMethod { base._requestMethod() }
    var parameters: QueryParameters { absoluteURL == nil ? base._requestParameters() : QueryParameters() }
    var body: Never? { nil }

    func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody {
        if let replacementBody { return replacementBody }
        return try base._requestBody(encoder: encoder)
    }
}

/// A request that stands for another one, whose type is what callers know.
package protocol DecoratedRequest {
    /// The caller's request.
    var undecorated: any Requestable { get }
}
