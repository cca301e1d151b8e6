import APICore
import CurlTransport
import Foundation
import Testing
import URLSessionTransport

/// A transport that the common suite runs against.
struct SuiteTransport: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (TransportConfiguration) -> any HTTPTransport

    var testDescription: String { name }

    /// Every transport there is. To add one, add it here.
    static let all = [curl]

    /// What every transport does, URLSession as far as it goes on Linux included; its doc comment lists the rest.
    static let everywhere = all + [urlSession]

    static let urlSession = SuiteTransport(name: "URLSession") { _ in URLSessionTransport() }

    static let curl = SuiteTransport(name: "curl") { CurlTransport(configuration: $0) }

    /// A transport that goes straight to loopback.
    func callAsFunction(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> any HTTPTransport {
        var configuration = TransportConfiguration()
        configuration.proxy = .none
        change(&configuration)
        return make(configuration)
    }
}

extension HTTPTransport {
    func get(_ url: String, options: RequestOptions = RequestOptions()) async throws -> DataResponse {
        try await send(HTTPRequest(url: RequestURL(url), options: options)).collected()
    }

    func fetch(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: HTTPBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws -> DataResponse {
        try await send(
            HTTPRequest(method: method, url: RequestURL(url), headers: headers, body: body, options: options)
        )
        .collected()
    }

    func stream(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: HTTPBody = .none,
        options: RequestOptions = RequestOptions()
    ) async throws -> HTTPResponse {
        try await send(
            HTTPRequest(
                method: method, url: RequestURL(url), headers: headers, body: body, options: options,
                delivery: .streamed))
    }
}

extension DataResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Runs a request that must fail, and returns what it failed with.
func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
) async -> NetworkError? {
    do {
        let value = try await body()
        Issue.record("no error, but \(value)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error as? NetworkError ?? .other(error)
    }
}
