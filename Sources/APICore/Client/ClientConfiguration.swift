/// How a client treats all of its requests. A request's ``RequestOptions`` come first.
public struct ClientConfiguration: Sendable {
    /// Encodes bodies.
    public var encoder: any DataEncoder
    /// Decodes responses.
    public var decoder: any DataDecoder
    /// Reads the caller's own error type from unsuccessful answers.
    public var errorDecoder: ErrorDecoder?
    /// Which statuses are successes.
    public var validation: StatusValidation
    /// How parameters are written.
    public var parameterStyle: ParameterStyle
    /// Which redirects are followed.
    public var redirects: RedirectPolicy
    /// Header fields of every request, to any origin: nothing secret belongs here. By default `Accept`,
    /// `Accept-Language` and `User-Agent`.
    public var defaultHeaders: HTTPHeaders
    /// The most bytes of a body taken into memory; 100 MB by default, `nil` for no limit. Streams have no limit.
    public var maximumBodySize: Int?
    /// Where time comes from.
    public var time: TimeSource

    /// Makes a configuration; everything has a default.
    public init(
        encoder: any DataEncoder = DefaultCoders.encoder, decoder: any DataDecoder = DefaultCoders.decoder,
        errorDecoder: ErrorDecoder? = nil, validation: StatusValidation = .success,
        parameterStyle: ParameterStyle = .default, redirects: RedirectPolicy = .follow,
        defaultHeaders: HTTPHeaders = ClientConfiguration.standardHeaders, maximumBodySize: Int? = 100_000_000,
        time: TimeSource = .system
    ) {
        self.encoder = encoder
        self.decoder = decoder
        self.errorDecoder = errorDecoder
        self.validation = validation
        self.parameterStyle = parameterStyle
        self.redirects = redirects
        self.defaultHeaders = defaultHeaders
        self.maximumBodySize = maximumBodySize
        self.time = time
    }

    /// `Accept: application/json, */*;q=0.8`, `Accept-Language` and `User-Agent`.
    public static let standardHeaders: HTTPHeaders = [
        .accept("application/json, */*;q=0.8"), .defaultAcceptLanguage, .defaultUserAgent,
    ]
}
