#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which proxy requests go through.
public struct ProxyConfiguration: Sendable, Hashable {
    /// How the proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// An HTTP proxy: `http` requests are sent to it, `https` ones tunnel through it (RFC 9110 section 9.3.6).
        case http
        /// The same, reached over TLS.
        case https
        /// SOCKS5 (RFC 1928), names resolved here.
        case socks5
        /// SOCKS5, names resolved by the proxy.
        case socks5h
    }

    /// One proxy.
    public struct Server: Sendable, Hashable {
        /// How it is spoken to.
        public var kind: Kind
        /// Its name or address.
        public var host: String
        /// Its port.
        public var port: Int
        /// The user name it asks for.
        public var username: String?
        /// The password it asks for.
        public var password: String?

        /// Names a proxy.
        public init(
            _ kind: Kind, host: String, port: Int, username: String? = nil, password: String? = nil
        ) {
            self.kind = kind
            self.host = host
            self.port = port
            self.username = username
            self.password = password
        }

        /// Reads the form of the environment variables: `http://user:password@host:port`. Without a scheme it is an
        /// HTTP proxy; without a port 1080.
        public init?(_ text: String) {
            var rest = text[...]
            var kind = Kind.http
            if let separator = rest.utf8.firstRange(of: "://".utf8) {
                let scheme = rest[..<separator.lowerBound].lowercased()
                guard let known = scheme == "socks" ? .socks5 : Kind(rawValue: scheme) else { return nil }
                kind = known
                rest = rest[separator.upperBound...]
            }
            rest = rest.prefix { $0 != "/" }
            if let at = rest.lastIndex(of: "@") {
                let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                username = PercentEncoding.decode(parts[0])
                password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
                rest = rest[rest.index(after: at)...]
            }
            var port = 1080
            let afterBracket = rest.lastIndex(of: "]") ?? rest.startIndex
            if let colon = rest[afterBracket...].lastIndex(of: ":") {
                guard let number = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(number) else {
                    return nil
                }
                port = number
                rest = rest[..<colon]
            }
            guard !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
            self.kind = kind
            self.port = port
            host = String(rest)
        }
    }

    /// The proxy of requests to `http` URLs.
    public var http: Server?
    /// The proxy of requests to `https` URLs.
    public var https: Server?
    /// Hosts that are reached directly: names (and all below them), addresses, blocks of addresses
    /// (`10.0.0.0/8`), or `*` for all.
    public var exceptions: [String]

    /// Makes a configuration.
    public init(http: Server?, https: Server?, exceptions: [String] = []) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// One proxy for everything.
    public static func server(_ server: Server, exceptions: [String] = []) -> ProxyConfiguration {
        ProxyConfiguration(http: server, https: server, exceptions: exceptions)
    }

    /// No proxy, whatever the environment says.
    public static let none = ProxyConfiguration(http: nil, https: nil)

    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, read once.
    public static let environment = ProxyConfiguration(environment: ProcessInfo.processInfo.environment)

    /// What the variables say, in lower or upper case. `HTTP_PROXY` in upper case is not read: in a CGI program a
    /// request's `Proxy` field ends up in it.
    public init(environment: [String: String]) {
        func server(_ names: String...) -> Server? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }.flatMap { Server($0) }
        }
        let fallback = server("all_proxy", "ALL_PROXY")
        http = server("http_proxy") ?? fallback
        https = server("https_proxy", "HTTPS_PROXY") ?? fallback
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split(whereSeparator: { $0 == "," || $0 == " " }).map { String($0) }
    }
}

extension ProxyConfiguration.Server: CustomStringConvertible {
    /// `http://host:port`; user name and password are secrets.
    public var description: String { "\(kind.rawValue)://\(host):\(port)" }
}
