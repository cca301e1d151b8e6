#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request together with how its response is read.
///
/// ```swift
/// let users = Resource<[User], FetchUserListRequest>(request: FetchUserListRequest())
/// let count = users.map(\.count)
/// let feed = Resource(request: FetchFeed()) { data in try FeedParser().parse(data) }
/// let page = Resource(request: ListPage()) { data, head in
///     Page(items: try decoder.decode([Item].self, from: data), next: head.headers[.link])
/// }
/// ```
///
/// What an empty body means:
///
/// | `Response` | 200 with nothing, 204, 205 | 304 (where validation lets it pass) |
/// | --- | --- | --- |
/// | `Void` | `()`, any body is ignored | `()` |
/// | `Data`, `String` | empty | empty |
/// | `T?` | `nil` | `nil` |
/// | any other `Decodable` | ``NetworkError/decoding(_:)`` that says the body is empty | the same |
/// | own closure | called with empty data | called with empty data |
public struct Resource<Response: Sendable, Request: Requestable>: Sendable {
    /// What is asked for.
    public let request: Request
    private let read: @Sendable (DataResponse, any DataDecoder) throws -> Response

    private init(_ request: Request, read: @escaping @Sendable (DataResponse, any DataDecoder) throws -> Response) {
        self.request = request
        self.read = read
    }

    /// Reads the body with a closure. Its errors become ``NetworkError/decoding(_:)``.
    public init(request: Request, decode: @escaping @Sendable (Data) throws -> Response) {
        self.init(request) { response, _ in try decode(response.body) }
    }

    /// Reads body and head with a closure. Its errors become ``NetworkError/decoding(_:)``.
    public init(request: Request, decode: @escaping @Sendable (Data, ResponseHead) throws -> Response) {
        self.init(request) { response, _ in try decode(response.body, response.head) }
    }

    /// Reads a response, as the client does and a mock may.
    ///
    /// - Parameters:
    ///   - response: The response; its status is not looked at.
    ///   - decoder: The decoder for JSON; the request's own comes first.
    /// - Throws: ``NetworkError/decoding(_:)``, or the ``NetworkError`` the closure throws.
    public func decode(
        _ response: DataResponse, decoder: any DataDecoder = DefaultCoders.decoder
    ) throws(NetworkError) -> Response {
        do {
            return try read(response, decoder)
        } catch let error as NetworkError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .decoding(DecodingFailure(type: Response.self, response: response, underlying: error))
        }
    }

    /// The resource with its response turned into something else.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Response) throws -> Value
    ) -> Resource<Value, Request> {
        let read = read
        return Resource<Value, Request>(request) { try transform(read($0, $1)) }
    }
}

extension Resource where Response: Decodable {
    /// Decodes the body: JSON, or `Data` and `String` as they are, or an optional that is `nil` for an empty body.
    public init(request: Request) {
        self.init(request) { try BodyDecoding.decode(Response.self, from: $0, using: $1) }
    }
}

extension Resource where Response == Void {
    /// Ignores the body.
    public init(request: Request) {
        self.init(request) { _, _ in }
    }
}

extension Resource where Request: APIRequest, Response == Request.Response {
    /// Reads the response as the request says.
    public init(_ request: Request) {
        self.init(request) { try request.decode($0, using: $1) }
    }
}
