/// How many requests a ``ConcurrencyLimitInterceptor`` lets be under way at a time.
public struct ConcurrencyLimit: Sendable, Hashable {
    /// In all; `nil` for no limit.
    public var total: Int?
    /// To each origin; `nil` for no limit.
    public var perOrigin: Int?
    /// The longest a request waits for its turn; `nil` waits for as long as its deadline allows.
    public var maximumWait: Duration?

    /// Makes a limit. Numbers less than 1 are 1.
    public init(total: Int? = nil, perOrigin: Int? = nil, maximumWait: Duration? = nil) {
        self.total = total
        self.perOrigin = perOrigin
        self.maximumWait = maximumWait
    }
}
