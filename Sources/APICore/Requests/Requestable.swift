#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An endpoint as a value: what is asked for, without saying how it is sent.
///
/// Only the path is required; GET without parameters, header fields or body is the default:
///
/// ```swift
/// struct FetchUserListRequest: Requestable { let path = "users/" }
///
/// struct CreatePost: Requestable {
///     let post: Post
///     let method = HTTPMethod.post
///     let path = "posts"
///     var body: Post? { post }                                       // JSON, snake case by default
/// }
///
/// struct FetchFile: Requestable {
///     let owner: String, name: String
///     var path: RequestPath { "repos/\(owner)/files/\(name)" }       // values are encoded as segments
///     var parameters: QueryParameters { ["ref": "main", "tags": ["a", "b"], "raw": true] }
/// }
/// ```
///
/// A property of the wrong type (a method as text, a body that is not encodable, an optional path) is a compile error
/// that says what to write, never a request that silently lacks it. For that the associated types are unconstrained
/// and the encoding is chosen by what they are; the members that start with an underscore do it, and are not meant to
/// be called or implemented.
///
/// | property | types | default |
/// | --- | --- | --- |
/// | `path` | `String`, ``RequestPath``, a string enumeration, ``RequestPathConvertible`` | required |
/// | `method` | ``HTTPMethod`` | GET |
/// | `parameters` | ``QueryParameters``, dictionaries, `[URLQueryItem]` | none |
/// | `headers` | ``HTTPHeaders``, `[HTTPHeaderKey: String]`, `[String: String]`, `[HTTPHeader]` | none |
/// | `body` | `Encodable` (as JSON), ``HTTPBody``, `Data`, optionals of them | none |
/// | `options` | ``RequestOptions`` | the client's |
public protocol Requestable: Sendable {
    /// The type of ``path``.
    associatedtype PathValue
    /// The type of ``method``.
    associatedtype MethodValue = HTTPMethod
    /// The type of ``parameters``.
    associatedtype ParametersValue = QueryParameters
    /// The type of ``headers``.
    associatedtype HeadersValue = HTTPHeaders
    /// The type of ``body``.
    associatedtype BodyValue = Never?
    /// The type of ``options``.
    associatedtype OptionsValue = RequestOptions

    /// Where, below the base URL.
    var path: PathValue { get }
    /// GET by default.
    var method: MethodValue { get }
    /// What goes behind the question mark, or into the body if they say so.
    var parameters: ParametersValue { get }
    /// Header fields, laid over the environment's.
    var headers: HeadersValue { get }
    /// What is sent.
    var body: BodyValue { get }
    /// How it is sent.
    var options: OptionsValue { get }

    /// Chosen by the type of `path`; not to be implemented.
    func _requestPath() -> RequestPath
    /// Chosen by the type of `method`; not to be implemented.
    func _requestMethod() -> HTTPMethod
    /// Chosen by the type of `parameters`; not to be implemented.
    func _requestParameters() -> QueryParameters
    /// Chosen by the type of `headers`; not to be implemented.
    func _requestHeaders() -> HTTPHeaders
    /// Chosen by the type of `body`; not to be implemented.
    func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody
    /// Chosen by the type of `options`; not to be implemented.
    func _requestOptions() -> RequestOptions
}

/// A type that gives parameters.
public protocol QueryParametersConvertible: Sendable {
    /// The value as parameters.
    var queryParameters: QueryParameters { get }
}

extension QueryParameters: QueryParametersConvertible {
    /// Itself.
    public var queryParameters: QueryParameters { self }
}
extension Array: QueryParametersConvertible where Element == URLQueryItem {
    /// The items in order.
    public var queryParameters: QueryParameters { QueryParameters(self) }
}
extension Dictionary: QueryParametersConvertible where Key == String, Value: QueryValueConvertible {
    /// The pairs, sorted by name.
    public var queryParameters: QueryParameters { QueryParameters(self) }
}
extension Optional: QueryParametersConvertible where Wrapped: QueryParametersConvertible {
    /// The parameters, or none.
    public var queryParameters: QueryParameters { self?.queryParameters ?? QueryParameters() }
}

/// A type that gives header fields.
public protocol HTTPHeadersConvertible: Sendable {
    /// The value as header fields.
    var httpHeaders: HTTPHeaders { get }
}

extension HTTPHeaders: HTTPHeadersConvertible {
    /// Itself.
    public var httpHeaders: HTTPHeaders { self }
}
extension Array: HTTPHeadersConvertible where Element == HTTPHeader {
    /// The fields in order.
    public var httpHeaders: HTTPHeaders { HTTPHeaders(self) }
}
extension Dictionary: HTTPHeadersConvertible where Key: HTTPHeaderNameConvertible, Value == String {
    /// The fields, sorted by name.
    public var httpHeaders: HTTPHeaders {
        HTTPHeaders(
            map { HTTPHeader(name: $0.key.headerName, value: $0.value) }
                .sorted { $0.name.rawValue.lowercased() < $1.name.rawValue.lowercased() })
    }
}
extension Optional: HTTPHeadersConvertible where Wrapped: HTTPHeadersConvertible {
    /// The fields, or none.
    public var httpHeaders: HTTPHeaders { self?.httpHeaders ?? HTTPHeaders() }
}

/// A type that names a header field: ``HTTPHeaderKey`` and `String`.
public protocol HTTPHeaderNameConvertible: Hashable, Sendable {
    /// The name.
    var headerName: HTTPHeaderKey { get }
}
extension HTTPHeaderKey: HTTPHeaderNameConvertible {
    /// Itself.
    public var headerName: HTTPHeaderKey { self }
}
extension String: HTTPHeaderNameConvertible {
    /// The text as a name.
    public var headerName: HTTPHeaderKey { HTTPHeaderKey(self) }
}

/// A type whose values are bodies as they are, instead of being encoded as JSON.
public protocol HTTPBodyConvertible: Sendable {
    /// The value as a body.
    func httpBody() throws(NetworkError) -> HTTPBody
}

extension HTTPBody: HTTPBodyConvertible {
    /// Itself.
    public func httpBody() throws(NetworkError) -> HTTPBody { self }
}
extension Data: HTTPBodyConvertible {
    /// The bytes as `application/octet-stream`.
    public func httpBody() throws(NetworkError) -> HTTPBody { .data(self) }
}
extension Optional: HTTPBodyConvertible where Wrapped: HTTPBodyConvertible {
    /// The body, or none.
    public func httpBody() throws(NetworkError) -> HTTPBody { try self?.httpBody() ?? .none }
}
