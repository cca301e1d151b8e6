public import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A private HTTP cache (RFC 9111) as a link of a client's chain.
///
/// ```swift
/// let cache = HTTPCache(directory: "/var/cache/my-service")
/// let client = APIClient(environment: environment, interceptors: [cache])
/// ```
///
/// Fresh responses come from the storage without the network; stale ones are validated with `If-None-Match` and
/// `If-Modified-Since`; `stale-while-revalidate` and `stale-if-error` (RFC 5861), `immutable` (RFC 8246), `Vary`, byte
/// ranges of stored bodies, HEAD, and invalidation by unsafe methods work as the RFCs say. A body that is read as it
/// arrives is stored as it passes, and only if it arrives whole. What the cache did is in `Cache-Status` (RFC 9211) of
/// every response.
///
/// How a request is treated is up to `RequestOptions.cachePolicy`, else to the configuration, and to the request's own
/// `Cache-Control`. A request that brings conditions of its own (`If-None-Match` and the like) passes through.
///
/// Where to put it: after whatever adds header fields that the server looks at, credentials above all, and before what
/// retries. A response to a request with `Authorization` is given to requests with the same value only, unless it is
/// `public`. Partial responses (206) are not stored.
///
/// On Linux, `URLCache` does none of this: it neither validates nor survives the process, and ignores `Vary`.
public final class HTTPCache: Interceptor {
    /// Where the responses are.
    public let storage: any CacheStorage

    /// How the cache works.
    public let configuration: Configuration

    private let revalidations = Locked<[CacheKey: Task<Void, Never>]>([:])

    /// Makes a cache on top of a storage, which other caches with the same keys may share.
    public init(storage: any CacheStorage, configuration: Configuration = Configuration()) {
        self.storage = storage
        self.configuration = configuration
    }

    /// Makes a cache in a folder, with the responses used last in memory.
    ///
    /// - Parameters:
    ///   - directory: The folder, which is created when the first response is stored. Processes may share it.
    ///   - diskLimit: The most bytes on disk.
    ///   - memoryLimit: The most bytes in memory.
    ///   - configuration: How the cache works.
    public convenience init(
        directory: String, diskLimit: Int = 256 << 20, memoryLimit: Int = 32 << 20,
        configuration: Configuration = Configuration()
    ) {
        let disk = DiskStorage(directory: directory, configuration: .init(sizeLimit: diskLimit))
        let storage = LayeredStorage(front: MemoryStorage(costLimit: memoryLimit), back: disk)
        self.init(storage: storage, configuration: configuration)
    }

    /// Makes a cache that lives in memory and ends with the process.
    ///
    /// - Parameters:
    ///   - memoryLimit: The most bytes in memory.
    ///   - configuration: How the cache works.
    public convenience init(memoryLimit: Int = 32 << 20, configuration: Configuration = Configuration()) {
        self.init(storage: MemoryStorage(costLimit: memoryLimit), configuration: configuration)
    }

    /// Answers from the storage or from the network.
    ///
    /// - Throws: What the rest of the chain throws, unless a stored response may stand in.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        let policy = request.options.cachePolicy ?? configuration.policy
        guard request.method == .get || request.method == .head else {
            return try await forwardUnsafe(request, policy: policy, next: next)
        }
        var exchange = Exchange(request: request, policy: policy, next: next)
        guard policy != .ignore, !exchange.directives.noStore, !Validation.isConditional(request.headers),
            !exchange.hasUnusualRange, let key = configuration.key(request)
        else { return try await forward(exchange, because: .bypass) }
        exchange.key = CacheKey(key)
        return try await answer(exchange)
    }

    private func answer(_ exchange: Exchange) async throws(NetworkError) -> HTTPResponse {
        switch await lookUp(exchange) {
        case .found(let found):
            let now = now()
            let decision = ReuseDecision.decide(
                found.stored, directives: exchange.directives, policy: exchange.policy, now: now)
            switch decision {
            case .use, .useStale:
                return response(from: found, to: exchange, at: now)
            case .useStaleAndRevalidate:
                revalidateInBackground(found, exchange)
                return response(from: found, to: exchange, at: now)
            case .validate(let reason):
                if exchange.isOnlyIfCached { return notCached() }
                return try await validate(found, exchange, because: reason == .request ? .request : .stale)
            }
        case .missing(let variants):
            if exchange.isOnlyIfCached { return notCached() }
            return try await fetch(
                exchange, because: variants == nil ? .uriMiss : .varyMiss, replacing: nil, variants: variants)
        }
    }

    /// Forgets the responses of a URL, all variants of them.
    public func remove(_ url: RequestURL) async {
        guard let key = configuration.key(HTTPRequest(url: url)) else { return }
        // Variants are reached through this entry only.
        await storage.removeValue(for: CacheKey(key))
    }

    /// Forgets the responses of all URLs (keys, if there is a hook for them) that begin with a text. Slow in a large
    /// storage: it looks at every key.
    public func removeAll(withPrefix prefix: String) async {
        await storage.removeValues(withPrefix: CacheKey(prefix))
    }

    /// Forgets everything in the storage.
    public func removeAll() async {
        await storage.removeAll()
    }

    /// Waits until the revalidations in the background that are under way have ended.
    public func revalidated() async {
        for task in revalidations.withLock({ Array($0.values) }) { await task.value }
    }

    /// The time in seconds since 1970.
    func now() -> Double {
        configuration.time.date().timeIntervalSince1970
    }

    /// One at a time for each stored response (RFC 5861 section 3).
    private func revalidateInBackground(_ found: Found, _ exchange: Exchange) {
        revalidations.withLock { revalidations in
            guard revalidations[found.key] == nil else { return }
            revalidations[found.key] = Task.detached(priority: .utility) { [self] in
                await revalidate(found, exchange)
                _ = self.revalidations.withLock { $0.removeValue(forKey: found.key) }
            }
        }
    }

    private func revalidate(_ found: Found, _ exchange: Exchange) async {
        var exchange = exchange
        // The caller has its answer: its deadline and its way of reading do not count any more.
        exchange.request.context.deadline = nil
        exchange.request.delivery = .streamed
        exchange.request.method = .get
        exchange.request.headers.remove(.range)
        do {
            let response = try await validate(found, exchange, because: .stale)
            for try await _ in response.body {}
        } catch {
            // The stored response stays; the next request tries again.
        }
    }
}
