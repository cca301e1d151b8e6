#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Asking a server whether a stored response is still good (RFC 9111 section 4.3).
enum Validation {
    /// Whether a request brings conditions of its own. The cache then lets it and its answer pass: it is the caller who
    /// keeps a copy.
    static func isConditional(_ headers: HTTPHeaders) -> Bool {
        headers.contains { field in
            switch field.name {
            case .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange: true
            default: false
            }
        }
    }

    /// Makes a request conditional on the validators of a stored response (section 4.3.1).
    ///
    /// - Returns: Whether there are any.
    static func addConditions(of stored: StoredResponse, to headers: inout HTTPHeaders) -> Bool {
        if let etag = stored.headers[.etag] { headers[.ifNoneMatch] = etag }
        if let modified = stored.headers[.lastModified] { headers[.ifModifiedSince] = modified }
        return headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince)
    }

    /// Whether a 304 speaks about the stored response (section 4.3.4).
    ///
    /// It does not if it brings a strong entity tag that the stored response does not have, or an earlier date of
    /// modification: then it speaks about another one.
    static func isAbout(_ stored: StoredResponse, _ notModified: HTTPHeaders) -> Bool {
        if let etag = notModified[.etag], isStrong(etag) {
            return stored.headers[.etag] == etag
        }
        if let etag = notModified[.etag], let storedETag = stored.headers[.etag] {
            return opaqueTag(etag) == opaqueTag(storedETag)
        }
        return true
    }

    /// Whether a HEAD response is about the same content as the stored one (section 4.3.5).
    static func isUnchanged(_ stored: StoredResponse, head: HTTPHeaders) -> Bool {
        for key in [HTTPHeaderKey.etag, .lastModified, .contentLength] {
            if let new = head[key], let old = stored.headers[key], new != old { return false }
        }
        return true
    }

    private static func isStrong(_ etag: String) -> Bool { !etag.hasPrefix("W/") }

    private static func opaqueTag(_ etag: String) -> Substring {
        isStrong(etag) ? Substring(etag) : etag.dropFirst(2)
    }
}
