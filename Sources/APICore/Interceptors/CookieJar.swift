internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps cookies in memory between requests (RFC 6265bis). Nobody keeps any unless one is made and given to a
/// ``CookieInterceptor``.
public final class CookieJar: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// When it was first set, by counting: the older goes first into a request.
        var created: Int
        /// When it was last sent or set.
        var used: Int
    }

    private struct State {
        var entries: [Entry] = []
        var counter = 0
    }

    /// The most cookies of one domain (section 6.1).
    private static let perDomain = 50
    /// The most cookies in all.
    private static let total = 3000

    private let state = Mutex(State())

    /// Makes an empty jar.
    public init() {}

    /// All cookies.
    public var cookies: [Cookie] { state.withLock { $0.entries.map(\.cookie) } }

    /// Forgets everything.
    public func removeAll() {
        state.withLock { $0.entries = [] }
    }

    /// Adds a cookie in place of the one of the same name, domain and path. One that has ended removes it.
    public func set(_ cookie: Cookie, now: Date = Date()) {
        store(cookie, isSecureOrigin: true, now: now)
    }

    /// Takes the cookies a response sets.
    public func store(_ head: ResponseHead, from url: RequestURL, now: Date = Date()) {
        for field in head.headers.values(for: .setCookie) {
            guard let cookie = CookieParser.parse(field, url: url, now: now) else { continue }
            store(cookie, isSecureOrigin: url.scheme == "https", now: now)
        }
    }

    /// The value of `Cookie` for a request, or `nil` when there is none: longer paths first, then the older.
    public func header(for url: RequestURL, now: Date = Date()) -> String? {
        state.withLock { state in
            state.counter += 1
            var matching: [Entry] = []
            for index in state.entries.indices where state.entries[index].cookie.matches(url, now: now) {
                state.entries[index].used = state.counter
                matching.append(state.entries[index])
            }
            guard !matching.isEmpty else { return nil }
            matching.sort {
                let (left, right) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
                return left == right ? $0.created < $1.created : left > right
            }
            return matching.map { $0.cookie.name.isEmpty ? $0.cookie.value : "\($0.cookie.name)=\($0.cookie.value)" }
                .joined(separator: "; ")
        }
    }

    private func store(_ cookie: Cookie, isSecureOrigin: Bool, now: Date) {
        state.withLock { state in
            // Section 5.7: over plain HTTP nobody may change what was set over TLS.
            let isShadowing = !isSecureOrigin
                && state.entries.contains {
                    $0.cookie.isSecure && $0.cookie.name == cookie.name
                        && (Cookie.host(cookie.domain, belongsTo: $0.cookie.domain)
                            || Cookie.host($0.cookie.domain, belongsTo: cookie.domain))
                        && Cookie.path(cookie.path, isBelow: $0.cookie.path)
                }
            guard !isShadowing else { return }
            state.counter += 1
            let index = state.entries.firstIndex {
                $0.cookie.name == cookie.name && $0.cookie.domain == cookie.domain && $0.cookie.path == cookie.path
                    && $0.cookie.isHostOnly == cookie.isHostOnly
            }
            let isGone = cookie.expires.map { $0 <= now } ?? false
            if let index {
                if isGone {
                    state.entries.remove(at: index)
                } else {
                    state.entries[index].cookie = cookie
                    state.entries[index].used = state.counter
                }
                return
            }
            guard !isGone else { return }
            state.entries.append(Entry(cookie: cookie, created: state.counter, used: state.counter))
            CookieJar.trim(&state, domain: cookie.domain, now: now)
        }
    }

    /// Section 5.7: what has ended goes first, then what was not used for longest.
    private static func trim(_ state: inout State, domain: String, now: Date) {
        guard state.entries.count > perDomain else { return }
        state.entries.removeAll { $0.cookie.expires.map { $0 <= now } ?? false }
        func removeOldest(where isCandidate: (Entry) -> Bool) {
            let oldest = state.entries.indices.filter { isCandidate(state.entries[$0]) }
                .min { state.entries[$0].used < state.entries[$1].used }
            if let oldest { state.entries.remove(at: oldest) }
        }
        while state.entries.count(where: { $0.cookie.domain == domain }) > perDomain {
            removeOldest { $0.cookie.domain == domain }
        }
        while state.entries.count > total { removeOldest { _ in true } }
    }
}
