/// What the cache did with a request, for `Cache-Status` (RFC 9211).
struct CacheStatus: Equatable {
    /// The cache's name.
    var cache: String
    /// Whether the response comes from the store without the server having been asked.
    var isHit = false
    /// Why the request went to the server.
    var forward: Forward?
    /// The status of the server's answer, where it is not the one that is returned.
    var forwardStatus: Int?
    /// Whether the response was, or while its body is read is being, stored.
    var isStored = false
    /// How many seconds the response is still fresh; negative when it is stale.
    var timeToLive: Int?
    /// What else there is to say.
    var detail: String?

    /// Why a request went to the server (RFC 9211 section 2.2).
    enum Forward: String {
        case bypass, method, uriMiss = "uri-miss", varyMiss = "vary-miss", request, stale
    }

    /// The field's value.
    var value: String {
        var value = cache
        if isHit { value += "; hit" }
        if let forward { value += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { value += "; fwd-status=\(forwardStatus)" }
        if let timeToLive { value += "; ttl=\(timeToLive)" }
        if isStored { value += "; stored" }
        if let detail { value += "; detail=\(detail)" }
        return value
    }

    /// Adds itself after what caches nearer to the server have said.
    func add(to headers: inout HTTPHeaders) {
        if let others = headers[joined: Self.field] {
            headers[Self.field] = others + ", " + value
        } else {
            headers[Self.field] = value
        }
    }

    static let field = HTTPHeaderKey("Cache-Status")
}
