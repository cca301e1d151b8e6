/// One message of a ``LoggingInterceptor``: may have several lines.
public struct LogMessage: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable {
        /// As it should be.
        case info
        /// An answer with an error status.
        case warning
        /// No answer.
        case error
    }

    /// How bad it is.
    public let severity: Severity
    /// Tells the requests of a process apart.
    public let identifier: UInt64
    /// The operation's name.
    public let operation: String?
    /// The text, credentials replaced.
    public let text: String

    /// The text behind the request's number: `#12 <- 200 OK`.
    public var description: String { "#\(identifier) \(text)" }
}
