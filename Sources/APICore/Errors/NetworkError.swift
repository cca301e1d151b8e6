/// Everything that can go wrong between a request and its typed answer.
///
/// Cases are told apart by what a caller can do about them. Each payload knows the request, so that the description
/// is enough to start from:
///
/// ```swift
/// do {
///     let user = try await client.send(FetchUser(id: 7))
/// } catch .api(let error) where error.status == .notFound {
///     return nil
/// } catch {
///     log.error("\(error)")   // FetchUser: GET https://api.example.com/users/7: 500 Internal Server Error: …
///     throw error
/// }
/// ```
///
/// End such a list with a plain `catch` that throws on, as here: Swift 6.3.1 crashes on a list that is not exhaustive,
/// in a function with untyped `throws`, when a closure inside it captures the payload.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public indirect enum NetworkError: Error, Sendable {
    /// The request could not be built; nothing was sent. The caller's mistake.
    case invalidRequest(InvalidRequest)
    /// The body or the parameters could not be encoded; nothing was sent.
    case encoding(EncodingFailure)
    /// No connection, or it broke. Often passes by itself.
    case connectivity(ConnectivityFailure)
    /// A time limit expired; the payload says which one.
    case timeout(TimeoutFailure)
    /// The secure channel could not be made: the certificate, its name, or the protocol.
    case tls(TLSFailure)
    /// The caller's task was cancelled, or the request was.
    case cancelled
    /// The response's body is larger than allowed.
    case bodyTooLarge(BodyTooLarge)
    /// The response ended before it was complete.
    case truncated(TruncatedBody)
    /// What came is not HTTP, or breaks its rules in a way that makes it unsafe to go on.
    case invalidResponse(InvalidResponse)
    /// A chain of redirects was too long, looped, or led where it may not.
    case redirect(RedirectFailure)
    /// The response is not of the expected type.
    case decoding(DecodingFailure)
    /// The server answered with a status that is no success.
    case api(APIError)
    /// A file could not be read or written, or what was written is not what was expected.
    case file(FileFailure)
    /// Nothing was sent: the server has been failing, and a circuit breaker gives it a pause.
    case circuitOpen(CircuitOpen)
    /// An error of the caller's own closures, or of an interceptor.
    case other(any Error)
}

extension NetworkError {
    /// Whether this is a cancellation: nothing to report to a user.
    public var isCancellation: Bool {
        switch self {
        case .cancelled: true
        case .other(let error): error is CancellationError
        default: false
        }
    }

    /// The status of an unsuccessful answer, if there was one.
    public var status: HTTPStatusCode? {
        switch self {
        case .api(let error): error.status
        case .decoding(let failure): failure.status
        default: nil
        }
    }

    /// The server's answer, if that is the error.
    public var apiError: APIError? {
        if case .api(let error) = self { error } else { nil }
    }

    /// Which request it was.
    public var request: RequestSummary? {
        switch self {
        case .invalidRequest(let failure): failure.request
        case .encoding(let failure): failure.request
        case .connectivity(let failure): failure.request
        case .timeout(let failure): failure.request
        case .tls(let failure): failure.request
        case .bodyTooLarge(let failure): failure.request
        case .truncated(let failure): failure.request
        case .invalidResponse(let failure): failure.request
        case .redirect(let failure): failure.request
        case .decoding(let failure): failure.request
        case .api(let error): error.request
        case .file(let failure): failure.request
        case .circuitOpen(let failure): failure.request
        case .cancelled, .other: nil
        }
    }

    /// The same error, knowing its request; one that knows already is left as it is.
    public func with(request summary: @autoclosure () -> RequestSummary) -> NetworkError {
        guard request == nil else { return self }
        switch self {
        case .invalidRequest(var failure):
            failure.request = summary()
            return .invalidRequest(failure)
        case .encoding(var failure):
            failure.request = summary()
            return .encoding(failure)
        case .connectivity(var failure):
            failure.request = summary()
            return .connectivity(failure)
        case .timeout(var failure):
            failure.request = summary()
            return .timeout(failure)
        case .tls(var failure):
            failure.request = summary()
            return .tls(failure)
        case .bodyTooLarge(var failure):
            failure.request = summary()
            return .bodyTooLarge(failure)
        case .truncated(var failure):
            failure.request = summary()
            return .truncated(failure)
        case .invalidResponse(var failure):
            failure.request = summary()
            return .invalidResponse(failure)
        case .redirect(var failure):
            failure.request = summary()
            return .redirect(failure)
        case .decoding(var failure):
            failure.request = summary()
            return .decoding(failure)
        case .api(var error):
            error.request = summary()
            return .api(error)
        case .file(var failure):
            failure.request = summary()
            return .file(failure)
        case .circuitOpen(var failure):
            failure.request = summary()
            return .circuitOpen(failure)
        case .cancelled, .other:
            return self
        }
    }

    /// Any error as a ``NetworkError``: itself, ``cancelled`` for `CancellationError`, else ``other(_:)``.
    public init(_ error: any Error) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self = .cancelled
        case let error as InvalidRequest: self = .invalidRequest(error)
        case let error as APIError: self = .api(error)
        case let error as FileFailure: self = .file(error)
        default: self = .other(error)
        }
    }
}

extension NetworkError: CustomStringConvertible {
    /// The request, what happened, and the cause, in one line.
    public var description: String {
        switch self {
        case .invalidRequest(let failure): failure.description
        case .encoding(let failure): failure.description
        case .connectivity(let failure): failure.description
        case .timeout(let failure): failure.description
        case .tls(let failure): failure.description
        case .cancelled: "cancelled"
        case .bodyTooLarge(let failure): failure.description
        case .truncated(let failure): failure.description
        case .invalidResponse(let failure): failure.description
        case .redirect(let failure): failure.description
        case .decoding(let failure): failure.description
        case .api(let error): error.description
        case .file(let failure): failure.description
        case .circuitOpen(let failure): failure.description
        case .other(let error): "\(error)"
        }
    }
}
