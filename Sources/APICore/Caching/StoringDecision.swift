/// Whether a response may be stored (RFC 9111 section 3), and whether it is worth it.
enum StoringDecision {
    /// The reason against storing a response to a GET request, or `nil`.
    static func objection(to head: ResponseHead, request: HTTPRequest) -> String? {
        let directives = CacheControl(head.headers)
        if CacheControl(request.headers).noStore { return "request-no-store" }
        if head.status.isInformational || head.status == .notModified { return "status" }
        // Parts are neither stored nor combined (section 3.4 leaves that open).
        if head.status == .partialContent { return "partial" }
        let isUnderstood = !head.status.reasonPhrase.isEmpty
        if directives.mustUnderstand {
            // Section 5.2.2.3: with it, `no-store` is for those who do not understand the status.
            if !isUnderstood { return "must-understand" }
        } else if directives.noStore {
            return "no-store"
        }
        if head.headers.list(for: .vary).contains("*") { return "vary" }
        guard
            directives.maxAge != nil || head.headers.contains(.expires) || directives.isPublic
                || directives.isPrivate || Freshness.heuristicStatuses.contains(head.status.rawValue)
        else { return "status" }
        return nil
    }

    /// Whether a stored response can ever be used: fresh, validated, or stale where that is allowed.
    static func isUseful(_ stored: StoredResponse) -> Bool {
        let directives = stored.directives
        if stored.headers.contains(.etag) || stored.headers.contains(.lastModified) { return true }
        guard !directives.noCache else { return false }
        return stored.lifetime > stored.initialAge || directives.staleWhileRevalidate ?? 0 > 0
            || directives.staleIfError ?? 0 > 0
    }
}
