import Foundation
import Testing

@testable import APICore

@Suite struct RequestURLTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"),
        ("HTTPS://Example.COM/Path", "https://example.com/Path"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("https://example.com/a b?c d", "https://example.com/a%20b?c%20d"),
        ("https://example.com/a%20b%2Fc?x=%26", "https://example.com/a%20b%2Fc?x=%26"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/%zz?q=%4", "https://example.com/%25zz?q=%254"),
        ("https://example.com/é?q=é", "https://example.com/%C3%A9?q=%C3%A9"),
        ("https://example.com/a+b?q=1+1", "https://example.com/a+b?q=1+1"),
        ("https://example.com/a?b#fragment", "https://example.com/a?b"),
        ("https://example.com?b", "https://example.com?b"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://example.com/../../x", "https://example.com/x"),
        ("https://example.com/a/%2E%2e/b", "https://example.com/b"),
        ("https://example.com/a//b/", "https://example.com/a//b/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://[2001:DB8::A]/", "http://[2001:db8::a]/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://пример.испытание", "https://xn--e1afmkfd.xn--80akhbyknj4f"),
        ("https://faß.de", "https://xn--fa-hia.de"),
        ("https://example.com./", "https://example.com./"),
        ("https://a_b.example.com/", "https://a_b.example.com/"),
    ])
    func readsAndEncodesOnce(text: String, expected: String) throws {
        let url = try RequestURL(text)
        #expect(url.string == expected)
        // Reading what was written changes nothing: nothing is ever encoded twice.
        #expect(try RequestURL(url.string).string == expected)
    }

    @Test(arguments: [
        ("", InvalidRequest.URLProblem.empty),
        ("example.com/users", .missingScheme),
        ("/users", .missingScheme),
        ("ftp://example.com", .unsupportedScheme("ftp")),
        ("javascript:alert(1)", .unsupportedScheme("javascript")),
        ("file:///etc/passwd", .unsupportedScheme("file")),
        ("https://", .missingHost),
        ("https:example.com", .missingHost),
        ("https:///path", .missingHost),
        ("https://:80/", .missingHost),
        ("https://exa mple.com", .invalidHost("exa mple.com")),
        ("https://exa%6dple.com", .invalidHost("exa%6dple.com")),
        ("https://a..b", .invalidHost("a..b")),
        ("https://[::1", .invalidHost("[::1")),
        ("https://[fe80::1%25eth0]/", .invalidHost("[fe80::1%25eth0]")),
        ("https://[nonsense]/", .invalidHost("[nonsense]")),
        ("https://example.com:0/", .invalidPort("0")),
        ("https://example.com:65536/", .invalidPort("65536")),
        ("https://example.com:80a/", .invalidPort("80a")),
        ("https://example.com:+80/", .invalidPort("+80")),
        ("https://user:secret@example.com/", .containsCredentials),
        ("https://example.com@evil.example/", .containsCredentials),
        ("https://example.com/a\r\nX: 1", .controlCharacter),
        ("https://example.com/\u{0}", .controlCharacter),
    ])
    func refuses(text: String, problem: InvalidRequest.URLProblem) {
        let error = #expect(throws: InvalidRequest.self) { try RequestURL(text) }
        guard case .invalidURL(_, let found) = error?.reason else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(found == problem)
        #expect(error?.description.contains("secret") != true)
    }

    @Test func labelsPastTheLimitsAreRefused() {
        let long = String(repeating: "a", count: 64)
        #expect(throws: InvalidRequest.self) { try RequestURL("https://\(long).com") }
        #expect(throws: Never.self) { try RequestURL("https://\(long.dropLast()).com") }
        #expect(throws: InvalidRequest.self) {
            try RequestURL("https://" + Array(repeating: "abcdefgh", count: 32).joined(separator: "."))
        }
        #expect(throws: InvalidRequest.self) { try RequestURL("https://\(String(repeating: "ü", count: 70)).de") }
    }

    @Test func descriptionHidesSensitiveQueryItems() throws {
        let url = try RequestURL("https://example.com/a?page=1&access_token=abc&API%5FKEY=def&x")
        #expect(url.description == "https://example.com/a?page=1&access_token=<redacted>&API%5FKEY=<redacted>&x")
    }

    /// RFC 3986 section 5.4, with http in place of the example's scheme so that the result can be requested.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("http://other:81/x", "http://other:81/x"),
    ])
    func resolvesReferences(reference: String, expected: String) throws {
        #expect(try RequestURL("http://a/b/c/d;p?q").resolving(reference).string == expected)
    }

    @Test(arguments: ["ftp://x/", "javascript:1", "//user@host/", "http://[bad/"])
    func refusesReferences(reference: String) {
        #expect(throws: InvalidRequest.self) { try RequestURL("http://a/b").resolving(reference) }
    }

    @Test func originsCompareWithDefaultPorts() throws {
        #expect(try RequestURL("https://A.com:443/x").origin == RequestURL("https://a.com/y?z").origin)
        #expect(try RequestURL("https://a.com").origin != RequestURL("http://a.com").origin)
        #expect(try RequestURL("https://a.com").origin != RequestURL("https://a.com:8443").origin)
        #expect(try RequestURL("https://a.com:8443").origin.description == "https://a.com:8443")
    }

    /// RFC 3492 section 7.1, the samples that fit in a label.
    @Test(arguments: [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
        ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
        ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
    ])
    func encodesPunycode(label: String, expected: String) {
        #expect(Punycode.asciiLabel(label)?.lowercased() == "xn--" + expected.lowercased())
    }

    @Test func randomTextNeverCrashesAndIsStable() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "http", "https", "://", ":", "/", "//", "?", "#", "@", "[", "]", "%", "%2", "%41", "..", ".", "é", "\u{0}",
            "\r\n", " ", "a", "example.com", "::1", "65535", "99999", "例え", "\u{200B}", "&", "=", "\\",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...9, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard let url = try? RequestURL(text) else { continue }
            #expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)")
            #expect((try? RequestURL(url.string))?.string == url.string, "\(text.debugDescription)")
            _ = try? url.resolving(text)
        }
    }
}
