/// A decoded value together with the head of the response it came in.
public struct APIResponse<Value: Sendable>: Sendable {
    /// The decoded value.
    public var value: Value
    /// Status, header fields, version and URL.
    public var head: ResponseHead
    /// How long the parts of the exchange took, where the transport measured it.
    public var timings: TransferTimings?

    /// Makes a response, as mocks do.
    public init(_ value: Value, head: ResponseHead = ResponseHead(), timings: TransferTimings? = nil) {
        self.value = value
        self.head = head
        self.timings = timings
    }

    /// Makes a response, as mocks do.
    public init(_ value: Value, status: HTTPStatusCode, headers: HTTPHeaders = [:]) {
        self.init(value, head: ResponseHead(status: status, headers: headers))
    }

    /// The status.
    public var status: HTTPStatusCode { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
}
