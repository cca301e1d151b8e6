import APILayer
import APITesting
import Testing

struct User: Codable, Sendable, Equatable { let id: Int; let name: String; let email: String }
struct FetchUserListRequest: Requestable { let path = "users/" }
struct ListUsers: APIRequest {
    typealias Response = [User]
    let path = "users/"
}

/// A service whose tests swap the network.
struct UserService: Sendable {
    let network: any NetworkServiceProtocol
    func names() async throws(NetworkError) -> [String] { try await network.send(ListUsers()).map(\.name) }
}

/// The same, generic.
struct GenericUserService<Network: NetworkServiceProtocol>: Sendable {
    let network: Network
    func names() async throws(NetworkError) -> [String] { try await network.send(ListUsers()).map(\.name) }
}

@Suite struct MockedServiceTests {
    @Test func aServiceIsTestedWithTheMock() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self) { _ in [User(id: 1, name: "Ann", email: "a@example.com")] }
        #expect(try await UserService(network: mock).names() == ["Ann"])
        #expect(try await GenericUserService(network: mock).names() == ["Ann"])
        #expect(mock.calls(ListUsers.self).count == 2)
    }
}

#if os(Linux)
/// The whole way: a typed request through the platform's transport to a server on loopback.
@Suite struct EndToEndTests {
    static let json = #"[{"id":1,"name":"Leanne Graham","email":"leanne@example.com"}]"#
    static let expected = [User(id: 1, name: "Leanne Graham", email: "leanne@example.com")]

    private func client(_ server: StubServer) throws -> APIClient {
        APIClient(
            environment: try APIEnvironment(baseURL: server.url("/v1"), headers: [.authorization(bearerToken: "t")]))
    }

    /// Seed 002 as it is written there.
    @Test func theSeedsUsageAsWritten() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/v1/users/", .json(EndToEndTests.json))
        let apiClient = try client(server)
        let request = FetchUserListRequest()
        let resource = Resource<[User], FetchUserListRequest>(request: request)
        let response = try await apiClient.dataTask(with: resource)
        #expect(response == EndToEndTests.expected)
        let sent = try #require(server.requests.first)
        #expect(sent.method == .get && sent.target == "/v1/users/")
        #expect(sent.headers[.authorization] == "Bearer t" && sent.headers[.host] == "127.0.0.1:\(server.port)")
        #expect(sent.headers[.accept] != nil && sent.headers[.userAgent] != nil && sent.rawBody.isEmpty)
    }

    @Test func bodiesAndQueriesOnTheWire() async throws {
        struct Create: Requestable {
            let path: RequestPath = "posts?draft=1"
            let method = HTTPMethod.post
            let parameters: QueryParameters = ["tags": ["a b", "c&d"]]
            let body = ["userName": "Jo"]
        }
        let server = try StubServer()
        defer { server.stop() }
        server.on(.post, "/v1/posts", .status(.created))
        let response = try await client(server).response(for: Resource<Void, Create>(request: Create()))
        #expect(response.status == .created)
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/v1/posts?draft=1&tags%5B%5D=a%20b&tags%5B%5D=c%26d")
        #expect(
            sent.headers[.contentType] == "application/json" && sent.headers[.contentLength] == "\(sent.rawBody.count)")
        #expect(sent.text == #"{"userName":"Jo"}"#)  // A dictionary's keys are data, not names: they stay as they are.
    }

    @Test func failuresOnTheWire() async throws {
        let server = try StubServer()
        server.on(
            .get, "/v1/users/",
            .problem(.tooManyRequests, json: #"{"detail": "slow down"}"#, headers: [.retryAfter: "3"]))
        let client = try client(server)
        let refused = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        #expect(refused?.apiError?.problem?.detail == "slow down" && refused?.apiError?.headers[.retryAfter] == "3")
        server.on(.get, "/v1/users/", .json("{"))
        let malformed = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        guard case .decoding = malformed else {
            Issue.record("unexpected \(String(describing: malformed))")
            return
        }
        server.on(.get, "/v1/users/", .closed)
        let closed = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        guard case .connectivity(let failure) = closed else {
            Issue.record("unexpected \(String(describing: closed))")
            return
        }
        #expect(failure.request?.operation == "ListUsers")
        server.stop()
        let gone = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        guard case .connectivity(let failure) = gone else {
            Issue.record("unexpected \(String(describing: gone))")
            return
        }
        #expect(failure.kind == .connectionRefused)
    }

    @Test func streamsAreReadAsTheyArrive() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/v1/users/", .generated(length: 5_000_000))
        let response = try await client(server).stream(FetchUserListRequest())
        #expect(response.status == .ok)
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        #expect(count == 5_000_000)
    }

    @Test func manyCallsInParallelAndInAChain() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/v1/users/:id") { request in
            .json(#"{"id": \#(request.parameters["id"] ?? "0"), "name": "n", "email": "e"}"#)
        }
        let client = try client(server)
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for id in 1...50 {
                group.addTask {
                    let user: User = try await client.request(Endpoint(path: "users/\(id)"))
                    let again: User = try await client.request(Endpoint(path: "users/\(user.id + 1)"))
                    return again.id
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(ids == Set(2...51))
    }

    @Test func cancellingReachesTheWire() async throws {
        let server = try StubServer()
        defer { server.stop() }
        server.on(.get, "/v1/users/", .noAnswer)
        let client = try client(server)
        let task = Task { try await client.send(ListUsers()) }
        try await server.waitForRequests(1)
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        try await server.waitForCounters { $0.openConnections == 0 }
    }
}
#endif
