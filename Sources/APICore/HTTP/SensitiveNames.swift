/// Which header fields, query items and JSON fields hold credentials, and are therefore never shown.
///
/// Descriptions, errors and logs replace their values by `<redacted>`. Names compare without case.
public struct SensitiveNames: Sendable, Hashable {
    /// What stands in the place of a secret.
    public static let placeholder = "<redacted>"

    private var headers: Set<String>
    private var fields: Set<String>

    /// The names that are sensitive everywhere: authorization, cookies, API keys, tokens, secrets, passwords,
    /// signatures.
    public static let standard = SensitiveNames(
        headers: [
            "authorization", "proxy-authorization", "authentication-info", "cookie", "set-cookie", "x-api-key",
            "api-key",
            "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token", "x-amz-security-token",
            "x-goog-api-key", "x-vault-token", "x-gitlab-token", "private-token", "www-authenticate",
            "proxy-authenticate",
        ],
        fields: [
            "access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "token", "api_key", "apikey",
            "api-key", "key", "secret", "client_secret", "clientsecret", "password", "passwd", "pwd", "signature",
            "sig",
            "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature", "assertion",
            "sessionid", "session_id", "authorization", "auth", "private_key", "credential",
        ])

    /// Makes a set from header names and from names of query items and JSON fields.
    public init(headers: some Sequence<String>, fields: some Sequence<String>) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.fields = Set(fields.map { $0.lowercased() })
    }

    /// This set with more names.
    public func adding(headers: [HTTPHeaderKey] = [], fields: [String] = []) -> SensitiveNames {
        var result = self
        result.headers.formUnion(headers.map { $0.rawValue.lowercased() })
        result.fields.formUnion(fields.map { $0.lowercased() })
        return result
    }

    /// The names of both sets.
    public func union(_ other: SensitiveNames) -> SensitiveNames {
        // Nearly always both are the standard set: do not copy it.
        if self == other { return self }
        var result = self
        result.headers.formUnion(other.headers)
        result.fields.formUnion(other.fields)
        return result
    }

    /// Whether the field's value is a credential.
    public func containsHeader(_ name: HTTPHeaderKey) -> Bool {
        headers.contains(name.rawValue.lowercased())
    }

    /// Whether the query item's or JSON field's value is a credential.
    public func containsField(_ name: some StringProtocol) -> Bool {
        fields.contains(name.lowercased())
    }
}
