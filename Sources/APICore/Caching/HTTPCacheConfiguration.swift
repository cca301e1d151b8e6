extension HTTPCache {
    /// How an HTTP cache works; every part has a default.
    public struct Configuration: Sendable {
        /// The cache's name in `Cache-Status` (RFC 9211): a token, without spaces.
        public var name: String

        /// How requests are treated that do not say so themselves.
        public var policy: CachePolicy

        /// The longest body that is stored, in bytes. Longer ones pass through.
        public var entrySizeLimit: Int

        /// How stale a stored response may be to stand in for one that cannot be had because there is no connection
        /// (RFC 9111 section 4.2.4). What a server forbids with `must-revalidate` or `no-cache` stays forbidden, and what
        /// it allows with `stale-if-error` comes on top. `.zero` means never.
        public var staleWhenDisconnected: Duration

        /// The name under which the response to a request is stored; `nil` leaves the request to the network. By default
        /// the URL.
        ///
        /// Requests with the same key get the same response, so leave nothing out that the server looks at, but what
        /// `Vary` names. Purging by URL asks for the key of a plain GET.
        public var key: @Sendable (_ request: HTTPRequest) -> String?

        /// Where the date comes from.
        public var time: TimeSource

        /// Makes a configuration; everything has a default.
        public init(
            name: String = "APILayer", policy: CachePolicy = .use, entrySizeLimit: Int = 32 << 20,
            staleWhenDisconnected: Duration = .seconds(300),
            key: @escaping @Sendable (_ request: HTTPRequest) -> String? = { $0.url.string },
            time: TimeSource = .system
        ) {
            self.name = name
            self.policy = policy
            self.entrySizeLimit = entrySizeLimit
            self.staleWhenDisconnected = staleWhenDisconnected
            self.key = key
            self.time = time
        }
    }
}
