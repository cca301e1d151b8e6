import Foundation
import Testing

@testable import APICore

/// RFC 9111 section 5.2: reading the directives.
@Suite struct CacheControlTests {
    @Test(
        arguments: [
            ("max-age=3600", 3600), ("MaX-aGe=3600", 3600), ("max-age=\"3600\"", 3600), ("max-age=003600", 3600),
            ("max-age=0", 0), ("max-age=2147483648", 1 << 31), ("max-age=99999999999999999999999", 1 << 31),
            ("foobar, max-age=3600", 3600), ("max-age=3600, max-age=1", 1), ("max-age=1, max-age=3600", 1),
            ("max-age='3600'", 0), ("max-age=-3600", 0), ("max-age=3600.0", 0), ("max-age=a3600", 0),
            ("max-age=3600a", 0),
            ("max-age= 3600", 0), ("max-age=", 0), ("max-age", 0),
            ("extension=\"max-age=3600\", max-age=1", 1), ("max-age=1, extension=\"max-age=3600\"", 1),
            ("extension=\"a, max-age=3600\"", nil), ("max-age =3600", nil), ("", nil), ("max-ages=1", nil),
        ] as [(String, Int?)])
    func maxAge(value: String, expected: Int?) {
        #expect(CacheControl([.cacheControl: value]).maxAge == expected)
    }

    @Test func allDirectives() {
        let directives = CacheControl([
            .cacheControl: "No-Store, no-cache, private=\"x\", public, must-revalidate, must-understand, immutable",
            .cacheControl: "s-maxage=1, stale-while-revalidate=2,, stale-if-error=3 ,no-transform",
        ])
        #expect(directives.noStore && directives.noCache && directives.isPrivate && directives.isPublic)
        #expect(directives.mustRevalidate && directives.mustUnderstand && directives.immutable)
        #expect(directives.noTransform)
        #expect(directives.sharedMaxAge == 1)
        #expect(directives.staleWhileRevalidate == 2)
        #expect(directives.staleIfError == 3)
        let request = CacheControl([.cacheControl: "max-stale, min-fresh=5, only-if-cached"])
        #expect(request.maxStale == .max)
        #expect(request.minFresh == 5)
        #expect(request.onlyIfCached)
        #expect(CacheControl([.cacheControl: "max-stale=7"]).maxStale == 7)
    }

    @Test func noCacheWithFieldNamesIsAboutThoseOnly() {
        let directives = CacheControl([.cacheControl: "no-cache=\"Set-Cookie, x\", max-age=5"])
        #expect(!directives.noCache)
        #expect(directives.noCacheFields == [.setCookie, "X"])
        #expect(CacheControl([.cacheControl: "no-cache=\"\""]).noCache, "nothing named: everything meant")
    }

    @Test func anyTextCanBeRead() {
        var random = SeededGenerator(seed: 5)
        let pieces = ["max-age", "=", "\"", "\\", ",", " ", "no-cache", "12", "é", "\u{0}", "stale-if-error", "-"]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let directives = CacheControl([.cacheControl: text])
            #expect((directives.maxAge ?? 0) >= 0 && (directives.staleIfError ?? 0) >= 0)
        }
    }
}

/// RFC 9111 section 4.2: ages and lifetimes.
@Suite struct FreshnessTests {
    @Test(
        arguments: [
            ("30", 30), ("abc", nil), ("-7200", nil), ("7200.0", nil), ("2147483647", 2_147_483_647),
            ("2147483649", 1 << 31), ("7200, 0", 7200), ("0, 7200", 0), ("7200;foo=bar", 7200), ("", nil), (" 5 ", 5),
        ] as [(String, Int?)])
    func age(value: String, expected: Int?) {
        #expect(Freshness.age(of: [.age: value]) == expected)
        #expect(Freshness.age(of: [.age: value, .age: "9"]) == expected, "the first line counts")
    }

