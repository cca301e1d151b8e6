import APICore
import Foundation
import Testing

/// The cookie jar (RFC 6265bis).
struct CookieTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func jar(_ fields: [String], from url: String) throws -> CookieJar {
        let jar = CookieJar()
        var head = ResponseHead()
        for field in fields { head.headers.append(field, for: .setCookie) }
        jar.store(head, from: try RequestURL(url), now: now)
        return jar
    }

    @Test(
        arguments: [
            ("a=1", "http://h.example/", "http://h.example/x", "a=1"),
            ("a=1", "http://h.example/", "http://sub.h.example/", nil),
            ("a=1; Domain=h.example", "http://h.example/", "http://sub.h.example/", "a=1"),
            ("a=1; Domain=.h.example", "http://sub.h.example/", "http://h.example/", "a=1"),
            ("a=1; Domain=other.example", "http://h.example/", "http://other.example/", nil),
            ("a=1; Domain=example", "http://h.example/", "http://h.example/", nil),
            ("a=1; Domain=xh.example", "http://h.example/", "http://h.example/", nil),
            ("a=1; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
            ("a=1; Path=/x", "http://h.example/", "http://h.example/x/y", "a=1"),
            ("a=1; Path=/x", "http://h.example/", "http://h.example/xy", nil),
            ("a=1", "http://h.example/x/y", "http://h.example/x/z", "a=1"),
            ("a=1", "http://h.example/x/y", "http://h.example/", nil),
            ("a=1; Secure", "https://h.example/", "http://h.example/", nil),
            ("a=1; Secure", "https://h.example/", "https://h.example/", "a=1"),
            ("a=1; Secure", "http://h.example/", "https://h.example/", nil),
            ("a=1; Max-Age=0", "http://h.example/", "http://h.example/", nil),
            ("a=1; Max-Age=-5", "http://h.example/", "http://h.example/", nil),
            ("a=1; Max-Age=60", "http://h.example/", "http://h.example/", "a=1"),
            ("a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "http://h.example/", "http://h.example/", nil),
            ("a=1; Expires=Wed, 09-Jun-2099 10:18:14 GMT", "http://h.example/", "http://h.example/", "a=1"),
            ("a=1; Expires=nonsense", "http://h.example/", "http://h.example/", "a=1"),
            ("a=1; Max-Age=60; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "http://h.example/", "http://h.example/", "a=1"),
            ("a = b c ; x", "http://h.example/", "http://h.example/", "a=b c"),
            ("value", "http://h.example/", "http://h.example/", "value"),
            ("", "http://h.example/", "http://h.example/", nil),
            ("a=\u{1}", "http://h.example/", "http://h.example/", nil),
            ("__Secure-a=1", "https://h.example/", "https://h.example/", nil),
            ("__Secure-a=1; Secure", "https://h.example/", "https://h.example/", "__Secure-a=1"),
            ("__Host-a=1; Secure; Path=/", "https://h.example/", "https://h.example/", "__Host-a=1"),
            ("__Host-a=1; Secure; Path=/; Domain=h.example", "https://h.example/", "https://h.example/", nil),
        ] as [(String, String, String, String?)])
    func sendsWhatBelongs(_ field: String, _ from: String, _ to: String, _ expected: String?) throws {
        #expect(try jar([field], from: from).header(for: RequestURL(to), now: now) == expected)
    }

    @Test func longerPathsFirstThenTheOlder() throws {
        let jar = try jar(["a=1", "b=2; Path=/x", "c=3"], from: "http://h.example/")
        #expect(try jar.header(for: RequestURL("http://h.example/x"), now: now) == "b=2; a=1; c=3")
    }

    @Test func replacesAndEnds() throws {
        let jar = try jar(["a=1", "b=2; Max-Age=10", "a=3"], from: "http://h.example/")
        let url = try RequestURL("http://h.example/")
        #expect(jar.header(for: url, now: now) == "a=3; b=2")
        #expect(jar.header(for: url, now: now.addingTimeInterval(11)) == "a=3")
    }

    @Test func plainHTTPCannotOverwriteASecureCookie() throws {
        let jar = try jar(["a=safe; Secure"], from: "https://h.example/")
        var head = ResponseHead()
        head.headers.append("a=evil", for: .setCookie)
        jar.store(head, from: try RequestURL("http://h.example/"), now: now)
        #expect(try jar.header(for: RequestURL("https://h.example/"), now: now) == "a=safe")
    }

    @Test func keepsABoundedNumber() throws {
        let jar = try jar((0..<200).map { "c\($0)=1" }, from: "http://h.example/")
        #expect(jar.cookies.count == 50)
        #expect(jar.cookies.last?.name == "c199")
    }

    @Test func anyFieldIsSurvived() throws {
        var generator = SeededRandom(seed: 5)
        let seed = Array(
            "a=1; Domain=h.example; Path=/; Max-Age=5; Expires=Wed, 09 Jun 2021 10:18:14 GMT".unicodeScalars)
        for _ in 0..<3000 {
            var scalars = seed
            for _ in 0..<5 {
                let index = Int.random(in: 0..<scalars.count, using: &generator)
                scalars[index] = Unicode.Scalar(UInt8.random(in: 0...255, using: &generator))
            }
            _ = try jar([String(String.UnicodeScalarView(scalars))], from: "http://h.example/")
        }
    }
}
