/// How one request is to be sent. Everything has a default; what is `nil` is taken from the client.
///
/// ```swift
/// struct CreatePayment: Requestable {
///     let payment: Payment
///     let method = HTTPMethod.post
///     let path = "payments"
///     var body: Payment { payment }
///     var options: RequestOptions {
///         RequestOptions(timeouts: Timeouts(overall: .seconds(20)), idempotencyKey: payment.id.uuidString)
///     }
/// }
/// ```
public struct RequestOptions: Sendable {
    /// Time limits, laid over the environment's: what is `nil` in them stays as it is there.
    public var timeouts: Timeouts
    /// How urgent it is, where requests wait for a connection.
    public var priority: RequestPriority
    /// Whether sending it twice does no harm; `nil` decides by method and ``idempotencyKey``.
    public var isIdempotent: Bool?
    /// Sent as `Idempotency-Key`, the same for every attempt; makes any method safe to retry.
    public var idempotencyKey: String?
    /// How the HTTP cache treats it, if the client has one.
    public var cachePolicy: CachePolicy?
    /// The most bytes of body to accept, after content decoding.
    public var maximumBodySize: Int?
    /// Whether the address the connection goes to is allowed, on every hop.
    public var addressFilter: AddressFilter?
    /// Which redirects are followed.
    public var redirects: RedirectPolicy?
    /// Which statuses are successes.
    public var validation: StatusValidation?
    /// Reads the caller's own error type from unsuccessful answers.
    public var errorDecoder: ErrorDecoder?
    /// The encoder of the body, in place of the client's.
    public var encoder: (any DataEncoder)?
    /// The decoder of the response, in place of the client's.
    public var decoder: (any DataDecoder)?
    /// A name for logs, metrics and errors, in place of the request's type.
    public var operationName: String?
    /// Sent to this URL's host in place of the environment's. The environment's headers go along only when the
    /// origin is the same: they may hold credentials.
    public var baseURL: RequestURL?

    /// Makes options; whatever is left out is the client's.
    public init(
        timeouts: Timeouts = Timeouts(), priority: RequestPriority = .medium, isIdempotent: Bool? = nil,
        idempotencyKey: String? = nil, cachePolicy: CachePolicy? = nil, maximumBodySize: Int? = nil,
        addressFilter: AddressFilter? = nil, redirects: RedirectPolicy? = nil, validation: StatusValidation? = nil,
        errorDecoder: ErrorDecoder? = nil, encoder: (any DataEncoder)? = nil, decoder: (any DataDecoder)? = nil,
        operationName: String? = nil, baseURL: RequestURL? = nil
    ) {
        self.timeouts = timeouts
        self.priority = priority
        self.isIdempotent = isIdempotent
        self.idempotencyKey = idempotencyKey
        self.cachePolicy = cachePolicy
        self.maximumBodySize = maximumBodySize
        self.addressFilter = addressFilter
        self.redirects = redirects
        self.validation = validation
        self.errorDecoder = errorDecoder
        self.encoder = encoder
        self.decoder = decoder
        self.operationName = operationName
        self.baseURL = baseURL
    }
}
