import APILayer
import APITesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A tour of the package against a real server on loopback. It fails when anything is not as it should be.
@main
struct Quickstart {
    static func main() async {
        #if os(Linux)
        var checklist = Checklist()
        do {
            try await run(&checklist)
        } catch {
            checklist.check(false, "the tour ended early: \(error)")
        }
        exit(checklist.finish())
        #else
        print("The quickstart's server needs Linux.")
        #endif
    }

    #if os(Linux)
    private static func run(_ checklist: inout Checklist) async throws {
        let server = try UsersServer.start()
        defer { server.stop() }
        // The server's port is a free one: a variable says where it is, over what the file says.
        var variables = ProcessInfo.processInfo.environment
        variables["API_BASE_URL"] = server.url("/v1")
        let environment = try APIEnvironment.load("Sandbox", variables: variables)
        let client = APIClient(environment: environment)

        checklist.section("Environment: Configuration/Sandbox.json, with API_BASE_URL laid over it")
        checklist.show("\(environment)")
        checklist.check(!"\(environment)".contains("sandbox-token"), "its token is not shown")

        try await list(client, server, &checklist)
        try await query(client, server, &checklist)
        try await create(client, server, &checklist)
        try await failure(client, &checklist)
        try await mock(&checklist)
        try await parallelAndChained(client, &checklist)
        try await ResilienceTour.run(&checklist)
        try await StreamsTour.run(&checklist, folder: FileManager.default.temporaryDirectory.path())
    }

    private static func list(
        _ client: APIClient, _ server: StubServer, _ checklist: inout Checklist
    ) async throws {
        checklist.section("A list: GET users/")
        let users = try await client.dataTask(
            with: Resource<[User], FetchUserListRequest>(request: FetchUserListRequest()))
        for user in users { checklist.show("\(user.id)  \(user.name) <\(user.email)>") }
        checklist.check(users == UsersServer.users, "\(users.count) users decoded")
        let token = server.requests.last?.headers[.authorization]
        checklist.check(token == "Bearer sandbox-token", "the environment's Authorization header was sent")
    }

    private static func query(
        _ client: APIClient, _ server: StubServer, _ checklist: inout Checklist
    ) async throws {
        checklist.section("Query parameters: GET posts")
        let posts = try await client.send(ListPosts(userId: 2, titles: ["a b", "c+d"]))
        let target = server.requests.last?.target ?? ""
        checklist.show("sent \(target)")
        checklist.check(
            target == "/v1/posts?user_id=2&titles%5B%5D=a%20b&titles%5B%5D=c%2Bd&drafts=false", "encoded once, in order"
        )
        checklist.check(posts.map(\.userId) == [2, 2], "\(posts.count) posts of user 2 decoded from snake case")
    }

    private static func create(
        _ client: APIClient, _ server: StubServer, _ checklist: inout Checklist
    ) async throws {
        checklist.section("A body: POST posts")
        let response = try await client.response(for: CreatePost(post: NewPost(userId: 1, title: "Grüße / \"hello\"")))
        checklist.show("sent \(server.requests.last?.text ?? "")")
        checklist.check(
            server.requests.last?.headers[.contentType] == "application/json", "the content type was set")
        checklist.check(
            response.status == .created && response.value.title == "Grüße / \"hello\"",
            "\(response.status): post \(response.value.id) came back as it was sent")
    }

    private static func failure(_ client: APIClient, _ checklist: inout Checklist) async throws {
        checklist.section("A failure: GET users/99")
        do {
            let user = try await client.send(FetchUser(id: 99))
            checklist.check(false, "user 99 should not exist, but is \(user)")
        } catch .api(let error) where error.status == .notFound {
            checklist.show("\(error)")
            checklist.check(error.problem?.detail == "There is no user 99.", "404 with the server's problem details")
        } catch {
            throw error
        }
    }

    private static func mock(_ checklist: inout Checklist) async throws {
        checklist.section("A unit test's mock: the service without a network")
        let mock = MockNetworkService()
        mock.on(FetchUserListRequest.self, json: #"[{"id": 7, "name": "Mock User", "email": "mock@example.com"}]"#)
        let names = try await UserService(network: mock).names()
        checklist.check(names == ["Mock User"], "UserService.names() answered \(names)")
        checklist.check(mock.calls(FetchUserListRequest.self).count == 1, "and called the network once")
        do {
            _ = try await mock.send(FetchUser(id: 1))
            checklist.check(false, "an unexpected request must fail")
        } catch {
            checklist.show("\(error)")
            checklist.check(mock.unexpected.count == 1, "an unexpected request is a readable error")
        }
    }

    private static func parallelAndChained(_ client: APIClient, _ checklist: inout Checklist) async throws {
        checklist.section("Calls in parallel, and one that needs another")
        async let first = client.send(FetchUser(id: 1))
        async let second = client.send(FetchUser(id: 2))
        async let third = client.send(FetchUser(id: 3))
        let users = try await [first, second, third]
        checklist.check(users == UsersServer.users, "three users fetched at once: \(users.map(\.name))")
        let owner = try await client.send(FetchUser(id: users[1].id))
        let posts = try await client.send(ListPosts(userId: owner.id, titles: []))
        checklist.check(posts.allSatisfy { $0.userId == owner.id }, "\(owner.name) wrote \(posts.map(\.title))")
    }
    #endif
}
