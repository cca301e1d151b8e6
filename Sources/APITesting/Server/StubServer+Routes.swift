#if os(Linux)
public import APICore

extension StubServer {
    /// Answers requests with these responses, one after the other; the last one again and again. Without a response
    /// the answer is an empty 200.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` takes any.
    ///   - path: The path without query: `/users`, `/users/:id` (the value is in ``RecordedRequest/parameters``),
    ///     `/files/*` (any one segment), `/static/**` (anything below). A later route is looked at before an earlier
    ///     one.
    ///   - time: Whether the answer comes before or after the request's body.
    ///   - responses: The answers.
    public func on(
        _ method: HTTPMethod? = nil, _ path: String = "/**", answering time: AnswerTime = .afterBody,
        _ responses: StubResponse...
    ) {
        add(method, path, time, .sequence(responses))
    }

    /// Answers requests with what a closure makes of them. It runs on the server's thread: keep it short.
    public func on(
        _ method: HTTPMethod? = nil, _ path: String = "/**", answering time: AnswerTime = .afterBody,
        _ respond: @escaping @Sendable (RecordedRequest) throws -> StubResponse
    ) {
        add(method, path, time, .immediate(respond))
    }

    /// Answers requests with what an asynchronous closure makes of them. Its task is cancelled when the connection
    /// ends.
    public func on(
        _ method: HTTPMethod? = nil, _ path: String = "/**", answering time: AnswerTime = .afterBody,
        _ respond: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) {
        add(method, path, time, .asynchronous(respond))
    }

    /// Forgets all routes.
    public func removeRoutes() {
        state.update { $0.routes = [] }
    }

    private func add(_ method: HTTPMethod?, _ path: String, _ time: AnswerTime, _ responder: ServerState.Responder) {
        state.update { state in
            state.nextRoute += 1
            state.routes.append(
                ServerState.Route(
                    identifier: state.nextRoute, method: method, pattern: PathPattern(path), answerTime: time,
                    responder: responder))
        }
    }
}
#endif
