/// How much a ``LoggingInterceptor`` writes of each request.
public enum LogLevel: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing.
    case off
    /// Requests that failed, and answers that are errors.
    case errors
    /// One line for each request and its outcome.
    case basic
    /// Header fields too.
    case headers
    /// Bodies too, cut to a length.
    case bodies

    private var rank: Int { LogLevel.allCases.firstIndex(of: self) ?? 0 }

    /// Orders by how much is written.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
