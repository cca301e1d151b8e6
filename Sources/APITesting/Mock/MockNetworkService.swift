public import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stands in for the client in unit tests: answers by the type of the request, and keeps the calls.
///
/// ```swift
/// @Test func namesOfUsers() async throws {
///     let mock = MockNetworkService { Issue.record($0) }
///     mock.on(ListUsers.self) { request in [User(id: 1, name: "Ann", email: "ann@example.com")] }
///
///     #expect(try await UserService(network: mock).names() == ["Ann"])
///     #expect(mock.calls(ListUsers.self).count == 1)
/// }
/// ```
///
/// Answers can also be JSON that goes through the resource's own decoding, statuses, failures, and sequences of these
/// (``MockAnswer``). Requests that have no type of their own, such as ``Endpoint`` values, are answered by method and
/// path.
///
/// A request nobody said anything about throws ``NetworkError/other(_:)`` with an ``UnexpectedRequest`` that lists what
/// is registered, is kept in ``unexpected``, and goes to the closure given to the mock, where a test passes its
/// failure recorder. So does an answer of a type the caller did not ask for.
public final class MockNetworkService: NetworkServiceProtocol {
    /// A request as the mock received it.
    public struct Call: Sendable {
        /// The request.
        public let request: any Requestable
        /// Its method.
        public let method: HTTPMethod
        /// Its path, encoded, with its query where the path brings one.
        public let path: String
        /// The values of the path pattern's parameters, where it was answered by path.
        public internal(set) var parameters: [String: String] = [:]

        init(_ request: some Requestable) {
            // Streams, downloads and pages change a few things of the caller's request; answers are told by its type.
            self.request = (request as? any DecoratedRequest)?.undecorated ?? request
            method = request._requestMethod()
            path = request._requestPath().description
        }
    }

    typealias Responder = @Sendable (Call) async throws -> MockAnswer

    struct Registration: Sendable {
        enum Key: Sendable, Equatable {
            case type(ObjectIdentifier)
            case route(HTTPMethod?, PathPattern)
        }
        let key: Key
        /// How a message names it.
        let name: String
        let responders: [Responder]
        var uses = 0
    }

    struct State: Sendable {
        var registrations: [Registration] = []
        var calls: [Call] = []
        var unexpected: [UnexpectedRequest] = []
    }

    let state = WatchedState(State())
    private let decoder: any DataDecoder
    private let time: TimeSource
    private let onUnexpected: (@Sendable (UnexpectedRequest) -> Void)?

    /// Makes a mock without answers.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for answers given as JSON, as the client would have it.
    ///   - time: The clock that delays of answers are taken from.
    ///   - onUnexpected: Called with each request there is no answer for, and each answer of a wrong type.
    public init(
        decoder: any DataDecoder = DefaultCoders.decoder, time: TimeSource = .system,
        onUnexpected: (@Sendable (UnexpectedRequest) -> Void)? = nil
    ) {
        self.decoder = decoder
        self.time = time
        self.onUnexpected = onUnexpected
    }

    /// The calls so far, unexpected ones included.
    public var calls: [Call] { state.read { $0.calls } }

    /// What was unexpected so far.
    public var unexpected: [UnexpectedRequest] { state.read { $0.unexpected } }

    /// The requests of that type so far.
    public func calls<Request: Requestable>(_ type: Request.Type) -> [Request] {
        state.read { $0.calls.compactMap { $0.request as? Request } }
    }

    /// Waits until that many requests of that type have come.
    ///
    /// - Throws: ``WaitTimeout`` after that real time, or `CancellationError`.
    @discardableResult
    public func waitForCalls<Request: Requestable>(
        _ type: Request.Type, count: Int = 1, timeout: Duration = .seconds(10)
    ) async throws -> [Request] {
        let outcome = await state.wait(timeout: timeout) { state in
            state.calls.count { $0.request is Request } >= count
        }
        switch outcome {
        case .fulfilled: return calls(type)
        case .cancelled: throw CancellationError()
        case .timedOut:
            throw WaitTimeout(
                "MockNetworkService: waited \(timeout) for \(count) calls of \(type); there are \(calls(type).count)")
        }
    }

    /// Forgets calls and what was unexpected; keeps the answers.
    public func clearCalls() {
        state.update { state in
            state.calls = []
            state.unexpected = []
        }
    }

    /// Answers the resource's request.
    public func response<Response, Request>(
        for resource: Resource<Response, Request>
    ) async throws(NetworkError) -> APIResponse<Response> {
        let answer = try await answer(to: resource.request)
        switch answer {
        case .failure(let error): throw error
        case .response(let response): return try decoded(response, by: resource)
        case .value(let value):
            if let response = value as? APIResponse<Response> { return response }
            if let response = value as? DataResponse { return try decoded(response, by: resource) }
            guard let value = value as? Response else {
                throw mismatch(resource.request, value, wanted: Response.self)
            }
            return APIResponse(value)
        }
    }

