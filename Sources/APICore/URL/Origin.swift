/// Scheme, host and port: what credentials belong to (RFC 6454).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case and ASCII; an IPv6 address stands in brackets.
    public let host: String
    /// The port, the scheme's default where the URL names none.
    public let port: Int

    /// `https://example.com:8443`; the default port is left out.
    public var description: String {
        port == RequestURL.defaultPort(of: scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
