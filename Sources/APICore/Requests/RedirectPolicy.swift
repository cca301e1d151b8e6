/// Which redirects are followed (RFC 9110 section 15.4).
public struct RedirectPolicy: Sendable {
    /// The most redirects in one request.
    public var limit: Int
    /// Asked before each redirect, with the answer and the request that would follow; `nil` stops there and returns
    /// the redirect itself.
    public var decide: (@Sendable (_ response: ResponseHead, _ next: HTTPRequest) -> HTTPRequest?)?

    /// Makes a policy.
    public init(
        limit: Int = 10, decide: (@Sendable (_ response: ResponseHead, _ next: HTTPRequest) -> HTTPRequest?)? = nil
    ) {
        self.limit = limit
        self.decide = decide
    }

    /// Ten redirects, the default.
    public static let follow = RedirectPolicy()
    /// None: the redirect is the answer. Combine with a ``StatusValidation`` that accepts it.
    public static let never = RedirectPolicy(limit: 0) { _, _ in nil }
}
