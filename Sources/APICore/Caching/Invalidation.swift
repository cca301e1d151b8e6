/// Which stored responses an unsafe request makes obsolete (RFC 9111 section 4.4).
enum Invalidation {
    /// The URLs whose responses must go after a response that is no error: the request's own, and those that `Location`
    /// and `Content-Location` name at the same origin. At another origin they could be somebody else's.
    static func urls(request: HTTPRequest, response: ResponseHead) -> [RequestURL] {
        guard !request.method.isSafe, response.status.isSuccess || response.status.isRedirection else { return [] }
        var urls = [request.url]
        for key in [HTTPHeaderKey.location, .contentLocation] {
            guard let reference = response.headers[key], let url = try? request.url.resolving(reference),
                url.origin == request.url.origin, !urls.contains(url)
            else { continue }
            urls.append(url)
        }
        return urls
    }

    /// Whether a POST response may be stored as the answer to a GET of the same URL: if it says that it is just that
    /// (RFC 9110 section 9.3.3) and how long it is fresh.
    static func isStorableAsGet(request: HTTPRequest, response: ResponseHead) -> Bool {
        guard request.method == .post, response.status == .ok, let reference = response.headers[.contentLocation],
            let url = try? request.url.resolving(reference), url == request.url
        else { return false }
        return CacheControl(response.headers).maxAge != nil || response.headers.contains(.expires)
    }
}
