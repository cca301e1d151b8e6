/// The response is not of the expected type: where in it, what was expected, and what stood there.
public struct DecodingFailure: Error, Sendable {
    /// The type the response was to be decoded into.
    public let type: String
    /// The response's status.
    public let status: HTTPStatusCode
    /// Where in the document, outermost first: `["users", "[3]", "email"]`.
    public let codingPath: [String]
    /// What was expected there and what was found, in the decoder's words.
    public let reason: String
    /// A short piece of the body, sensitive fields replaced.
    public let excerpt: String
    /// The decoder's error.
    public let underlying: any Error
    /// Which request it was.
    public var request: RequestSummary?

    /// Describes a decoder's error.
    ///
    /// - Parameters:
    ///   - type: The type the response was to be decoded into.
    ///   - response: The response.
    ///   - underlying: The decoder's error; of a `DecodingError` the coding path is kept.
    public init(type: Any.Type, response: DataResponse, underlying: any Error) {
        self.type = String(describing: type)
        self.status = response.status
        self.underlying = underlying
        var path: [any CodingKey] = []
        switch underlying {
        case DecodingError.typeMismatch(let expected, let context):
            path = context.codingPath
            reason = "expected \(expected): \(context.debugDescription)"
        case DecodingError.valueNotFound(let expected, let context):
            path = context.codingPath
            reason = "expected \(expected), found null: \(context.debugDescription)"
        case DecodingError.keyNotFound(let key, let context):
            path = context.codingPath
            reason = "no key \(key.stringValue.debugDescription)"
        case DecodingError.dataCorrupted(let context):
            path = context.codingPath
            reason =
                context.debugDescription
                + ((context.underlyingError as (any Error)?).map { ": \($0)" } ?? "")
        default:
            reason = "\(underlying)"
        }
        codingPath = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        excerpt = BodyExcerpt.text(
            of: response.body, mediaType: response.headers[.contentType].flatMap { MediaType($0) })
    }
}

extension DecodingFailure: CustomStringConvertible {
    /// The request, the status, the type, the place, what was expected, and a piece of the body.
    public var description: String {
        let place = codingPath.isEmpty ? "the top level" : codingPath.joined(separator: ".")
        return request.prefixing(
            "\(status): the body is not \(type): at \(place): \(reason); the body: \(excerpt)")
    }
}
