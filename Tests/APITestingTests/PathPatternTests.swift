import Testing

@testable import APITesting

@Suite struct PathPatternTests {
    @Test(arguments: [
        ("/", "/", [:]), ("/users", "/users", [:]), ("users/", "/users", [:]), ("/users", "/users/", [:]),
        ("/users/:id", "/users/7", ["id": "7"]), ("/users/:id", "/users/a%2Fb%20c", ["id": "a/b c"]),
        ("/a/*/c", "/a/b/c", [:]), ("/files/**", "/files/a/b", [:]), ("/files/**", "/files", [:]), ("/**", "/", [:]),
        ("/**", "", [:]), ("/a b", "/a%20b", [:]), ("/:a/:b", "/1/2", ["a": "1", "b": "2"]),
    ])
    func matches(pattern: String, path: String, parameters: [String: String]) {
        #expect(PathPattern(pattern).match(path) == parameters)
    }

    @Test(arguments: [
        ("/", "/a"), ("/users", "/user"), ("/users/:id", "/users"), ("/users/:id", "/users/1/2"), ("/a/*/c", "/a/c"),
        ("/files/**", "/file"), ("/Users", "/users"),
    ])
    func doesNotMatch(pattern: String, path: String) {
        #expect(PathPattern(pattern).match(path) == nil)
    }
}
