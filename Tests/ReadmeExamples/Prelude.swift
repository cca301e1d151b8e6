struct User: Decodable, Sendable { let id: Int; let name: String; let email: String }
struct ListUsers: APIRequest {
    typealias Response = [User]
    let path = "users"
}
struct FetchUser: APIRequest {
    typealias Response = User
    let id: Int
    var path: RequestPath { "users/\(id)" }
}
struct FetchUserListRequest: Requestable { let path = "users/" }
