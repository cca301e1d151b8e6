#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A bearer token (RFC 6750) and when it expires. Never shown in descriptions.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The token as it is sent.
    public let value: String
    /// When it expires, if that is known.
    public let expiresAt: Date?

    /// Makes a token.
    public init(_ value: String, expiresAt: Date? = nil) {
        self.value = value
        self.expiresAt = expiresAt
    }

    /// Everything but the token itself.
    public var description: String {
        "AccessToken(\(SensitiveNames.placeholder)" + (expiresAt.map { ", expires \(HTTPDate.string(from: $0))" } ?? "")
            + ")"
    }

    /// Everything but the token itself.
    public var debugDescription: String { description }

    /// The description alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
