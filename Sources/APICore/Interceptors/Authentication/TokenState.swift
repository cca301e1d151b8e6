#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which token is good, and whether a new one is on its way: the decisions of ``BearerAuthentication``, without I/O.
struct TokenState: Sendable {
    /// What a request does next.
    enum Action: Sendable, Equatable {
        /// Send it with this token.
        case use(AccessToken)
        /// Start to fetch a token, and wait for it.
        case fetch(replacing: AccessToken?)
        /// Wait for the fetch that is under way.
        case wait
    }

    private(set) var token: AccessToken?
    private(set) var isFetching = false
    /// The token was refused: it is not used again, even if the fetch fails.
    private var isRefused = false
    /// How long before its end a token is replaced.
    let leeway: Duration

    init(leeway: Duration) {
        self.leeway = leeway
    }

    /// A request is about to be sent.
    mutating func beforeSending(date: Date) -> Action {
        if let token, !isRefused, !isExpiring(token, date: date) { return .use(token) }
        return fetchOrWait()
    }

    /// A request was answered with 401. When its token was replaced meanwhile, the new one is used at once.
    mutating func unauthorized(with used: AccessToken, date: Date) -> Action {
        if let token, token.value != used.value, !isRefused { return .use(token) }
        isRefused = true
        return fetchOrWait()
    }

    /// The token was refused, and the request cannot be sent again: the next request fetches a new one.
    mutating func refused(_ used: AccessToken) {
        if token?.value == used.value { isRefused = true }
    }

    /// The fetch has ended; `nil` means that it failed.
    mutating func fetched(_ new: AccessToken?) {
        isFetching = false
        guard let new else { return }
        token = new
        isRefused = false
    }

    /// Whether a token whose replacement failed is still worth sending.
    func usable(date: Date) -> AccessToken? {
        guard let token, !isRefused, token.expiresAt.map({ $0 > date }) ?? true else { return nil }
        return token
    }

    private mutating func fetchOrWait() -> Action {
        if isFetching { return .wait }
        isFetching = true
        return .fetch(replacing: token)
    }

    private func isExpiring(_ token: AccessToken, date: Date) -> Bool {
        guard let end = token.expiresAt else { return false }
        return end.timeIntervalSince(date) <= leeway.inSeconds
    }
}
