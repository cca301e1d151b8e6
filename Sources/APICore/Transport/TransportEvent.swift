/// What a transport tells its observer about requests on their way.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TransportEvent: Sendable {
    /// A request left the queue and is being sent.
    case started(identifier: UInt64, request: RequestSummary)
    /// An interim response came (RFC 9110 section 15.2): `103 Early Hints`, say.
    case interimResponse(identifier: UInt64, ResponseHead)
    /// A kept-alive connection was found dead, and the request is sent again over a new one.
    case sentAgain(identifier: UInt64)
    /// The request ended, with `nil` for a complete response.
    case finished(identifier: UInt64, request: RequestSummary, timings: TransferTimings, error: NetworkError?)
}
