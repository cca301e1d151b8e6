#if os(Linux)
import APILayer
import APITesting

/// A small users and posts service on this machine's loopback.
enum UsersServer {
    static let users = [
        User(id: 1, name: "Leanne Graham", email: "leanne@example.com"),
        User(id: 2, name: "Ervin Howell", email: "ervin@example.com"),
        User(id: 3, name: "Clementine Bauch", email: "clementine@example.com"),
    ]

    static func start() throws -> StubServer {
        let server = try StubServer()
        server.on(.get, "/v1/users/", try json(users))
        server.on(.get, "/v1/users/:id") { request in
            let id = Int(request.parameters["id"] ?? "")
            guard let user = users.first(where: { $0.id == id }) else {
                let text =
                    #"{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "There is no user \#(id ?? 0)."}"#
                return .problem(.notFound, json: text)
            }
            return try json(user)
        }
        server.on(.get, "/v1/posts") { request in
            let user = Int(request.queryItem("user_id") ?? "") ?? 0
            return try json([
                Post(id: 1, userId: user, title: "Hello"), Post(id: 2, userId: user, title: "World & more"),
            ])
        }
        server.on(.post, "/v1/posts") { request in
            struct Incoming: Decodable { let userId: Int; let title: String }
            let post = try request.decode(Incoming.self, decoder: DefaultCoders.decoder)
            return try json(Post(id: 101, userId: post.userId, title: post.title), status: .created)
        }
        return server
    }

    private static func json(_ value: some Encodable, status: HTTPStatusCode = .ok) throws -> StubResponse {
        let bytes = try DefaultCoders.encoder.encode(value)
        return .data(bytes, contentType: "application/json", status: status)
    }
}
#endif
