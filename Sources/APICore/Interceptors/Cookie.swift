#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as a user agent keeps it (RFC 6265bis section 5.5).
public struct Cookie: Sendable, Hashable {
    /// The name, which may be empty.
    public let name: String
    /// The value.
    public let value: String
    /// The host it belongs to, in lower case.
    public let domain: String
    /// Whether it is sent to that host alone, and not to those below it.
    public let isHostOnly: Bool
    /// The path it is sent to, and all below it.
    public let path: String
    /// When it ends; `nil` for the end of the session.
    public let expires: Date?
    /// Whether it is sent over TLS only.
    public let isSecure: Bool
    /// Whether scripts in a browser may not see it. Kept for completeness.
    public let isHTTPOnly: Bool

    /// Makes a cookie.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/", expires: Date? = nil,
        isSecure: Bool = false, isHTTPOnly: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain.lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }

    /// Whether it is sent with a request to this URL (section 5.7.3).
    public func matches(_ url: RequestURL, now: Date) -> Bool {
        if let expires, expires <= now { return false }
        if isSecure, url.scheme != "https" { return false }
        let domainMatches = isHostOnly ? url.host == domain : Cookie.host(url.host, belongsTo: domain)
        return domainMatches && Cookie.path(url.path, isBelow: path)
    }

    /// Section 5.1.3.
    static func host(_ host: String, belongsTo domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !host.hasPrefix("[") && IPAddress(host) == nil
    }

    /// Section 5.1.4.
    static func path(_ path: String, isBelow cookiePath: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.hasPrefix(cookiePath) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
            || path.dropFirst(cookiePath.count).hasPrefix("/")
    }

    /// The path a cookie has that names none: the directory of the URL (section 5.1.4).
    static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension Cookie: CustomStringConvertible {
    /// The name and where it is sent; the value is a secret.
    public var description: String { "\(name)=\(SensitiveNames.placeholder); Domain=\(domain); Path=\(path)" }
}