    /// Answers the request with a body: of a ``DataResponse`` or an `HTTPResponse` as it is, of `Data` or a `String`
    /// its bytes.
    public func stream<Request: Requestable>(_ request: Request) async throws(NetworkError) -> HTTPResponse {
        switch try await answer(to: request) {
        case .failure(let error): throw error
        case .response(let response):
            try validate(response, request)
            return HTTPResponse(head: response.head, body: .bytes(response.body), timings: response.timings)
        case .value(let value):
            switch value {
            case let response as HTTPResponse: return response
            case let response as DataResponse:
                try validate(response, request)
                return HTTPResponse(head: response.head, body: .bytes(response.body), timings: response.timings)
            case let data as Data: return HTTPResponse(body: data)
            case let text as String: return HTTPResponse(body: Data(text.utf8))
            default: throw mismatch(request, value, wanted: HTTPResponse.self)
            }
        }
    }

    private func answer<Request: Requestable>(to request: Request) async throws(NetworkError) -> MockAnswer.Content {
        let call = Call(request)
        let (found, names) = state.update { state -> ((Responder, Call)?, [String]) in
            var call = call
            defer { state.calls.append(call) }
            guard let (index, parameters) = state.registration(for: call, type: type(of: call.request)) else {
                return (nil, state.registrations.map(\.name))
            }
            call.parameters = parameters
            let registration = state.registrations[index]
            state.registrations[index].uses += 1
            return ((registration.responders[min(registration.uses, registration.responders.count - 1)], call), [])
        }
        guard let (responder, call) = found else {
            let known = names.isEmpty ? "nothing is registered" : "registered: " + names.joined(separator: ", ")
            throw report("no answer for \(Request.self) (\(call.method) \(call.path)); \(known)")
        }
        do {
            try Task.checkCancellation()
            let answer = try await responder(call)
            if answer.delay > .zero { try await time.sleep(answer.delay) }
            try Task.checkCancellation()
            return answer.content
        } catch {
            throw Task.isCancelled ? .cancelled : NetworkError(error)
        }
    }

    private func decoded<Response, Request>(
        _ response: DataResponse, by resource: Resource<Response, Request>
    ) throws(NetworkError) -> APIResponse<Response> {
        try validate(response, resource.request)
        let decoder = resource.request._requestOptions().decoder ?? decoder
        let value: Response
        do {
            value = try resource.decode(response, decoder: decoder)
        } catch {
            throw error.with(request: summary(of: resource.request))
        }
        return APIResponse(value, head: response.head, timings: response.timings)
    }

    /// As the client does it: a status that is no success is an error with everything the server said.
    private func validate(_ response: DataResponse, _ request: some Requestable) throws(NetworkError) {
        let options = request._requestOptions()
        guard !(options.validation ?? .success).accepts(response.status) else { return }
        throw .api(
            APIError(
                head: response.head, body: response.body,
                problem: ProblemDetails(head: response.head, body: response.body),
                payload: options.errorDecoder?.decode(response), request: summary(of: request)))
    }

    private func summary<Request: Requestable>(of request: Request) -> RequestSummary {
        RequestSummary(
            operation: request._requestOptions().operationName ?? String(describing: Request.self),
            method: request._requestMethod(), url: "mock:" + request._requestPath().description)
    }

    private func mismatch<Request: Requestable>(
        _ request: Request, _ value: any Sendable, wanted: Any.Type
    ) -> NetworkError {
        report(
            "\(Request.self) was answered with a value of type \(type(of: value)), but the caller asked for \(wanted); "
                + "answer with that type, or with JSON, which goes through the resource's decoding")
    }

    private func report(_ message: String) -> NetworkError {
        let error = UnexpectedRequest("MockNetworkService: " + message)
        state.update { $0.unexpected.append(error) }
        onUnexpected?(error)
        return .other(error)
    }
}

extension MockNetworkService.State {
    /// The latest registration of the type, else the latest whose method and path match.
    func registration(
        for call: MockNetworkService.Call, type: any Requestable.Type
    ) -> (index: Int, parameters: [String: String])? {
        let key = MockNetworkService.Registration.Key.type(ObjectIdentifier(type))
        if let index = registrations.lastIndex(where: { $0.key == key }) { return (index, [:]) }
        let path = call.path.prefix { $0 != "?" }
        for index in registrations.indices.reversed() {
            guard case .route(let method, let pattern) = registrations[index].key,
                method == nil || method == call.method, let parameters = pattern.match(path)
            else { continue }
            return (index, parameters)
        }
        return nil
    }
}
