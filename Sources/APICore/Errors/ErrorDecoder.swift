/// Reads the caller's own error type from unsuccessful answers.
///
/// ```swift
/// struct ServerMessage: Decodable, Sendable { let code: String; let message: String }
/// let client = APIClient(environment: environment, configuration: .init(errorDecoder: .json(ServerMessage.self)))
/// …
/// catch .api(let error) { error.payload(as: ServerMessage.self)?.code }
/// ```
public struct ErrorDecoder: Sendable {
    /// Reads a value from the answer, or `nil` when there is none in it.
    public let decode: @Sendable (DataResponse) -> (any Sendable)?

    /// Makes a decoder.
    public init(_ decode: @escaping @Sendable (DataResponse) -> (any Sendable)?) {
        self.decode = decode
    }

    /// Decodes the body as JSON; a body that is not of the type gives `nil`, and the ``APIError`` keeps its bytes.
    public static func json<Payload: Decodable & Sendable>(
        _ type: Payload.Type, decoder: any DataDecoder = DefaultCoders.decoder
    ) -> ErrorDecoder {
        ErrorDecoder { try? decoder.decode(type, from: $0.body) }
    }
}
