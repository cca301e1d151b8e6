/// Where bearer tokens come from: what you implement for ``BearerAuthentication``.
///
/// ```swift
/// struct Tokens: TokenProvider {
///     let client: APIClient
///     let store: KeychainStore
///
///     func storedToken() async throws -> AccessToken? { try store.token() }
///
///     func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken {
///         let answer = try await client.send(RefreshToken(refreshToken: try store.refreshToken()))
///         let token = AccessToken(answer.accessToken, expiresAt: Date(timeIntervalSinceNow: answer.expiresIn))
///         try store.save(token)
///         return token
///     }
/// }
/// ```
///
/// Both are called one at a time. The client may be the one that uses the tokens: calls made in here carry none.
public protocol TokenProvider: Sendable {
    /// The token from before, or `nil`. Asked once, at the first request.
    func storedToken() async throws -> AccessToken?

    /// A new token.
    ///
    /// - Parameter token: The one that expired or was refused; `nil` when there was none.
    func refreshedToken(replacing token: AccessToken?) async throws -> AccessToken
}

extension TokenProvider {
    /// None: the first request gets a new one.
    public func storedToken() async throws -> AccessToken? { nil }
}
