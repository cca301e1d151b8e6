// How each property is turned into what is sent, chosen by its type. The unavailable members are what a property of
// any other type falls on: the compiler prints their message.

extension Requestable {
    /// Refuses a path of another type.
    @available(
        *, unavailable,
        message:
            "'path' must be a String, a RequestPath, a string enum, or a type that conforms to RequestPathConvertible"
    )
    public func _requestPath() -> RequestPath { RequestPath("") }

    /// Refuses a method of another type.
    @available(*, unavailable, message: "'method' must be an HTTPMethod: write HTTPMethod.post, not \"POST\"")
    public func _requestMethod() -> HTTPMethod { .get }

    /// Refuses parameters of another type.
    @available(
        *, unavailable,
        message: "'parameters' must be QueryParameters, [URLQueryItem] or a dictionary of values: declare its type"
    )
    public func _requestParameters() -> QueryParameters { QueryParameters() }

    /// Refuses header fields of another type.
    @available(
        *, unavailable,
        message: "'headers' must be HTTPHeaders, [HTTPHeaderKey: String], [String: String] or [HTTPHeader]"
    )
    public func _requestHeaders() -> HTTPHeaders { HTTPHeaders() }

    /// Refuses a body of another type.
    @available(
        *, unavailable, message: "'body' must be Encodable (sent as JSON), an HTTPBody, Data, or an optional of these"
    )
    public func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody { .none }

    /// Refuses options of another type.
    @available(*, unavailable, message: "'options' must be RequestOptions")
    public func _requestOptions() -> RequestOptions { RequestOptions() }
}

extension Requestable where PathValue: RequestPathConvertible {
    /// The path as it is.
    public func _requestPath() -> RequestPath { path.requestPath }
}

extension Requestable where PathValue: RawRepresentable, PathValue.RawValue == String {
    /// The raw value of a string enumeration.
    public func _requestPath() -> RequestPath { RequestPath(path.rawValue) }
}

extension Requestable where PathValue: RequestPathConvertible & RawRepresentable, PathValue.RawValue == String {
    /// The path as its type gives it.
    public func _requestPath() -> RequestPath { path.requestPath }
}

extension Requestable where MethodValue == HTTPMethod {
    /// GET.
    public var method: HTTPMethod { .get }
    /// The method as it is.
    public func _requestMethod() -> HTTPMethod { method }
}

extension Requestable where ParametersValue == QueryParameters {
    /// None.
    public var parameters: QueryParameters { QueryParameters() }
}

extension Requestable where ParametersValue: QueryParametersConvertible {
    /// The parameters as they are.
    public func _requestParameters() -> QueryParameters { parameters.queryParameters }
}

extension Requestable where HeadersValue == HTTPHeaders {
    /// None.
    public var headers: HTTPHeaders { HTTPHeaders() }
}

extension Requestable where HeadersValue: HTTPHeadersConvertible {
    /// The fields as they are.
    public func _requestHeaders() -> HTTPHeaders { headers.httpHeaders }
}

extension Requestable where OptionsValue == RequestOptions {
    /// The client's.
    public var options: RequestOptions { RequestOptions() }
    /// The options as they are.
    public func _requestOptions() -> RequestOptions { options }
}

extension Requestable where BodyValue == Never? {
    /// None.
    public var body: Never? { nil }
    /// No body.
    public func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody { .none }
}

extension Requestable where BodyValue: Encodable {
    /// The body as JSON; `nil` is no body.
    public func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody {
        let body = body
        if let optional = body as? any OptionalValue, optional.isNil { return .none }
        return try .json(body, encoder: encoder)
    }
}

extension Requestable where BodyValue: HTTPBodyConvertible {
    /// The body as it is.
    public func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody { try body.httpBody() }
}

extension Requestable where BodyValue: HTTPBodyConvertible & Encodable {
    /// The body as it is: bytes are not wrapped into JSON.
    public func _requestBody(encoder: any DataEncoder) throws(NetworkError) -> HTTPBody { try body.httpBody() }
}

/// Lets code that does not know a type ask whether a value is `nil`.
protocol OptionalValue {
    /// Whether there is no value.
    var isNil: Bool { get }
    /// The type inside, when it can be decoded.
    static var wrappedDecodable: (any (Decodable & Sendable).Type)? { get }
    /// No value.
    static var none: Self { get }
}

extension Optional: OptionalValue {
    var isNil: Bool { self == nil }
    static var wrappedDecodable: (any (Decodable & Sendable).Type)? { Wrapped.self as? any (Decodable & Sendable).Type }
}
