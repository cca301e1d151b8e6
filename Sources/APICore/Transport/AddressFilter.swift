/// Decides whether a connection to an address is allowed: the guard against requests that are forged to reach private
/// hosts.
///
/// Asked with the address a connection really goes to, after name resolution and on every redirect hop, before a byte
/// is sent.
public struct AddressFilter: Sendable {
    /// Whether the address is allowed.
    public let allows: @Sendable (IPAddress) -> Bool

    /// Makes a filter.
    public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) {
        self.allows = allows
    }

    /// Only addresses of the public internet: see ``IPAddress/isPubliclyRoutable``.
    public static let publicOnly = AddressFilter { $0.isPubliclyRoutable }
}
