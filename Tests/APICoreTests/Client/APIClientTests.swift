import Foundation
import JSONCoding
import Testing

@testable import APICore

struct User: Codable, Sendable, Equatable { let id: Int; let name: String; let email: String }
struct FetchUserListRequest: Requestable { let path = "users/" }
struct ListUsers: APIRequest {
    typealias Response = [User]
    let path = "users"
}

@Suite struct APIClientTests {
    static let users = #"[{"id":1,"name":"Leanne Graham","email":"leanne@example.com"}]"#

    @Test func seedUsage() async throws {
        let transport = ClosureTransport(body: APIClientTests.users)
        let apiClient = try APIClient(transport)
        let request = FetchUserListRequest()
        let resource = Resource<[User], FetchUserListRequest>(request: request)
        let response = try await apiClient.dataTask(with: resource)
        #expect(response == [User(id: 1, name: "Leanne Graham", email: "leanne@example.com")])
        #expect(transport.requests.map(\.url.string) == ["https://api.example.com/v1/users/"])
        #expect(try await apiClient.send(ListUsers()) == response)
        let whole = try await apiClient.response(for: ListUsers())
        #expect(whole.value == response && whole.status == .ok && whole.headers[.contentType] == "application/json")
    }

    @Test func snakeCaseAndDates() async throws {
        struct Item: Codable, Sendable, Equatable { let itemId: Int; let createdAt: Date }
        let client = try APIClient(ClosureTransport(body: #"{"item_id": 7, "created_at": "2026-12-01T08:30:00Z"}"#))
        let item: Item = try await client.request(Endpoint(path: "item"))
        #expect(item == Item(itemId: 7, createdAt: Date(timeIntervalSince1970: 1_796_113_800)))
    }

    @Test func emptyBodiesByKindOfResponse() async throws {
        for status in [HTTPStatusCode.ok, .noContent, .resetContent] {
            let client = try APIClient(ClosureTransport(status: status, headers: [:]))
            try await client.dataTask(with: Resource<Void, FetchUserListRequest>(request: .init()))
            #expect(try await client.dataTask(with: Resource<Data, FetchUserListRequest>(request: .init())).isEmpty)
            #expect(try await client.dataTask(with: Resource<String, FetchUserListRequest>(request: .init())).isEmpty)
            #expect(try await client.dataTask(with: Resource<[User]?, FetchUserListRequest>(request: .init())) == nil)
            #expect(try await client.dataTask(with: Resource<Data?, FetchUserListRequest>(request: .init())) == nil)
            let error = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
            guard case .decoding(let failure) = error else {
                Issue.record("unexpected \(String(describing: error))")
                continue
            }
            #expect(failure.status == status && failure.reason.contains("empty") && failure.excerpt == "(empty)")
        }
        let notModified = try APIClient(
            ClosureTransport(status: .notModified, headers: [:]),
            configuration: ClientConfiguration(validation: .successOrNotModified))
        #expect(try await notModified.dataTask(with: Resource<[User]?, FetchUserListRequest>(request: .init())) == nil)
    }

    @Test func bodiesThatAreNoJSON() async throws {
        func client(_ bytes: [UInt8], _ type: String) throws -> APIClient {
            try APIClient(ClosureTransport { _ in HTTPResponse(headers: [.contentType: type], body: Data(bytes)) })
        }
        let text = Resource<String, FetchUserListRequest>(request: .init())
        #expect(try await client(Array("grüß".utf8), "text/plain").dataTask(with: text) == "grüß")
        #expect(try await client([0x67, 0xFC], "text/plain; charset=ISO-8859-1").dataTask(with: text) == "gü")
        await #expect(throws: NetworkError.self) { try await client([0x67, 0xFC], "text/plain").dataTask(with: text) }
        await #expect(throws: NetworkError.self) {
            try await client([0x67], "text/plain; charset=utf-7").dataTask(with: text)
        }
        let optional = Resource<String?, FetchUserListRequest>(request: .init())
        #expect(try await client(Array("x".utf8), "text/plain").dataTask(with: optional) == "x")
        let data = Resource<Data, FetchUserListRequest>(request: .init())
        #expect(try await client([0, 255], "application/octet-stream").dataTask(with: data) == Data([0, 255]))
        let null = Resource<Int?, FetchUserListRequest>(request: .init())
        #expect(try await client(Array("null".utf8), "application/json").dataTask(with: null) == nil)
        #expect(try await client(Array("7".utf8), "application/json").dataTask(with: null) == 7)
    }

    @Test func genericCodeDecodesTheSame() async throws {
        func fetch<Value: Decodable & Sendable>(_: Value.Type, _ client: APIClient) async throws -> Value {
            try await client.dataTask(with: Resource<Value, FetchUserListRequest>(request: .init()))
        }
        let client = try APIClient(ClosureTransport(body: "\"x\""))
        #expect(try await fetch(Data.self, client) == Data("\"x\"".utf8))
        #expect(try await fetch(String.self, client) == "\"x\"")
        #expect(try await fetch([String]?.self, APIClient(ClosureTransport())) == nil)
    }

    @Test func mapAndOwnClosures() async throws {
        let client = try APIClient(ClosureTransport(headers: ["X-Total": "42"], body: APIClientTests.users))
        let resource = Resource<[User], FetchUserListRequest>(request: .init())
        #expect(try await client.dataTask(with: resource.map(\.count)) == 1)
        let total = Resource(request: FetchUserListRequest()) { data, head in (data.count, head.headers["x-total"]) }
        #expect(try await client.dataTask(with: total).1 == "42")
        struct Mine: Error {}
        let failing = Resource<Int, FetchUserListRequest>(request: .init()) { _ in throw Mine() }
        let error = await #expect(throws: NetworkError.self) { try await client.dataTask(with: failing) }
        guard case .decoding(let failure) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(failure.underlying is Mine)
        let passed = Resource<Int, FetchUserListRequest>(request: .init()) { _ in throw NetworkError.cancelled }
        #expect(
            await #expect(throws: NetworkError.self) { try await client.dataTask(with: passed) }?.isCancellation == true
        )
    }

