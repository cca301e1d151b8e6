#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One header field, with factories for the usual ones.
///
/// ```swift
/// let headers: HTTPHeaders = [.accept("application/json"), .authorization(bearerToken: token)]
/// ```
public struct HTTPHeader: Hashable, Sendable {
    /// The field's name.
    public let name: HTTPHeaderKey
    /// The field's value, as it is sent or was received.
    public let value: String

    /// Makes a field. Name and value are checked when a request is built (RFC 9110 sections 5.1 and 5.5).
    public init(name: HTTPHeaderKey, value: String) {
        self.name = name
        self.value = value
    }

    /// Makes a field. Name and value are checked when a request is built (RFC 9110 sections 5.1 and 5.5).
    public init(name: String, value: String) {
        self.init(name: HTTPHeaderKey(name), value: value)
    }
}

extension HTTPHeader: CustomStringConvertible {
    /// `Name: value`, the value of a credential replaced by `<redacted>`.
    public var description: String {
        "\(name): \(SensitiveNames.standard.containsHeader(name) ? SensitiveNames.placeholder : value)"
    }
}

extension HTTPHeader {
    /// `Accept` (RFC 9110 section 12.5.1).
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: .accept, value: value) }

    /// `Accept-Charset` (RFC 9110 section 12.5.2).
    public static func acceptCharset(_ value: String) -> HTTPHeader { HTTPHeader(name: .acceptCharset, value: value) }

    /// `Accept-Language` (RFC 9110 section 12.5.4).
    public static func acceptLanguage(_ value: String) -> HTTPHeader { HTTPHeader(name: .acceptLanguage, value: value) }

    /// `Accept-Encoding` (RFC 9110 section 12.5.3).
    public static func acceptEncoding(_ value: String) -> HTTPHeader { HTTPHeader(name: .acceptEncoding, value: value) }

    /// `Authorization` with the Basic scheme (RFC 7617), the credentials as UTF-8.
    ///
    /// A user name with a colon cannot be told from its password (RFC 7617 section 2); it is sent as given.
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
    }

    /// `Authorization` with the Bearer scheme (RFC 6750 section 2.1).
    public static func authorization(bearerToken: String) -> HTTPHeader {
        authorization("Bearer \(bearerToken)")
    }

    /// `Authorization` (RFC 9110 section 11.6.2).
    public static func authorization(_ value: String) -> HTTPHeader { HTTPHeader(name: .authorization, value: value) }

    /// `Content-Disposition` (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: .contentDisposition, value: value)
    }

    /// `Content-Type` (RFC 9110 section 8.3).
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: .contentType, value: value) }

    /// `Content-Length` (RFC 9110 section 8.6). Transports set it from the body; a different value is refused.
    public static func contentLength(_ value: String) -> HTTPHeader { HTTPHeader(name: .contentLength, value: value) }

    /// `User-Agent` (RFC 9110 section 10.1.5).
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: .userAgent, value: value) }

    /// `Content-Type: application/json; charset=UTF-8`.
    public static let jsonContentType = HTTPHeader.contentType("application/json; charset=UTF-8")

    /// Preferences in descending order with quality values (RFC 9110 section 12.4.2): the first has `q=1`, each
    /// next one a tenth less, never below 0.1. At most ten differ; the rest share the lowest value.
    ///
    /// `["br", "gzip"]` gives `br;q=1.0, gzip;q=0.9`.
    public static func qualityEncoded(_ values: [String]) -> String {
        values.enumerated().map { index, value in
            // Tenths as integers: 1 - 3 * 0.1 is 0.7000000000000001 in binary.
            let tenths = max(10 - index, 1)
            return "\(value);q=\(tenths / 10).\(tenths % 10)"
        }
        .joined(separator: ", ")
    }
}
