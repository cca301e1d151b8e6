#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response with its whole body in memory: what decode closures see.
///
/// Hand-written mocks make one from a text:
///
/// ```swift
/// struct OfflineService: NetworkServiceProtocol {
///     func response<R, Q>(for resource: Resource<R, Q>) async throws(NetworkError) -> APIResponse<R> {
///         APIResponse(try resource.decode(.json(#"[{"id": 1, "name": "Ann", "email": "ann@example.com"}]"#)))
///     }
/// }
/// ```
public struct DataResponse: Sendable {
    /// Status, header fields, version and URL.
    public var head: ResponseHead
    /// The body after content decoding; empty when there was none.
    public var body: Data
    /// How long the parts of the exchange took, where a transport measured it.
    public var timings: TransferTimings?

    /// Makes a response.
    public init(head: ResponseHead, body: Data = Data(), timings: TransferTimings? = nil) {
        self.head = head
        self.body = body
        self.timings = timings
    }

    /// Makes a response from its parts.
    public init(status: HTTPStatusCode, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.init(head: ResponseHead(status: status, headers: headers), body: body)
    }

    /// A response of JSON text.
    public static func json(_ text: String, status: HTTPStatusCode = .ok) -> DataResponse {
        DataResponse(status: status, headers: [.contentType: "application/json"], body: Data(text.utf8))
    }

    /// The status.
    public var status: HTTPStatusCode { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
}
