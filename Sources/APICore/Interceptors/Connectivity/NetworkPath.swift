/// Whether there is a way out of this machine. It does not promise that a server answers.
public struct NetworkPath: Sendable, Hashable {
    /// Whether there is one over IPv4.
    public var supportsIPv4: Bool
    /// Whether there is one over IPv6.
    public var supportsIPv6: Bool

    /// Makes a path.
    public init(supportsIPv4: Bool, supportsIPv6: Bool) {
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
    }

    /// Whether there is any.
    public var isAvailable: Bool { supportsIPv4 || supportsIPv6 }

    /// A way over both.
    public static let available = NetworkPath(supportsIPv4: true, supportsIPv6: true)
    /// No way.
    public static let unavailable = NetworkPath(supportsIPv4: false, supportsIPv6: false)
}
