#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a transport accepts and offers in a TLS handshake. By default it verifies the server's certificate and name
/// against the system's authorities.
public struct TLSConfiguration: Sendable, Hashable {
    /// Certificates or a key in PEM (RFC 7468), from a file or from memory.
    public enum PEM: Sendable, Hashable {
        /// The path of a file.
        case file(String)
        /// The file's content.
        case bytes(Data)
    }

    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// RFC 5246.
        case v1_2
        /// RFC 8446.
        case v1_3
    }

    /// What the client shows of itself (RFC 8446 section 4.4.2).
    public struct ClientIdentity: Sendable, Hashable {
        /// The certificate, and the ones between it and the authority.
        public var certificate: PEM
        /// Its private key.
        public var privateKey: PEM
        /// The key's passphrase, if it has one.
        public var passphrase: String?

        /// Makes an identity.
        public init(certificate: PEM, privateKey: PEM, passphrase: String? = nil) {
            self.certificate = certificate
            self.privateKey = privateKey
            self.passphrase = passphrase
        }
    }

    /// The authorities to trust in place of the system's.
    public var certificateAuthorities: PEM?
    /// What the client shows when the server asks for a certificate.
    public var clientIdentity: ClientIdentity?
    /// SHA-256 of the public keys a server may have, in base64: the `pin-sha256` of RFC 7469 section 2.4. Empty for any
    /// key. Pins are checked besides the certificate, not in place of it.
    public var pinnedPublicKeys: [String]
    /// The oldest version to accept.
    public var minimumVersion: Version
    /// Turns off every check of who the server is: anybody on the way can read and change what is sent. For tests.
    public var disablesVerification: Bool

    /// Makes a configuration.
    public init(
        certificateAuthorities: PEM? = nil, clientIdentity: ClientIdentity? = nil, pinnedPublicKeys: [String] = [],
        minimumVersion: Version = .v1_2, disablesVerification: Bool = false
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.clientIdentity = clientIdentity
        self.pinnedPublicKeys = pinnedPublicKeys
        self.minimumVersion = minimumVersion
        self.disablesVerification = disablesVerification
    }
}

extension TLSConfiguration.ClientIdentity: CustomStringConvertible {
    /// The certificate alone: key and passphrase are secrets.
    public var description: String { "ClientIdentity(certificate: \(certificate))" }
}