    @Test func decodingErrorsSayWhereAndWhat() async throws {
        let body =
            #"{"users": [{"id": 1, "name": "a", "email": "e"}, {"id": 2, "name": 3, "email": "e", "password": "hunter2"}]}"#
        struct Page: Decodable, Sendable { let users: [User] }
        let client = try APIClient(ClosureTransport(body: body))
        let error = await #expect(throws: NetworkError.self) {
            let _: Page = try await client.request(Endpoint(path: "users", parameters: ["token": "s3cret"]))
        }
        guard case .decoding(let failure) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(failure.codingPath == ["users", "[1]", "name"] && failure.type == "Page" && failure.status == .ok)
        let text = "\(NetworkError.decoding(failure))"
        #expect(
            text.contains(
                "Endpoint: GET https://api.example.com/v1/users?token=<redacted>: 200 OK: the body is not Page: at users.[1].name"
            ))
        #expect(text.contains("expected String") && !text.contains("hunter2") && !text.contains("s3cret"))
    }

    @Test func unsuccessfulStatusesCarryWhatTheServerSaid() async throws {
        struct Wrong: Decodable, Sendable, Equatable { let code: String }
        let client = try APIClient(
            ClosureTransport(
                status: .unprocessableContent, headers: [.contentType: "application/json", "X-Id": "9"],
                body: #"{"code": "E7"}"#),
            configuration: ClientConfiguration(errorDecoder: .json(Wrong.self)))
        do {
            _ = try await client.send(ListUsers())
            Issue.record("no error")
        } catch .api(let error) where error.status == .unprocessableContent {
            #expect(error.payload(as: Wrong.self) == Wrong(code: "E7"))
            #expect(error.headers["x-id"] == "9" && String(decoding: error.body, as: UTF8.self) == #"{"code": "E7"}"#)
            #expect(try error.decode(Wrong.self) == Wrong(code: "E7"))
            #expect(
                error.description
                    == #"ListUsers: GET https://api.example.com/v1/users: 422 Unprocessable Content: {"code": "E7"}"#)
            #expect(error.problem == nil)
        } catch {
            throw error
        }
    }

    @Test func problemDetails() async throws {
        let body =
            #"{"type": "https://example.com/probs/out-of-credit", "title": "No credit", "status": 403, "detail": "Balance is 30.", "instance": "/a/1", "balance": 30}"#
        let client = try APIClient(
            ClosureTransport(
                status: .forbidden, headers: [.contentType: "application/problem+json; charset=utf-8"], body: body))
        let error = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        let problem = try #require(error?.apiError?.problem)
        #expect(problem.title == "No credit" && problem.status == 403 && problem.instance == "/a/1")
        #expect(problem.extensions == ["balance": 30])
        #expect("\(try #require(error))".hasSuffix("403 Forbidden: Balance is 30."))
        // A member of the wrong type is ignored (RFC 9457 section 3.1), and so is a body that is no object.
        let head = ResponseHead(status: .badRequest, headers: [.contentType: "application/problem+json"])
        #expect(
            ProblemDetails(head: head, body: Data(#"{"title": 7, "detail": "d"}"#.utf8)) == ProblemDetails(detail: "d"))
        #expect(ProblemDetails(head: head, body: Data("[]".utf8)) == nil)
        #expect(
            ProblemDetails(head: ResponseHead(headers: [.contentType: "application/json"]), body: Data("{}".utf8))
                == nil)
    }

    @Test func interceptorsRunInOrderAndMayAnswer() async throws {
        struct Tag: Interceptor {
            let name: String
            func intercept(_ request: HTTPRequest, next: @escaping HTTPHandler) async throws(NetworkError)
                -> HTTPResponse
            {
                var request = request
                request.headers.append(name, for: "X-Path")
                var response = try await next(request)
                response.head.headers.append(name, for: "X-Back")
                return response
            }
        }
        struct Offline: Interceptor {
            func intercept(_ request: HTTPRequest, next: @escaping HTTPHandler) async throws(NetworkError)
                -> HTTPResponse
            {
                HTTPResponse(status: .ok, body: Data(APIClientTests.users.utf8))
            }
        }
        let transport = ClosureTransport(body: APIClientTests.users)
        let client = try APIClient(transport, interceptors: [Tag(name: "a"), Tag(name: "b")])
        let response = try await client.response(for: ListUsers())
        #expect(transport.requests.first?.headers.values(for: "X-Path") == ["a", "b"])
        #expect(response.headers.values(for: "X-Back") == ["b", "a"])
        let offline = try APIClient(transport, interceptors: [Tag(name: "a"), Offline(), Tag(name: "never")])
        #expect(try await offline.send(ListUsers()).count == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func loadAsInTheSeed() async throws {
        enum Path: CustomStringConvertible {
            case photos, user(id: Int), filtered
            var description: String {
                switch self {
                case .photos: "photos"
                case .user(let id): "user/\(id)"
                case .filtered: "photos?album=1"
                }
            }
        }
        let transport = ClosureTransport(body: APIClientTests.users)
        let client = try APIClient(transport)
        _ = try await client.load([User].self, path: Path.photos)
        _ = try await client.load(
            [User].self, path: Path.user(id: 7), method: .get([URLQueryItem(name: "a", value: "b")]))
        _ = try await client.load(
            [User].self, path: Path.filtered, method: .get([URLQueryItem(name: "page", value: "2")]))
        _ = try await client.load([User].self, path: Path.photos, method: .post(Data("{}".utf8)))
        _ = try await client.load([User].self, path: "plain")
        #expect(
            transport.requests.map { "\($0.method) \($0.url.string)" } == [
                "GET https://api.example.com/v1/photos", "GET https://api.example.com/v1/user/7?a=b",
                "GET https://api.example.com/v1/photos?album=1&page=2", "POST https://api.example.com/v1/photos",
                "GET https://api.example.com/v1/plain",
            ])
        #expect(
            transport.requests.map { $0.headers[.contentType] } == [
                nil, nil, nil, "application/json; charset=UTF-8", nil,
            ])
    }

    @Test func dataRequestsByURL() async throws {
        let transport = ClosureTransport(body: APIClientTests.users)
        let client = try APIClient(transport)
        let data: Data = try await client.dataRequest(url: "https://other.example/a%20b?x=1", parameters: ["y": true])
        #expect(!data.isEmpty)
        let url = try #require(URL(string: "https://other.example/c"))
        let users: [User] = try await client.dataRequest(
            url: url, method: .post, headers: [.accept("x/y")],
            parameters: QueryParameters(["u": "n"], in: .body(.form)))
        #expect(users.count == 1)
        let below: [User] = try await client.dataRequest(path: "auth/login", parameters: ["userName": "a b"])
        #expect(below.count == 1)
        #expect(
            transport.requests.map { "\($0.method) \($0.url.string)" } == [
                "GET https://other.example/a%20b?x=1&y=true", "POST https://other.example/c",
                "GET https://api.example.com/v1/auth/login?userName=a%20b",
            ])
        await #expect(throws: NetworkError.self) { let _: Data = try await client.dataRequest(url: "nonsense") }
    }

    @Test func bodiesPastTheLimitAreRefused() async throws {
        let client = try APIClient(
            ClosureTransport(body: APIClientTests.users), configuration: ClientConfiguration(maximumBodySize: 10))
        let error = await #expect(throws: NetworkError.self) { try await client.send(ListUsers()) }
        guard case .bodyTooLarge(let failure) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(failure.limit == 10 && failure.request?.operation == "ListUsers")
    }

    @Test func streamsAndTheirDefaultForMocks() async throws {
        let client = try APIClient(ClosureTransport(body: "abc"))
        let response = try await client.stream(ListUsers())
        var text = ""
        for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "abc")

        struct OneUser: NetworkServiceProtocol {
            func response<R, Q>(for resource: Resource<R, Q>) async throws(NetworkError) -> APIResponse<R> {
                APIResponse(try resource.decode(.json(APIClientTests.users)))
            }
        }
        let mock: any NetworkServiceProtocol = OneUser()
        #expect(try await mock.send(ListUsers()).map(\.name) == ["Leanne Graham"])
        #expect(try await mock.stream(ListUsers()).body.collect() == Data(APIClientTests.users.utf8))
    }

    @Test func parallelAndChainedCalls() async throws {
        let client = try APIClient(
            ClosureTransport { request in
                HTTPResponse(
                    body: Data(
                        #"{"id": \#(request.url.path.split(separator: "/").last ?? "0"), "name": "n", "email": "e"}"#
                            .utf8))
            })
        func user(_ id: Int) async throws(NetworkError) -> User {
            try await client.request(Endpoint(path: "users/\(id)"))
        }
        async let first = user(1)
        async let second = user(2)
        let both = try await [first, second]
        #expect(both.map(\.id) == [1, 2])
        let next = try await user(3)
        #expect(next.id == 3)
    }

    @Test func cancellationIsItsOwnError() async throws {
        let client = try APIClient(
            ClosureTransport { (_) async throws(NetworkError) -> HTTPResponse in
                do { try await Task.sleep(for: .seconds(600)) } catch { throw NetworkError(error) }
                return HTTPResponse()
            })
        let task = Task { try await client.send(ListUsers()) }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }
}
