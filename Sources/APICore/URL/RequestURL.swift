#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An absolute `http` or `https` URL, checked and ready to be sent (RFC 3986, RFC 9110 section 4.2).
///
/// Text that is already a URL is encoded at most once: escapes in it stay as they are, characters that may not stand
/// in a URL are percent-encoded as UTF-8, international host names become their ASCII form. Line breaks, NUL and other
/// control characters, credentials before the host (RFC 9110 section 4.2.4) and other schemes are refused. A fragment
/// is dropped, as it is never sent. Dot segments are removed (RFC 3986 section 5.2.4).
///
/// Foundation's `URL` is not used for this: on Linux it drops base paths, re-encodes a whole text over one bad `%`,
/// leaves `+` unencoded in query values, and is five times slower.
public struct RequestURL: Hashable, Sendable {
    /// One reference, so that copying a request stays cheap.
    private final class Storage: Sendable {
        let scheme: String
        let host: String
        let port: Int?
        let path: String
        let query: String?
        let string: String

        init(scheme: String, host: String, port: Int?, path: String, query: String?) {
            self.scheme = scheme
            self.host = host
            self.port = port
            self.path = path
            self.query = query
            var string = scheme + "://" + host
            if let port { string += ":" + String(port) }
            string += path
            if let query {
                string += "?"
                string += query
            }
            self.string = string
        }
    }

    private let storage: Storage

    /// `http` or `https`, in lower case.
    public var scheme: String { storage.scheme }
    /// The host in lower case and ASCII; an IPv6 address stands in brackets.
    public var host: String { storage.host }
    /// The port the URL names, if it is not the scheme's default.
    public var port: Int? { storage.port }
    /// The encoded path, empty or starting with a slash.
    public var path: String { storage.path }
    /// The encoded query without its question mark.
    public var query: String? { storage.query }
    /// The whole URL, as it is sent.
    public var string: String { storage.string }

    /// Scheme, host and port.
    public var origin: Origin {
        Origin(scheme: scheme, host: host, port: port ?? RequestURL.defaultPort(of: scheme))
    }

    /// The request target in origin-form (RFC 9112 section 3.2.1): path and query.
    public var target: String {
        (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "")
    }

    /// The same as Foundation's type; `nil` in the rare case that it refuses the text.
    public var foundationURL: URL? { URL(string: string) }

    init(scheme: String, host: String, port: Int?, path: String, query: String?) {
        storage = Storage(
            scheme: scheme, host: host, port: port == RequestURL.defaultPort(of: scheme) ? nil : port, path: path,
            query: query)
    }

    /// Reads an absolute URL.
    ///
    /// - Throws: ``InvalidRequest`` that says what is wrong with the text.
    public init(_ text: String) throws(InvalidRequest) {
        self = try URLParser.parse(text)
    }

    /// Takes over a Foundation URL as it is written.
    ///
    /// - Throws: ``InvalidRequest`` when it is not an absolute `http` or `https` URL.
    public init(_ url: URL) throws(InvalidRequest) {
        self = try URLParser.parse(url.absoluteString)
    }

    /// The URL with another query, given in its encoded form; `nil` removes it.
    func replacing(query: String?) -> RequestURL {
        RequestURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// The URL with more query items behind the ones it has, given in their encoded form.
    func appending(encodedQuery: String) -> RequestURL {
        guard !encodedQuery.isEmpty else { return self }
        guard let query, !query.isEmpty else { return replacing(query: encodedQuery) }
        return replacing(query: query + "&" + encodedQuery)
    }

    static func defaultPort(of scheme: String) -> Int { scheme == "http" ? 80 : 443 }

    /// Compares the whole text.
    public static func == (left: RequestURL, right: RequestURL) -> Bool {
        left.storage === right.storage || left.string == right.string
    }

    /// Hashes the whole text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(string)
    }
}

extension RequestURL: CustomStringConvertible {
    /// The URL with the values of sensitive query items replaced, so that it can be logged.
    public var description: String { redacted(.standard) }

    /// The URL with the values of the named query items replaced by `<redacted>`.
    public func redacted(_ names: SensitiveNames) -> String {
        guard let query, query.utf8.contains(UInt8(ascii: "=")) else { return string }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let equals = item.firstIndex(of: "="),
                names.containsField(PercentEncoding.decode(item[..<equals]))
            else { return String(item) }
            return item[...equals] + SensitiveNames.placeholder
        }
        return replacing(query: nil).string + "?" + items.joined(separator: "&")
    }
}

extension RequestURL: Codable {
    /// Reads the URL from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try URLParser.parse(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error.reason)")
        }
    }

    /// Writes the URL as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}
