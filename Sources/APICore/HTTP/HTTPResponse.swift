#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response whose head is here and whose body may still be on its way: what transports return and interceptors see.
public struct HTTPResponse: Sendable {
    /// Status, header fields, version and URL.
    public var head: ResponseHead
    /// The body, in memory or still arriving.
    public var body: HTTPResponseBody
    /// How long the parts of the exchange took, as far as it has gone.
    public var timings: TransferTimings?
    /// Which attempt of the request it answers, from 1.
    public var attempt = 1

    /// Makes a response.
    public init(head: ResponseHead, body: HTTPResponseBody = .empty, timings: TransferTimings? = nil) {
        self.head = head
        self.body = body
        self.timings = timings
    }

    /// Makes a response that is complete, as stubs and caches do.
    public init(status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.init(head: ResponseHead(status: status, headers: headers), body: .bytes(body))
    }

    /// The status.
    public var status: HTTPStatusCode { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }

    /// The response with its whole body in memory.
    ///
    /// - Parameter limit: The most bytes to take.
    /// - Throws: ``NetworkError/bodyTooLarge(_:)``, or what breaks the transfer.
    public func collected(upTo limit: Int = .max) async throws(NetworkError) -> DataResponse {
        DataResponse(head: head, body: try await body.collect(upTo: limit), timings: timings)
    }
}
