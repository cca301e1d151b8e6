/// How a transport connects, and what it accepts. Everything has a default that suits a service.
///
/// ```swift
/// var configuration = TransportConfiguration()
/// configuration.tls.certificateAuthorities = .file("/etc/ssl/internal-ca.pem")
/// configuration.proxy = .none
/// let transport = CurlTransport(configuration: configuration)
/// ```
///
/// A transport that cannot do what is asked for says so when a request is sent; it never leaves out a check.
public struct TransportConfiguration: Sendable {
    /// Which version of HTTP is spoken.
    public enum ProtocolPreference: Sendable, Hashable {
        /// What both sides can do: HTTP/2 over TLS when the server offers it (ALPN, RFC 7301), else HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 from the first byte, also without TLS (RFC 9113 section 3.3). The server must be known to speak it.
        case http2PriorKnowledge
    }

    /// Which version of HTTP is spoken.
    public var protocolPreference: ProtocolPreference
    /// Certificates and versions of TLS.
    public var tls: TLSConfiguration
    /// Which proxy requests go through.
    public var proxy: ProxyConfiguration
    /// Addresses to use for a host in place of the resolver's, by host name in lower case.
    public var addressOverrides: [String: [IPAddress]]
    /// A Unix domain socket that every connection goes to, whatever the URL's host says.
    public var unixSocketPath: String?
    /// The most connections to one origin over HTTP/1.1; further requests wait. 64 by default: with more, throughput
    /// falls, because each of them gets less of the server.
    public var maximumConnectionsPerHost: Int
    /// The most connections in all; further requests wait.
    public var maximumConnections: Int
    /// The most requests at a time to one origin over HTTP/2. They share a connection as far as the server lets them.
    public var maximumStreamsPerHost: Int
    /// How long an unused connection is kept.
    public var idleConnectionLifetime: Duration
    /// Time limits for requests that set none themselves.
    public var timeouts: Timeouts
    /// How many bytes of a streamed body are kept for a slow reader before the server is slowed down.
    public var bufferSize: Int
    /// The most bytes of header fields in one answer, interim ones included.
    public var maximumHeaderSize: Int
    /// The most header fields in one answer, interim ones included.
    public var maximumHeaderCount: Int
    /// The most bytes of a buffered body, after content decoding, where the request sets no limit.
    public var maximumBodySize: Int
    /// Whether content codings are asked for and undone.
    public var decompression: Decompression
    /// Told what happens to requests, on the transport's own thread: it must return at once.
    public var observer: (@Sendable (TransportEvent) -> Void)?

    /// Makes a configuration with every default.
    public init() {
        protocolPreference = .automatic
        tls = TLSConfiguration()
        proxy = .environment
        addressOverrides = [:]
        unixSocketPath = nil
        maximumConnectionsPerHost = 64
        maximumConnections = 1024
        maximumStreamsPerHost = 100
        idleConnectionLifetime = .seconds(60)
        timeouts = .standard
        bufferSize = 256 * 1024
        maximumHeaderSize = 256 * 1024
        maximumHeaderCount = 1000
        maximumBodySize = .max
        decompression = Decompression()
        observer = nil
    }

    /// How content codings (RFC 9110 section 8.4) are handled.
    ///
    /// A body that was decoded comes without its `Content-Encoding` and `Content-Length`, which describe other bytes.
    public struct Decompression: Sendable, Hashable {
        /// Whether codings are asked for and undone. A request for a range is never decoded.
        public var isEnabled: Bool
        /// How many times larger the decoded body may be than what came over the network, once it is past
        /// ``ratioThreshold``. What goes further is a decompression bomb, and ends in
        /// ``NetworkError/bodyTooLarge(_:)``.
        public var maximumRatio: Int
        /// The decoded size in bytes below which the ratio does not matter.
        public var ratioThreshold: Int

        /// Makes a setting; by default decoding is on, up to 200 times the size for bodies of more than 10 MB.
        public init(isEnabled: Bool = true, maximumRatio: Int = 200, ratioThreshold: Int = 10_000_000) {
            self.isEnabled = isEnabled
            self.maximumRatio = maximumRatio
            self.ratioThreshold = ratioThreshold
        }

        /// The body as it came.
        public static let disabled = Decompression(isEnabled: false)
    }
}
