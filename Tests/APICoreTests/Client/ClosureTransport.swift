import APICore
import Foundation
import Synchronization

/// Answers from a closure and keeps what it was sent.
final class ClosureTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse
    private let log = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse) {
        self.answer = answer
    }

    convenience init(
        status: HTTPStatusCode = .ok, headers: HTTPHeaders = [.contentType: "application/json"], body: String = ""
    ) {
        self.init { _ in HTTPResponse(status: status, headers: headers, body: Data(body.utf8)) }
    }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        return try await answer(request)
    }
}

extension APIClient {
    /// A client of a made-up API over a transport.
    convenience init(
        _ transport: any HTTPTransport, base: String = "https://api.example.com/v1", headers: HTTPHeaders = [:],
        timeouts: Timeouts = .standard, interceptors: [any Interceptor] = [],
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws {
        self.init(
            environment: try APIEnvironment(baseURL: base, headers: headers, timeouts: timeouts), transport: transport,
            interceptors: interceptors, configuration: configuration)
    }
}
