import Foundation
import Testing

@testable import APICore

@Suite struct RequestPathTests {
    enum Route: String, RequestPathConvertible { case users, albums = "photo/albums" }

    @Test(arguments: [
        ("https://h", "users", "https://h/users"),
        ("https://h/", "users", "https://h/users"),
        ("https://h", "/users", "https://h/users"),
        ("https://h/", "/users", "https://h/users"),
        ("https://h/v1", "users/", "https://h/v1/users/"),
        ("https://h/v1/", "users", "https://h/v1/users"),
        ("https://h/v1/", "/users", "https://h/v1/users"),
        ("https://h/v1?key=a", "users", "https://h/v1/users?key=a"),
        ("https://h:8443/v1", "users", "https://h:8443/v1/users"),
        ("https://[::1]:8443/v1", "users", "https://[::1]:8443/v1/users"),
        ("https://h/v1", "", "https://h/v1"),
        ("https://h/v1/", "", "https://h/v1/"),
        ("https://h/v1", "/", "https://h/v1/"),
        ("https://h/v1", "//evil/x", "https://h/v1//evil/x"),
        ("https://h", "//evil/x", "https://h//evil/x"),
        ("https://h/v1", "urn:isbn:1", "https://h/v1/urn:isbn:1"),
        ("https://h", "a//b", "https://h/a//b"),
        ("https://h", "a%2Fb", "https://h/a%2Fb"),
        ("https://h", "a b", "https://h/a%20b"),
        ("https://h", "50%", "https://h/50%25"),
        ("https://h", "naïve", "https://h/na%C3%AFve"),
        ("https://h", "a+b@c!$&'()*,;=:", "https://h/a+b@c!$&'()*,;=:"),
        ("https://h", "a[1]", "https://h/a%5B1%5D"),
        ("https://h", "a\\b", "https://h/a%5Cb"),
        ("https://h", "@evil.example/x", "https://h/@evil.example/x"),
        ("https://h", ":80/x", "https://h/:80/x"),
        ("https://h", "...", "https://h/..."),
    ])
    func appends(base: String, path: String, expected: String) throws {
        #expect(try RequestURL(base).appending(path.requestPath).string == expected)
    }

    @Test(arguments: [
        ("users?active=1", InvalidRequest.PathProblem.containsQuery),
        ("users#top", .containsFragment),
        ("../admin", .dotSegment),
        ("a/../../b", .dotSegment),
        ("a/.", .dotSegment),
        ("a/%2e%2E/b", .dotSegment),
        ("a/.%2e", .dotSegment),
        ("https://evil.example/x", .absoluteURL),
        ("a\r\nX: 1", .controlCharacter),
        ("a\u{0}", .controlCharacter),
        ("a\u{7F}", .controlCharacter),
    ])
    func refuses(path: String, problem: InvalidRequest.PathProblem) throws {
        let base = try RequestURL("https://h/v1")
        let error = #expect(throws: InvalidRequest.self) { try base.appending(path.requestPath) }
        guard case .invalidPath(_, let found) = error?.reason else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(found == problem)
    }

    @Test(arguments: [
        ("plain", "x/plain/y"), ("a/b", "x/a%2Fb/y"), ("a?b", "x/a%3Fb/y"), ("a#b", "x/a%23b/y"), (".", "x/%2E/y"),
        ("..", "x/%2E%2E/y"), ("../..", "x/..%2F../y"), ("a b+c", "x/a%20b%2Bc/y"), ("50%", "x/50%25/y"),
        ("%2F", "x/%252F/y"), ("é", "x/%C3%A9/y"), ("a\r\nb", "x/a%0D%0Ab/y"), ("\u{0}", "x/%00/y"),
        ("a;b,c:d@e", "x/a%3Bb%2Cc%3Ad%40e/y"), ("~-._", "x/~-._/y"),
    ])
    func encodesValuesAsSegments(value: String, expected: String) throws {
        let path: RequestPath = "x/\(value)/y"
        #expect(path.encoded == expected)
        #expect(try RequestURL("https://h").appending(path).string == "https://h/" + expected)
    }

    @Test func takesValuesOfManyTypes() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let path: RequestPath = "a/\(7)/\(true)/\(2.5)/\(uuid)/\(Route.albums)/\(UInt8(3))/\(Character("ü"))"
        #expect(path.encoded == "a/7/true/2.5/E621E1F8-C36C-495A-93FC-0C247A3E6E5F/photo%2Falbums/3/%C3%BC")
    }

    @Test func dotsPutTogetherFromPiecesAreRefused() {
        let dot = "."
        let paths: [RequestPath] = ["a/.\(dot)/b", "a/\(dot)\(dot)", "a/\(dot)."]
        for path in paths {
            #expect(throws: InvalidRequest.self) { try RequestURL("https://h").appending(path) }
        }
    }

    @Test func emptyValuesAreRefused() {
        let empty = ""
        #expect(throws: InvalidRequest.self) { try RequestURL("https://h").appending("users/\(empty)") }
        #expect(throws: InvalidRequest.self) { try RequestURL("https://h").appending("users/\(empty)/posts") }
        #expect(throws: Never.self) { try RequestURL("https://h").appending("users/a\(empty)") }
    }

    @Test func aLiteralMayBringAQuery() throws {
        let value = "a&b=c#d"
        let path: RequestPath = "search?kind=\(value)&x=ü"
        #expect(
            try RequestURL("https://h/v1?key=1").appending(path).string
                == "https://h/v1/search?key=1&kind=a%26b%3Dc%23d&x=%C3%BC")
    }

    @Test func rawTextKeepsItsMeaning() throws {
        let path: RequestPath = "files/\(raw: "a/b%20c")"
        #expect(path.encoded == "files/a/b%20c")
        #expect(throws: InvalidRequest.self) {
            try RequestURL("https://h").appending("files/\(raw: "../secret")")
        }
    }

    @Test func segmentsAndRoutes() throws {
        #expect(RequestPath(segments: ["a/b", "..", "c"]).encoded == "a%2Fb/%2E%2E/c")
        #expect(Route.albums.requestPath.encoded == "photo/albums")
    }

    @Test func randomValuesNeverLeaveTheBase() throws {
        var generator = SeededGenerator(seed: 3)
        let base = try RequestURL("https://h:81/base?k=v")
        let pieces = ["/", "..", ".", "%2e", "%2F", "?", "#", "@", ":", "//", "\\", "a", "é", " ", "https://evil"]
        for _ in 0..<20_000 {
            let value = (0..<Int.random(in: 1...5, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let url = try base.appending("x/\(value)/y")
            #expect(url.origin == base.origin)
            #expect(url.path.hasPrefix("/base/x/") && url.path.hasSuffix("/y"))
            #expect(url.path.filter { $0 == "/" }.count == 4)
            #expect(url.query == "k=v")
            guard let plain = try? base.appending(value.requestPath) else { continue }
            #expect(plain.origin == base.origin && plain.path.hasPrefix("/base/") && plain.query == "k=v")
        }
    }
}
