/// An HTTP request method (RFC 9110 section 9).
///
/// The nine registered everyday methods are constants; any other token is a value too:
///
/// ```swift
/// let method = HTTPMethod.post
/// let purge: HTTPMethod = "PURGE"
/// ```
///
/// Methods are case-sensitive (RFC 9110 section 9.1) and kept as written. A method that is not a token is refused
/// when the request is built, with ``InvalidRequest/Reason/invalidMethod(_:)``, before anything is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Makes a method from any text; whether it is a token is checked when a request is built.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method from any text; whether it is a token is checked when a request is built.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method from a literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The method as it is sent.
    public var description: String { rawValue }

    /// RFC 9110 section 9.3.6. An API client has no use for tunnels: transports may refuse it.
    public static let connect = HTTPMethod("CONNECT")
    /// RFC 9110 section 9.3.5.
    public static let delete = HTTPMethod("DELETE")
    /// RFC 9110 section 9.3.1.
    public static let get = HTTPMethod("GET")
    /// RFC 9110 section 9.3.2.
    public static let head = HTTPMethod("HEAD")
    /// RFC 9110 section 9.3.7.
    public static let options = HTTPMethod("OPTIONS")
    /// RFC 5789.
    public static let patch = HTTPMethod("PATCH")
    /// RFC 9110 section 9.3.3.
    public static let post = HTTPMethod("POST")
    /// RFC 9110 section 9.3.4.
    public static let put = HTTPMethod("PUT")
    /// RFC 9110 section 9.3.8.
    public static let trace = HTTPMethod("TRACE")

    /// The same constant in the spelling that goes over the wire.
    public static var GET: HTTPMethod { .get }
    /// The same constant in the spelling that goes over the wire.
    public static var POST: HTTPMethod { .post }
    /// The same constant in the spelling that goes over the wire.
    public static var PUT: HTTPMethod { .put }
    /// The same constant in the spelling that goes over the wire.
    public static var DELETE: HTTPMethod { .delete }
    /// The same constant in the spelling that goes over the wire.
    public static var PATCH: HTTPMethod { .patch }
    /// The same constant in the spelling that goes over the wire.
    public static var HEAD: HTTPMethod { .head }
    /// The same constant in the spelling that goes over the wire.
    public static var OPTIONS: HTTPMethod { .options }

    /// Whether the method only reads (RFC 9110 section 9.2.1): GET, HEAD, OPTIONS and TRACE.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        default: false
        }
    }

    /// Whether sending it twice means the same as once (RFC 9110 section 9.2.2): the safe methods, PUT and DELETE.
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }

    /// Whether the text is a token (RFC 9110 section 5.6.2), and so can be sent.
    public var isValid: Bool { rawValue.isHTTPToken }
}
