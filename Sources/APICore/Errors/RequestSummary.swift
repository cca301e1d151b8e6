/// Which request an error is about, without its secrets: what an engineer reads first.
public struct RequestSummary: Sendable, Hashable, CustomStringConvertible {
    /// The operation's name: the option `operationName`, or else the request's type.
    public var operation: String?
    /// The method.
    public var method: HTTPMethod
    /// The URL, the values of sensitive query items replaced.
    public var url: String
    /// Which attempt it was, from 1.
    public var attempt: Int

    /// Makes a summary.
    public init(operation: String? = nil, method: HTTPMethod, url: String, attempt: Int = 1) {
        self.operation = operation
        self.method = method
        self.url = url
        self.attempt = attempt
    }

    /// `ListUsers: GET https://example.com/users (attempt 2)`.
    public var description: String {
        (operation.map { $0 + ": " } ?? "") + "\(method) \(url)" + (attempt > 1 ? " (attempt \(attempt))" : "")
    }
}
