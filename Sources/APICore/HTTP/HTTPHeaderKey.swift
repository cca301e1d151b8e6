/// The name of a header field: its spelling is kept, comparison ignores case (RFC 9110 section 5.1).
///
/// ```swift
/// let headers: HTTPHeaders = [.accept: "application/json", "X-Request-ID": "42"]
/// ```
public struct HTTPHeaderKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was written, and as it is sent over HTTP/1.1.
    public let rawValue: String

    /// Makes a name from any text; whether it is a token is checked when a request is built.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name from any text; whether it is a token is checked when a request is built.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name from a literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The name as it was written.
    public var description: String { rawValue }

    /// Whether the text is a token (RFC 9110 section 5.6.2), and so can be sent.
    public var isValid: Bool { rawValue.isHTTPToken }

    /// Compares without regard to the case of ASCII letters.
    public static func == (left: HTTPHeaderKey, right: HTTPHeaderKey) -> Bool {
        left.rawValue.equalsIgnoringASCIICase(right.rawValue)
    }

    /// Hashes the lower-case form, so that equal names have equal hashes.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte.asciiLowercased) }
    }
}

extension HTTPHeaderKey {
    /// RFC 9110 section 12.5.1.
    public static let accept = HTTPHeaderKey("Accept")
    /// RFC 9110 section 12.5.2.
    public static let acceptCharset = HTTPHeaderKey("Accept-Charset")
    /// RFC 9110 section 12.5.3.
    public static let acceptEncoding = HTTPHeaderKey("Accept-Encoding")
    /// RFC 9110 section 12.5.4.
    public static let acceptLanguage = HTTPHeaderKey("Accept-Language")
    /// RFC 9110 section 14.3.
    public static let acceptRanges = HTTPHeaderKey("Accept-Ranges")
    /// RFC 9111 section 5.1.
    public static let age = HTTPHeaderKey("Age")
    /// RFC 9110 section 10.2.1.
    public static let allow = HTTPHeaderKey("Allow")
    /// RFC 9110 section 11.6.2.
    public static let authorization = HTTPHeaderKey("Authorization")
    /// RFC 9111 section 5.2.
    public static let cacheControl = HTTPHeaderKey("Cache-Control")
    /// RFC 9110 section 7.6.1.
    public static let connection = HTTPHeaderKey("Connection")
    /// RFC 6266.
    public static let contentDisposition = HTTPHeaderKey("Content-Disposition")
    /// RFC 9110 section 8.4.
    public static let contentEncoding = HTTPHeaderKey("Content-Encoding")
    /// RFC 9110 section 8.5.
    public static let contentLanguage = HTTPHeaderKey("Content-Language")
    /// RFC 9110 section 8.6.
    public static let contentLength = HTTPHeaderKey("Content-Length")
    /// RFC 9110 section 8.7.
    public static let contentLocation = HTTPHeaderKey("Content-Location")
    /// RFC 9110 section 14.4.
    public static let contentRange = HTTPHeaderKey("Content-Range")
    /// RFC 9110 section 8.3.
    public static let contentType = HTTPHeaderKey("Content-Type")
    /// RFC 6265 section 4.2.
    public static let cookie = HTTPHeaderKey("Cookie")
    /// RFC 9110 section 6.6.1.
    public static let date = HTTPHeaderKey("Date")
    /// RFC 9110 section 8.8.3.
    public static let etag = HTTPHeaderKey("ETag")
    /// RFC 9110 section 10.1.1.
    public static let expect = HTTPHeaderKey("Expect")
    /// RFC 9111 section 5.3.
    public static let expires = HTTPHeaderKey("Expires")
    /// RFC 9110 section 7.2.
    public static let host = HTTPHeaderKey("Host")
    /// The Idempotency-Key of the IETF httpapi working group's draft, as payment APIs use it.
    public static let idempotencyKey = HTTPHeaderKey("Idempotency-Key")
    /// RFC 9110 section 13.1.1.
    public static let ifMatch = HTTPHeaderKey("If-Match")
    /// RFC 9110 section 13.1.3.
    public static let ifModifiedSince = HTTPHeaderKey("If-Modified-Since")
    /// RFC 9110 section 13.1.2.
    public static let ifNoneMatch = HTTPHeaderKey("If-None-Match")
    /// RFC 9110 section 13.1.5.
    public static let ifRange = HTTPHeaderKey("If-Range")
    /// RFC 9110 section 13.1.4.
    public static let ifUnmodifiedSince = HTTPHeaderKey("If-Unmodified-Since")
    /// RFC 9110 section 8.8.2.
    public static let lastModified = HTTPHeaderKey("Last-Modified")
    /// RFC 8288 section 3.
    public static let link = HTTPHeaderKey("Link")
    /// RFC 9110 section 10.2.2.
    public static let location = HTTPHeaderKey("Location")
    /// RFC 9111 section 5.4.
    public static let pragma = HTTPHeaderKey("Pragma")
    /// RFC 9110 section 11.7.2.
    public static let proxyAuthorization = HTTPHeaderKey("Proxy-Authorization")
    /// RFC 9110 section 14.2.
    public static let range = HTTPHeaderKey("Range")
    /// RFC 9110 section 10.1.3.
    public static let referer = HTTPHeaderKey("Referer")
    /// RFC 9110 section 10.2.3.
    public static let retryAfter = HTTPHeaderKey("Retry-After")
    /// RFC 6265 section 4.1.
    public static let setCookie = HTTPHeaderKey("Set-Cookie")
    /// RFC 9110 section 10.1.4.
    public static let te = HTTPHeaderKey("TE")
    /// W3C Trace Context section 3.2.
    public static let traceparent = HTTPHeaderKey("traceparent")
    /// RFC 9110 section 6.6.2.
    public static let trailer = HTTPHeaderKey("Trailer")
    /// RFC 9112 section 6.1.
    public static let transferEncoding = HTTPHeaderKey("Transfer-Encoding")
    /// RFC 9110 section 10.1.5.
    public static let userAgent = HTTPHeaderKey("User-Agent")
    /// RFC 9110 section 12.5.5.
    public static let vary = HTTPHeaderKey("Vary")
    /// RFC 9110 section 11.6.1.
    public static let wwwAuthenticate = HTTPHeaderKey("WWW-Authenticate")
}
