import APITesting
import DiskCache
import Foundation
import Testing

@testable import APICore

/// A request to a made-up API.
func makeRequest(
    _ method: HTTPMethod = .get, _ path: String = "/users", base: String = "https://api.example.com",
    body: HTTPBody = .none, options: RequestOptions = RequestOptions(), delivery: ResponseDelivery = .buffered
) throws -> HTTPRequest {
    HTTPRequest(
        method: method, url: try RequestURL(base + path), body: body, options: options,
        context: RequestContext(operation: "ListUsers"), delivery: delivery)
}

/// A list that many tasks append to.
final class Log<Element: Sendable>: Sendable {
    private let values = Locked<[Element]>([])

    func append(_ value: Element) { values.withLock { $0.append(value) } }

    var all: [Element] { values.withLock { $0 } }
}

extension NetworkError {
    var timeoutKind: TimeoutFailure.Kind? { if case .timeout(let failure) = self { failure.kind } else { nil } }

    static let lost = NetworkError.connectivity(ConnectivityFailure(.connectionLost, reason: "test"))
}

/// What an operation threw, as a ``NetworkError``.
func failure(_ operation: () async throws -> Void) async -> NetworkError? {
    do {
        try await operation()
        return nil
    } catch {
        return NetworkError(error)
    }
}

/// Lets other tasks run until a condition holds; gives up after many turns.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}

let noJitter = RandomSource { 0 }

extension StubTransport {
    /// Answers everything with an empty 200.
    static func accepting() -> StubTransport { StubTransport { _ in HTTPResponse(status: .ok) } }
}
