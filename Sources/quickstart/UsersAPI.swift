import APILayer

// What a service's author writes: the models, the endpoints, and the service that uses them.

struct User: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let email: String
}

struct Post: Codable, Sendable, Equatable {
    let id: Int
    let userId: Int
    let title: String
}

struct NewPost: Encodable, Sendable {
    let userId: Int
    let title: String
}

/// The endpoint of the documents this project came from: a path is enough.
struct FetchUserListRequest: Requestable {
    let path = "users/"
}

/// An endpoint that names its response.
struct FetchUser: APIRequest {
    typealias Response = User
    let id: Int
    var path: RequestPath { "users/\(id)" }
}

struct ListPosts: APIRequest {
    typealias Response = [Post]
    let userId: Int
    let titles: [String]
    let path = "posts"
    var parameters: QueryParameters { ["user_id": userId, "titles": titles, "drafts": false] }
}

struct CreatePost: APIRequest {
    typealias Response = Post
    let post: NewPost
    let method = HTTPMethod.post
    let path = "posts"
    var body: NewPost { post }
}

/// A service that depends on the protocol, not on the client: a test gives it a mock.
struct UserService: Sendable {
    let network: any NetworkServiceProtocol

    func names() async throws(NetworkError) -> [String] {
        let resource = Resource<[User], FetchUserListRequest>(request: FetchUserListRequest())
        return try await network.dataTask(with: resource).map(\.name)
    }
}
