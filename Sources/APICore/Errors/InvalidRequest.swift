/// Why a request was refused before anything was sent.
public struct InvalidRequest: Error, Sendable, Hashable {
    /// What is wrong, and where.
    public let reason: Reason
    /// The request, as far as it was known.
    public var request: RequestSummary?

    /// Makes the error.
    public init(_ reason: Reason, request: RequestSummary? = nil) {
        self.reason = reason
        self.request = request
    }

    /// What is wrong, and where.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Sendable, Hashable {
        /// A base URL, a URL given as text, or a redirect target.
        case invalidURL(text: String, URLProblem)
        /// The method is not a token (RFC 9110 section 9.1).
        case invalidMethod(String)
        /// The name is not a token (RFC 9110 section 5.1).
        case invalidHeaderName(String)
        /// The value holds a line break, NUL or another control character (RFC 9110 section 5.5). The value itself is
        /// not kept: it may be a secret.
        case invalidHeaderValue(name: String)
        /// The path cannot be appended to the base URL.
        case invalidPath(String, PathProblem)
        /// The request describes two bodies: `body`, and `parameters` with the body as their destination.
        case twoBodies
        /// The request has no base URL to append its path to.
        case missingBaseURL
        /// The body's length and the caller's `Content-Length` differ.
        case contentLengthMismatch(header: String, body: Int)
        /// A header field that only the transport may set, such as `Transfer-Encoding`.
        case reservedHeader(name: String, reason: String)
        /// A body that cannot be read, such as a file that does not exist.
        case unreadableBody(String)
        /// Anything else a part of the client found wrong.
        case other(String)
    }

    /// What is wrong with a URL.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum URLProblem: Error, Sendable, Hashable {
        /// The text is empty.
        case empty
        /// There is no `http:` or `https:` in front.
        case missingScheme
        /// The scheme is not `http` or `https`.
        case unsupportedScheme(String)
        /// There is no host.
        case missingHost
        /// The host is not a name or address.
        case invalidHost(String)
        /// The port is not a number from 1 to 65535.
        case invalidPort(String)
        /// A user name or password stands before the host (RFC 9110 section 4.2.4).
        case containsCredentials
        /// A line break, NUL or another control character.
        case controlCharacter
    }

    /// What is wrong with a path.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PathProblem: Sendable, Hashable {
        /// A line break, NUL or another control character.
        case controlCharacter
        /// A `?` in a path of type `String`, which would start a query.
        case containsQuery
        /// A `#`, which would start a fragment.
        case containsFragment
        /// A `.` or `..` segment, which could climb out of the base URL.
        case dotSegment
        /// The path is an absolute URL.
        case absoluteURL
        /// An interpolated value is empty, which would make the path another one: `users/` in place of `users/7`.
        case emptyValue
    }
}

extension InvalidRequest: CustomStringConvertible {
    /// One sentence that says what is wrong and what to do.
    public var description: String {
        let text = "invalid request: \(reason)"
        return request.map { "\($0): \(text)" } ?? text
    }
}

extension InvalidRequest.Reason: CustomStringConvertible {
    /// One sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .invalidURL(let text, let problem): "the URL \(text.debugDescription) \(problem)"
        case .invalidMethod(let method): "the method \(method.debugDescription) is not a token"
        case .invalidHeaderName(let name): "the header name \(name.debugDescription) is not a token"
        case .invalidHeaderValue(let name):
            "the value of the header \(name) holds a line break, NUL or another control character"
        case .invalidPath(let path, let problem): "the path \(path.debugDescription) \(problem)"
        case .twoBodies: "there is a body, and parameters that go to the body: give one of them"
        case .missingBaseURL: "there is no base URL: set one in the environment or in the request's options"
        case .contentLengthMismatch(let header, let body):
            "the header says Content-Length: \(header), the body has \(body) bytes"
        case .reservedHeader(let name, let reason): "the header \(name) may not be set: \(reason)"
        case .unreadableBody(let reason): "the body cannot be read: \(reason)"
        case .other(let reason): reason
        }
    }
}

extension InvalidRequest.URLProblem: CustomStringConvertible {
    /// The end of a sentence that starts with the URL.
    public var description: String {
        switch self {
        case .empty: "is empty"
        case .missingScheme: "has no scheme: write https:// in front"
        case .unsupportedScheme(let scheme): "has the scheme \(scheme.debugDescription): only http and https are sent"
        case .missingHost: "has no host"
        case .invalidHost(let host): "has the host \(host.debugDescription), which is no host name or address"
        case .invalidPort(let port): "has the port \(port.debugDescription), which is no number from 1 to 65535"
        case .containsCredentials: "holds credentials: send them in an Authorization header"
        case .controlCharacter: "holds a control character"
        }
    }
}

extension InvalidRequest.PathProblem: CustomStringConvertible {
    /// The end of a sentence that starts with the path.
    public var description: String {
        switch self {
        case .controlCharacter: "holds a control character"
        case .containsQuery: "holds a question mark: put query items into parameters, or make the path a RequestPath"
        case .containsFragment: "holds a number sign: a fragment is never sent, write %23 for the character"
        case .dotSegment: "holds a dot segment, which could leave the base URL: write the path without . and .."
        case .absoluteURL: "is an absolute URL: use dataRequest(url:) or the option baseURL instead"
        case .emptyValue: "holds an empty value where a segment should be"
        }
    }
}
