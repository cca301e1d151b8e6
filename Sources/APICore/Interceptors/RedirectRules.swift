/// What RFC 9110 section 15.4 makes of a request that is redirected. Pure.
enum RedirectRules {
    /// Where a response sends its request, or `nil` for one that is an answer: 300 and 304 to 306 are never followed.
    static func location(of head: ResponseHead) -> String? {
        switch head.status.rawValue {
        case 301, 302, 303, 307, 308: head.headers[.location]
        default: nil
        }
    }

    /// The request that follows; `nil` when it needs a body that can only be read once.
    static func following(_ request: HTTPRequest, status: HTTPStatusCode, target: RequestURL) -> HTTPRequest? {
        var following = request
        following.url = target
        let becomesGet =
            switch status.rawValue {
            case 301, 302: request.method == .post
            case 303: request.method != .get && request.method != .head
            default: false
            }
        if becomesGet {
            following.method = .get
            following.body = .none
            // The fields that describe a body (RFC 9110 section 15.4, "remove Content-specific header fields").
            for name in contentFields { following.headers.remove(name) }
        } else if !request.body.isReplayable {
            return nil
        }
        if target.origin != request.url.origin {
            for field in request.headers.fields where request.context.sensitiveNames.containsHeader(field.name) {
                following.headers.remove(field.name)
            }
            // The name of the host that was left.
            following.headers.remove(.host)
        }
        return following
    }

    private static let contentFields: [HTTPHeaderKey] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .transferEncoding,
        "Content-Digest", "Repr-Digest", "Digest", "Last-Modified",
    ]
}
