public import APICore

extension MockNetworkService {
    /// Answers requests of a type with a value of the type they name. A later registration of the type replaces an
    /// earlier one.
    public func on<Request: APIRequest>(
        _ type: Request.Type, _ answer: @escaping @Sendable (Request) async throws -> Request.Response
    ) {
        register(type) { .value(try await answer($0)) }
    }

    /// Answers requests of a type with a value of the type callers ask for, which shows when they ask.
    @_disfavoredOverload
    public func on<Request: Requestable, Value: Sendable>(
        _ type: Request.Type, _ answer: @escaping @Sendable (Request) async throws -> Value
    ) {
        register(type) { .value(try await answer($0)) }
    }

    /// Answers requests of a type with what a closure chooses: a value, JSON, a status or a failure.
    ///
    /// ```swift
    /// mock.on(FindUser.self) { request in request.id == 1 ? .value(ann) : .status(.notFound) }
    /// ```
    @_disfavoredOverload
    public func on<Request: Requestable>(
        _ type: Request.Type, _ answer: @escaping @Sendable (Request) async throws -> MockAnswer
    ) {
        register(type, answer)
    }

    /// Answers requests of a type with these, one after the other; the last one again and again.
    public func on<Request: Requestable>(_ type: Request.Type, _ first: MockAnswer, _ others: MockAnswer...) {
        let responders = ([first] + others).map { answer -> Responder in { _ in answer } }
        add(.type(ObjectIdentifier(type)), name: "\(type)", responders)
    }

    /// Answers requests of a type with JSON text, which goes through the resource's own decoding.
    public func on<Request: Requestable>(_ type: Request.Type, json text: String, status: HTTPStatusCode = .ok) {
        on(type, .json(text, status: status))
    }

    /// Fails requests of a type.
    public func on<Request: Requestable>(_ type: Request.Type, throws error: NetworkError) {
        on(type, .failure(error))
    }

    /// Answers requests of any type whose own is not registered, by method and path, with these, one after the other;
    /// the last one again and again.
    ///
    /// ```swift
    /// mock.on(.get, "users/:id", .json(#"{"id": 1}"#))
    /// let user: User = try await mock.request(Endpoint(path: "users/1"))
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method; `nil` takes any.
    ///   - path: The request's path without query, with `:name`, `*` and a final `**` as placeholders.
    ///   - first: The answer.
    ///   - others: The answers after it.
    public func on(_ method: HTTPMethod?, _ path: String, _ first: MockAnswer, _ others: MockAnswer...) {
        let responders = ([first] + others).map { answer -> Responder in { _ in answer } }
        add(.route(method, PathPattern(path)), name: "\(method?.rawValue ?? "any") \(path)", responders)
    }

    /// Answers requests of any type whose own is not registered, by method and path, with what a closure makes of
    /// them.
    public func on(
        _ method: HTTPMethod?, _ path: String, _ answer: @escaping @Sendable (Call) async throws -> MockAnswer
    ) {
        add(.route(method, PathPattern(path)), name: "\(method?.rawValue ?? "any") \(path)", [answer])
    }

    private func register<Request: Requestable>(
        _ type: Request.Type, _ answer: @escaping @Sendable (Request) async throws -> MockAnswer
    ) {
        let responder: Responder = { call in
            guard let request = call.request as? Request else {
                throw UnexpectedRequest("MockNetworkService: \(call.request) is no \(Request.self)")
            }
            return try await answer(request)
        }
        add(.type(ObjectIdentifier(type)), name: "\(type)", [responder])
    }

    private func add(_ key: Registration.Key, name: String, _ responders: [Responder]) {
        state.update { state in
            state.registrations.removeAll { $0.key == key }
            state.registrations.append(Registration(key: key, name: name, responders: responders))
        }
    }
}
