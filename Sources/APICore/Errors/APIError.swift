#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The server answered with a status that is no success: what it said, complete.
///
/// ```swift
/// catch .api(let error) {
///     error.status                              // 422 Unprocessable Content
///     error.problem?.detail                     // from application/problem+json (RFC 9457)
///     error.payload(as: ValidationErrors.self)  // the error type named to the client or the request
/// }
/// ```
public struct APIError: Error, Sendable {
    /// Status, header fields, version and URL of the answer.
    public var head: ResponseHead
    /// The answer's body, up to the limit for error bodies.
    public var body: Data
    /// The problem details, when the media type is `application/problem+json` and the body can be read as such.
    public var problem: ProblemDetails?
    /// The caller's own error value, when one was named and the body could be decoded into it.
    public var payload: (any Sendable)?
    /// Which request it was.
    public var request: RequestSummary?

    /// Makes the error.
    public init(
        head: ResponseHead, body: Data = Data(), problem: ProblemDetails? = nil, payload: (any Sendable)? = nil,
        request: RequestSummary? = nil
    ) {
        self.head = head
        self.body = body
        self.problem = problem
        self.payload = payload
        self.request = request
    }

    /// Makes the error of a status, as mocks do; problem details are read from the body when the headers say so.
    public init(status: HTTPStatusCode, headers: HTTPHeaders = [:], body: Data = Data()) {
        let head = ResponseHead(status: status, headers: headers)
        self.init(head: head, body: body, problem: ProblemDetails(head: head, body: body))
    }

    /// The status.
    public var status: HTTPStatusCode { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }

    /// The caller's own error value, if it is of that type.
    public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
        payload as? Payload
    }

    /// Decodes the body as JSON of any type, with the keys in snake case or as they are.
    ///
    /// - Throws: The decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type, decoder: any DataDecoder = DefaultCoders.decoder
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }

    /// What the server said, in a few words: the problem's detail or title, or the start of a text body.
    public var message: String? {
        if let text = problem?.detail ?? problem?.title { return text }
        guard !body.isEmpty else { return nil }
        return BodyExcerpt.text(of: body, mediaType: headers[.contentType].flatMap { MediaType($0) })
    }
}

extension APIError: CustomStringConvertible {
    /// The request, the status, and the server's words.
    public var description: String {
        request.prefixing("\(status)" + (message.map { ": \($0)" } ?? ""))
    }
}
