/// Which statuses are successes. The others become ``NetworkError/api(_:)``.
public struct StatusValidation: Sendable {
    /// Whether a status is a success.
    public let accepts: @Sendable (HTTPStatusCode) -> Bool

    /// Makes a rule.
    public init(_ accepts: @escaping @Sendable (HTTPStatusCode) -> Bool) {
        self.accepts = accepts
    }

    /// 200 to 299, the default.
    public static let success = StatusValidation { $0.isSuccess }
    /// Every status: the caller looks at it.
    public static let any = StatusValidation { _ in true }
    /// 200 to 299 and 304, for callers who revalidate on their own.
    public static let successOrNotModified = StatusValidation { $0.isSuccess || $0 == .notModified }
}
