import Foundation
import Testing

@testable import APICore

@Suite struct HTTPVocabularyTests {
    @Test func methods() {
        #expect(HTTPMethod.post == "POST" && HTTPMethod.POST == .post)
        #expect(HTTPMethod(rawValue: "PURGE").isValid)
        #expect(HTTPMethod.get.isSafe && HTTPMethod.put.isIdempotent && !HTTPMethod.post.isIdempotent)
        for bad in ["", "GE T", "GET\r\nX: 1", "GÉT", "A\u{0}B", "a:b"] { #expect(!HTTPMethod(bad).isValid, "\(bad)") }
        #expect(HTTPMethod("get") != .get)
    }

    @Test func headerNamesCompareWithoutCaseAndKeepTheirSpelling() {
        let key: HTTPHeaderKey = "X-Request-ID"
        #expect(key == "x-request-id" && key.hashValue == HTTPHeaderKey("X-REQUEST-ID").hashValue)
        #expect(key.rawValue == "X-Request-ID")
        #expect(HTTPHeaderKey("É") != HTTPHeaderKey("é"))
        #expect(Set<HTTPHeaderKey>([.accept, "ACCEPT", "accept"]).count == 1)
        for bad in ["", "a b", "a:", "a\r\n", "ä", "a\u{0}"] { #expect(!HTTPHeaderKey(bad).isValid, "\(bad)") }
    }

    @Test func headersKeepOrderAndRepetition() {
        var headers: HTTPHeaders = [.accept: "a", "X-Tag": "1", "x-tag": "2"]
        #expect(headers.map(\.value) == ["a", "1", "2"])
        #expect(headers["X-TAG"] == "1" && headers[joined: "X-Tag"] == "1, 2")
        #expect(headers.values(for: "x-Tag") == ["1", "2"])
        headers["X-Tag"] = "3"
        #expect(headers.map(\.value) == ["a", "3"])
        headers.append("4", for: "X-Tag")
        headers["accept"] = nil
        #expect(headers.map(\.value) == ["3", "4"])
        #expect(headers[.contentType] == nil && headers[joined: .contentType] == nil)
        let merged = HTTPHeaders([.accept("x"), .userAgent("y")]).merging(["ACCEPT": "1", "Accept": "2"])
        #expect(merged.map(\.description) == ["User-Agent: y", "ACCEPT: 1", "Accept: 2"])
        #expect(HTTPHeaders(["b": "2", "A": "1"] as [String: String]).map(\.value) == ["1", "2"])
    }

    @Test func listFields() {
        let headers: HTTPHeaders = ["Vary": "a, b ,,\"x, y\"", "vary": " c"]
        #expect(headers.list(for: .vary) == ["a", "b", "\"x, y\"", "c"])
        #expect("\"unterminated, \\".splitHTTPList() == ["\"unterminated, \\"])
    }

    @Test func factories() {
        #expect(
            HTTPHeader.authorization(username: "Aladdin", password: "open sesame").value
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(HTTPHeader.authorization(bearerToken: "t").value == "Bearer t")
        #expect(HTTPHeader.defaultAcceptEncoding.value == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
        #expect(
            HTTPHeader.qualityEncoded((0..<12).map { "l\($0)" })
                == "l0;q=1.0, l1;q=0.9, l2;q=0.8, l3;q=0.7, l4;q=0.6, l5;q=0.5, l6;q=0.4, l7;q=0.3, l8;q=0.2, "
                + "l9;q=0.1, l10;q=0.1, l11;q=0.1")
        #expect(HTTPHeader.authorization("secret").description == "Authorization: <redacted>")
        #expect(HTTPHeader.accept("a/b").description == "Accept: a/b")
        #expect(HTTPHeader.defaultUserAgent.value.isHTTPFieldValue)
        #expect(HTTPHeader.defaultUserAgent.value.contains("Linux") || HTTPHeader.defaultUserAgent.value.contains("OS"))
    }

    #if os(Linux)
    @Test(
        arguments: [
            ([:], ["en"]),
            (["LANG": "de_AT.UTF-8"], ["de-AT"]),
            (["LANG": "C.UTF-8"], ["en"]),
            (["LANG": "C", "LANGUAGE": "fr"], ["en"]),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "fr:de_DE:en"], ["fr", "de-DE", "en", "en-US"]),
            (["LANG": "en_US.UTF-8", "LC_ALL": "sr_RS@latin"], ["sr-RS"]),
            (["LANG": "../../etc"], ["en"]),
        ] as [([String: String], [String])])
    func preferredLanguages(environment: [String: String], expected: [String]) {
        #expect(HTTPHeader.preferredLanguages(environment: environment) == expected)
    }
    #endif

    @Test func statusCodes() {
        #expect(HTTPStatusCode.notFound.description == "404 Not Found")
        #expect(HTTPStatusCode(299).isSuccess && HTTPStatusCode(299).description == "299")
        #expect(HTTPStatusCode(799).isError == false && HTTPStatusCode(-1).isSuccess == false)
        #expect(
            HTTPStatusCode.noContent.hasNoBody && HTTPStatusCode.notModified.hasNoBody && !HTTPStatusCode.ok.hasNoBody)
        #expect(HTTPStatusCode.teapot == 418 && HTTPStatusCode.payloadTooLarge == .contentTooLarge)
        let classes = [100, 204, 302, 404, 503].map { HTTPStatusCode($0) }
        #expect(classes.map(\.isInformational) == [true, false, false, false, false])
        #expect(classes.map(\.isSuccess) == [false, true, false, false, false])
        #expect(classes.map(\.isRedirection) == [false, false, true, false, false])
        #expect(classes.map(\.isClientError) == [false, false, false, true, false])
        #expect(classes.map(\.isServerError) == [false, false, false, false, true])
        // Every code of the seed's list has a name here.
        let seed = [
            100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306,
            307,
            308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421,
            422,
            423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511,
        ]
        #expect(seed.filter { HTTPStatusCode($0).reasonPhrase.isEmpty } == [])
    }

    @Test func mediaTypes() {
        let type = MediaType("Application/Problem+JSON; charset=\"utf\\-8\" ; q=1; bad; =x")
        #expect(type?.essence == "application/problem+json" && type?.isJSON == true)
        #expect(type?["CHARSET"] == "utf-8" && type?["q"] == "1" && type?.parameters.count == 2)
        for bad in ["", "json", "/", "a/", "a b/c", "a/b/c"] { #expect(MediaType(bad) == nil, "\(bad)") }
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Double, String)])
    func datesBothWays(seconds: Double, text: String) {
        #expect(HTTPDate.string(from: Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test func obsoleteDateForms() throws {
        let now = try #require(HTTPDate.date(from: "Tue, 01 Dec 2026 00:00:00 GMT"))
        #expect(HTTPDate.date(from: "Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.timeIntervalSince1970 == 784_111_777)
        #expect(HTTPDate.date(from: "Sun Nov  6 08:49:37 1994")?.timeIntervalSince1970 == 784_111_777)
        #expect(HTTPDate.date(from: "Fri Nov 16 08:49:37 1994") != nil)
        // 2076 is fifty years ahead, 2077 would be more.
        let year76 = try #require(HTTPDate.date(from: "Wednesday, 01-Jan-76 00:00:00 GMT", now: now))
        #expect(HTTPDate.string(from: year76).contains("2076"))
        let year77 = try #require(HTTPDate.date(from: "Friday, 01-Jan-77 00:00:00 GMT", now: now))
        #expect(HTTPDate.string(from: year77).contains("1977"))
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT x",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    ])
    func malformedDates(text: String) {
        #expect(HTTPDate.date(from: text) == nil)
    }

    @Test func datesAgreeWithFoundation() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let date = Date(
                timeIntervalSince1970: Double(Int.random(in: -2_208_988_800...32_503_680_000, using: &generator)))
            #expect(HTTPDate.string(from: date) == formatter.string(from: date))
            #expect(HTTPDate.date(from: formatter.string(from: date)) == date)
        }
    }
}
