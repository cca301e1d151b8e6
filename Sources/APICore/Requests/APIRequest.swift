/// An endpoint that also says what comes back.
///
/// ```swift
/// struct ListUsers: APIRequest {
///     typealias Response = [User]
///     let path = "users"
/// }
/// let users = try await client.send(ListUsers())
/// ```
///
/// `Response` is any `Decodable` type (JSON, or `Data` and `String` as they are, or an optional that is `nil` for an
/// empty body), or `Void`. Another type needs its own ``decode(_:using:)``.
public protocol APIRequest<Response>: Requestable {
    /// What comes back.
    associatedtype Response: Sendable

    /// Reads the response. Given for `Decodable` types and `Void`.
    ///
    /// - Parameters:
    ///   - response: A response whose status is a success.
    ///   - decoder: The request's or the client's decoder.
    func decode(_ response: DataResponse, using decoder: any DataDecoder) throws -> Response
}

extension APIRequest {
    /// Refuses a response of another type.
    @available(
        *, unavailable,
        message: "'Response' must be Decodable or Void, or the request must implement decode(_:using:)"
    )
    public func decode(_ response: DataResponse, using decoder: any DataDecoder) throws -> Response {
        throw NetworkError.invalidResponse(InvalidResponse("no decoding for \(Response.self)"))
    }
}

extension APIRequest where Response: Decodable {
    /// Decodes the body: JSON, or `Data` and `String` as they are.
    public func decode(_ response: DataResponse, using decoder: any DataDecoder) throws -> Response {
        try BodyDecoding.decode(Response.self, from: response, using: decoder)
    }
}

extension APIRequest where Response == Void {
    /// Ignores the body.
    public func decode(_ response: DataResponse, using decoder: any DataDecoder) throws {}
}