    /// Section 4.2.3, with all four times.
    @Test(
        arguments: [
            (100.0, nil, 100.0, 100.0, 0.0), (90, nil, 100, 100, 10), (110, nil, 100, 100, 0),
            (100, 15, 100, 100, 15), (100, 15, 97, 100, 18), (50, 15, 97, 100, 50), (100, nil, 101, 100, 0),
        ] as [(Double, Int?, Double, Double, Double)])
    func initialAge(date: Double, age: Int?, request: Double, response: Double, expected: Double) {
        #expect(
            Freshness.initialAge(date: date, age: age, requestTime: request, responseTime: response) == expected)
    }

    private static let date = 1_720_000_000.0

    private static func text(_ offset: Double) -> String {
        HTTPDate.string(from: Date(timeIntervalSince1970: date + offset))
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=10"], 10), (["Cache-Control": "s-maxage=10"], 0), ([:], 0),
            (["Cache-Control": "max-age=10", "Expires": text(100)], 10),
            (["Cache-Control": "max-age=x", "Expires": text(100)], 0),
            (["Expires": text(100)], 100), (["Expires": text(-100)], 0), (["Expires": text(0)], 0),
            (["Expires": "0"], 0),
            (["Expires": "Thu, 18 Aug 2050 02:01:18 UTC"], 0), (["Expires": "Thu, 18 Aug 50 02:01:18 GMT"], 0),
            (["Expires": "Thu 18 Aug 2050 02:01:18 GMT"], 0), (["Expires": "Thu, 18  Aug  2050 02:01:18 GMT"], 0),
            (["Expires": "Thu, 18-Aug-2050 02:01:18 GMT"], 0), (["Expires": "Thu, 18 Aug 2050 02.01.18 GMT"], 0),
            (["Expires": "Thu, 18 Aug 2050 2:01:18 GMT"], 0), (["Expires": "Thu, 18 Aug 2050 02:01:18 AEST"], 0),
            (["Last-Modified": text(-1000)], 100), (["Last-Modified": text(-1000), "Expires": "0"], 0),
            (["Last-Modified": text(1000)], 0), (["Last-Modified": text(-1e9)], 7 * 86_400),
            (["Last-Modified": "x"], 0),
        ] as [([String: String], Double)])
    func lifetime(headers: [String: String], expected: Double) {
        #expect(Freshness.lifetime(status: .ok, headers: HTTPHeaders(headers), date: Self.date) == expected)
    }

    /// Section 5.3: the three forms of dates, in any case, and years that do not fit 32 bits.
    @Test(arguments: [
        "Tue, 19 Jan 2038 14:14:08 GMT", "Sun, 21 Nov 2286 04:46:39 GMT", "Thursday, 18-Aug-50 02:01:18 GMT",
        "Thu Aug  8 02:01:18 2050", "THU, 18 Aug 2050 02:01:18 GMT", "Thu, 18 AUG 2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02:01:18 gMT",
    ])
    func readableExpires(value: String) {
        #expect(Freshness.lifetime(status: .ok, headers: [.expires: value], date: Self.date) > 1e8)
    }

    @Test func severalExpiresThatDifferAreInThePast() {
        let headers: HTTPHeaders = [.expires: Self.text(100), .expires: Self.text(200)]
        #expect(Freshness.lifetime(status: .ok, headers: headers, date: Self.date) == 0)
    }

    /// RFC 9110 section 15.1; `public` makes any status one of them (RFC 9111 section 5.2.2.9).
    @Test func onlySomeStatusesHaveAHeuristicLifetime() {
        let headers: HTTPHeaders = [.lastModified: Self.text(-1000)]
        for code in 200...599 {
            let isHeuristic = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(code)
            let status = HTTPStatusCode(code)
            #expect(
                Freshness.lifetime(status: status, headers: headers, date: Self.date) == (isHeuristic ? 100 : 0),
                "\(code)")
            let isPublic = headers.merging([.cacheControl: "public"])
            #expect(Freshness.lifetime(status: status, headers: isPublic, date: Self.date) == 100, "\(code)")
        }
    }
}
