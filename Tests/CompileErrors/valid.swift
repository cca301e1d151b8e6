// expect: nothing
import APICore
import FoundationEssentials

enum Route: String { case users, posts = "blog/posts" }
struct Post: Codable, Sendable { let userId: Int; let title: String }

struct A: Requestable { let path = "users/" }
struct B: Requestable { let path = Route.users }
struct C: Requestable {
    let owner: String
    var path: RequestPath { "repos/\(owner)" }
    var parameters: QueryParameters { ["ref": "main", "tags": ["a", "b"], "raw": true, "none": nil as String?] }
}
struct D: Requestable {
    let path = "posts"
    let method = HTTPMethod.post
    let body: Post
}
struct E: Requestable {
    let path = "posts"
    var method: HTTPMethod { .POST }
    var body: Post? { nil }
    var headers: [HTTPHeaderKey: String] { [.contentType: "application/json"] }
}
struct F: Requestable {
    let path = "login"
    let method = HTTPMethod.post
    var body: HTTPBody { .form(["user": "a", "password": "b"]) }
    var headers: [String: String] { ["X-A": "1"] }
}
struct G: Requestable {
    let path = "image"
    let method = HTTPMethod.put
    let body: Data
    let parameters = ["a": "b"]
    let headers: [HTTPHeader] = [.accept("image/png")]
    let options = RequestOptions(priority: .high)
}
struct H: Requestable {
    let path = "items"
    let parameters = [URLQueryItem(name: "page", value: "1")]
    let body: Data?
}
struct I: Requestable {
    let path = "items"
    typealias Body = Post
    let body: [Post]
    let parameters: [String: Int]? = nil
}
struct J: APIRequest {
    typealias Response = Void
    let path = "ping"
}
struct K: APIRequest {
    typealias Response = [Post]?
    let path = "ping"
}
let resource = Resource<[Post], A>(request: A())
let void = Resource<Void, A>(request: A())
let count = resource.map(\.count)
let text = Resource(request: A()) { data in String(decoding: data, as: UTF8.self) }
let headed = Resource(request: A()) { data, head in (data.count, head.status) }
