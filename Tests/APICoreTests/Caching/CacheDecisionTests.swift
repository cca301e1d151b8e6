import Foundation
import Testing

@testable import APICore

/// The decisions as tables, by section of RFC 9111.
@Suite struct CacheDecisionTests {
    private static let now = 1_720_000_000.0

    private static func stored(_ headers: HTTPHeaders, status: HTTPStatusCode = .ok, at time: Double = now)
        -> StoredResponse
    {
        StoredResponse(
            head: ResponseHead(status: status, headers: headers), selectingFields: SelectingFields(),
            requestTime: time, responseTime: time, identifier: 1)
    }

    // Section 3
    @Test(
        arguments: [
            (200, "max-age=10", "", nil), (200, "no-store", "", "no-store"),
            (200, "max-age=10, No-StOrE", "", "no-store"),
            (200, "private, max-age=10", "", nil), (200, "max-age=10", "no-store", "request-no-store"),
            (206, "max-age=10", "", "partial"), (304, "max-age=10", "", "status"), (599, "max-age=10", "", nil),
            (599, "", "", "status"), (599, "public", "", nil), (403, "", "", "status"), (404, "", "", nil),
            (599, "max-age=10, no-store, must-understand", "", "must-understand"),
            (599, "max-age=10, must-understand", "", "must-understand"),
            (200, "max-age=10, no-store, must-understand", "", nil), (201, "", "", "status"), (202, "", "", "status"),
            (502, "", "", "status"), (503, "max-age=10", "", nil), (302, "", "", "status"),
            (302, "max-age=10", "", nil),
        ] as [(Int, String, String, String?)])
    func storing(status: Int, response: String, request: String, objection: String?) throws {
        var httpRequest = HTTPRequest(url: try RequestURL(CacheScene.url))
        if !request.isEmpty { httpRequest.headers[.cacheControl] = request }
        let headers: HTTPHeaders = response.isEmpty ? [:] : [.cacheControl: response]
        let head = ResponseHead(status: HTTPStatusCode(status), headers: headers)
        #expect(StoringDecision.objection(to: head, request: httpRequest) == objection)
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=10"], true), (["Cache-Control": "max-age=0"], false), ([:], false),
            (["Cache-Control": "max-age=0", "ETag": "\"a\""], true), (["Cache-Control": "no-cache"], false),
            (["Cache-Control": "no-cache, max-age=10"], false), (["Cache-Control": "no-cache", "ETag": "\"a\""], true),
            (["Cache-Control": "max-age=0, stale-if-error=9"], true),
            (["Cache-Control": "max-age=10", "Age": "20"], false),
        ] as [([String: String], Bool)])
    func usefulness(headers: [String: String], expected: Bool) {
        #expect(StoringDecision.isUseful(Self.stored(HTTPHeaders(headers))) == expected)
    }

    // Section 4.2 and 5.2
    @Test(
        arguments: [
            ("max-age=10", "", 5.0, CachePolicy.use, ReuseDecision.use),
            ("max-age=10", "", 10, .use, .validate(.stale)),
            ("max-age=10", "", 5, .reload, .validate(.request)),
            ("max-age=10", "", 5, .revalidate, .validate(.request)),
            ("max-age=10, immutable", "", 5, .revalidate, .use),
            ("max-age=10, immutable", "", 15, .revalidate, .validate(.request)),
            ("max-age=10, immutable, no-cache", "", 5, .revalidate, .validate(.request)),
            ("max-age=10, no-cache", "", 5, .use, .validate(.stale)),
            ("max-age=10, no-cache=\"a\"", "", 5, .use, .use),
            ("max-age=10", "no-cache", 5, .use, .validate(.request)),
            ("max-age=10, immutable", "no-cache", 5, .use, .validate(.request)),
            ("max-age=10", "max-age=0", 5, .use, .validate(.request)),
            ("max-age=10, immutable", "max-age=0", 5, .use, .use),
            ("max-age=10", "max-age=0", 0, .use, .validate(.request)),
            ("max-age=10", "max-age=4", 5, .use, .validate(.request)),
            ("max-age=10", "max-age=5", 5, .use, .use),
            ("max-age=10", "min-fresh=5", 5, .use, .use),
            ("max-age=10", "min-fresh=6", 5, .use, .validate(.request)),
            ("max-age=10", "max-stale", 500, .use, .useStale),
            ("max-age=10", "max-stale=5", 15, .use, .useStale),
            ("max-age=10", "max-stale=5", 16, .use, .validate(.stale)),
            ("max-age=10, must-revalidate", "max-stale", 15, .use, .validate(.stale)),
            ("max-age=10, must-revalidate", "", 5, .use, .use),
            ("max-age=10, must-revalidate, stale-while-revalidate=60", "", 15, .use, .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60", "", 15, .use, .useStaleAndRevalidate),
            ("max-age=10, stale-while-revalidate=60", "", 70, .use, .useStaleAndRevalidate),
            ("max-age=10, stale-while-revalidate=60", "", 71, .use, .validate(.stale)),
            ("max-age=10, stale-while-revalidate=60", "max-age=100", 15, .use, .validate(.stale)),
            ("max-age=10", "", 500, .onlyIfCached, .useStale),
            ("max-age=10", "", 5, .onlyIfCached, .use),
            ("max-age=10, must-revalidate", "", 500, .onlyIfCached, .validate(.stale)),
            ("max-age=10, no-cache", "", 5, .onlyIfCached, .validate(.stale)),
            ("max-age=10", "", -3600, .use, .validate(.stale)),
            ("max-age=10", "max-stale", -3600, .use, .useStale),
        ] as [(String, String, Double, CachePolicy, ReuseDecision)])
    func reuse(response: String, request: String, age: Double, policy: CachePolicy, expected: ReuseDecision) {
        let decision = ReuseDecision.decide(
            Self.stored([.cacheControl: response]), directives: CacheControl([.cacheControl: request]), policy: policy,
            now: Self.now + age)
        #expect(decision == expected)
    }

    // RFC 5861 section 4 and RFC 9111 section 4.2.4
    @Test(
        arguments: [
            ("max-age=10, stale-if-error=60", "", 60.0, nil, true),
            ("max-age=10, stale-if-error=60", "", 71, nil, false),
            ("max-age=10", "stale-if-error=60", 60, nil, true), ("max-age=10", "", 60, nil, false),
            ("max-age=10", "", 60, 300, true), ("max-age=10", "", 311, 300, false), ("max-age=10", "", 5, 0, true),
            ("max-age=10, must-revalidate", "", 60, 300, false),
            ("max-age=10, no-cache, stale-if-error=60", "", 60, 300, false),
            ("max-age=10, stale-if-error=60", "no-cache", 60, 300, false),
        ] as [(String, String, Double, Double?, Bool)])
    func standingIn(response: String, request: String, age: Double, disconnected: Double?, expected: Bool) {
        #expect(
            ReuseDecision.mayStandIn(
                Self.stored([.cacheControl: response]), directives: CacheControl([.cacheControl: request]),
                now: Self.now + age, disconnectedLimit: disconnected) == expected)
    }

    // Section 3.1
    @Test func fieldsOfTheConnectionAreNotStored() {
        let headers: HTTPHeaders = [
            "Connection": "a, B", "A": "1", "b": "2", "C": "3", "Keep-Alive": "x", "Proxy-Authenticate": "x",
            "Proxy-Authentication-Info": "x", "Proxy-Authorization": "x", "Proxy-Connection": "x", "TE": "x",
            "Transfer-Encoding": "x", "Upgrade": "x", "Set-Cookie": "a=b", "Content-Length": "4", "Date": "x",
        ]
        #expect(Self.stored(headers).headers.map(\.name.rawValue) == ["C", "Set-Cookie", "Content-Length", "Date"])
    }

    // Section 3.2
    @Test func anUpdateReplacesFieldsButThoseOfTheBody() {
        var stored = Self.stored([
            "Cache-Control": "max-age=10", "Age": "5", "X": "1", "Y": "1", "Content-Length": "4",
            "Content-Encoding": "gzip", "Set-Cookie": "a=1", "Set-Cookie": "b=1",
        ])
        stored.update(
            with: [
                "Cache-Control": "max-age=20", "X": "2", "Z": "3", "Content-Length": "10", "Content-Encoding": "br",
                "Connection": "Q", "Q": "1", "Set-Cookie": "a=2",
            ], requestTime: Self.now + 100, responseTime: Self.now + 100)
        #expect(stored.headers["X"] == "2")
        #expect(stored.headers["Y"] == "1")
        #expect(stored.headers["Z"] == "3")
        #expect(stored.headers["Q"] == nil)
        #expect(stored.headers[.contentLength] == "4")
        #expect(stored.headers[.contentEncoding] == "gzip")
        #expect(stored.headers.values(for: .setCookie) == ["a=2"])
        #expect(stored.headers[.age] == nil)
        #expect(stored.lifetime == 20)
        #expect(stored.age(at: Self.now + 101) == 1)
    }

    // Section 4.1
    @Test(
        arguments: [
            ("Foo", ["Foo": "1"], ["Foo": "1"], true), ("Foo", ["Foo": "1"], ["Foo": "2"], false),
            ("Foo", ["Foo": "1"], [:], false), ("Foo", [:], ["Foo": "1"], false), ("Foo", [:], [:], true),
            ("Foo", ["Foo": "1", "Other": "2"], ["Foo": "1", "Other": "3"], true),
            ("Foo, Bar", ["Foo": "1", "Bar": "a"], ["Bar": "a", "Foo": "1"], true),
            ("Foo, Bar", ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "b"], false),
            ("Foo", ["Foo": "1,2"], ["Foo": " 1 , 2 "], true), ("FOO", ["foo": "1"], ["Foo": "1"], true),
            ("Foo", ["Foo": "a"], ["Foo": "A"], false),
            ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "eN ,De"], true),
            ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "de, en"], false),
            ("", ["Authorization": "a"], ["Authorization": "a"], true),
            ("", ["Authorization": "a"], ["Authorization": "b"], false), ("", ["Authorization": "a"], [:], false),
        ] as [(String, [String: String], [String: String], Bool)])
    func varying(vary: String, first: [String: String], second: [String: String], expected: Bool) throws {
        let response: HTTPHeaders = vary.isEmpty ? [:] : [.vary: vary]
        let fields = try #require(SelectingFields(request: HTTPHeaders(first), response: response))
        #expect(fields.match(HTTPHeaders(second)) == expected)
    }

    @Test(arguments: [["*"], ["*, *"], ["*", "*"], [", *"], ["", "*"], ["*, Foo"], ["Foo, *"]])
    func varyingByEverythingNeverMatches(lines: [String]) {
        var response = HTTPHeaders()
        for line in lines { response.append(line, for: .vary) }
        #expect(SelectingFields(request: [:], response: response) == nil)
    }

    @Test func secretsAreNotKept() throws {
        let fields = try #require(
            SelectingFields(request: [.authorization: "Bearer secret", .cookie: "secret"], response: [.vary: "Cookie"]))
        #expect(fields.names == ["authorization", "cookie"])
        #expect(!fields.fields.contains { $0.value?.contains("secret") ?? true })
    }

    @Test func linesOfAFieldAreJoined() throws {
        let fields = try #require(SelectingFields(request: ["Foo": "1, 2"], response: [.vary: "Foo"]))
        #expect(fields.match(["Foo": "1", "Foo": "2"]))
    }

    // Section 4.3.4
    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true), ("\"a\"", "\"b\"", false), ("\"a\"", nil, true), ("W/\"a\"", "W/\"a\"", true),
            ("W/\"a\"", "W/\"b\"", false), ("\"a\"", "W/\"a\"", true), (nil, "W/\"a\"", true), (nil, "\"a\"", false),
        ] as [(String?, String?, Bool)])
    func notModifiedIsAboutTheStoredResponse(stored: String?, new: String?, expected: Bool) {
        var headers = HTTPHeaders()
        headers[.etag] = stored
        headers[.lastModified] = "Wed, 01 Jan 2020 00:00:00 GMT"
        var notModified = HTTPHeaders()
        notModified[.etag] = new
        #expect(Validation.isAbout(Self.stored(headers), notModified) == expected)
    }

    // Section 4.4
    @Test(
        arguments: [
            ("POST", 200, [:], ["https://h/p/a"]), ("PUT", 302, [:], ["https://h/p/a"]),
            ("DELETE", 204, [:], ["https://h/p/a"]),
            ("M-SEARCH", 200, [:], ["https://h/p/a"]), ("POST", 500, [:], []), ("POST", 404, [:], []),
            ("GET", 200, [:], []),
            ("OPTIONS", 200, [:], []), ("POST", 201, ["Location": "b"], ["https://h/p/a", "https://h/p/b"]),
            (
                "POST", 201, ["Location": "https://h/b", "Content-Location": "/c"],
                ["https://h/p/a", "https://h/b", "https://h/c"]
            ),
            ("POST", 201, ["Location": "https://other/b"], ["https://h/p/a"]),
            ("POST", 201, ["Location": "http://h/b"], ["https://h/p/a"]),
            ("POST", 201, ["Location": ":::"], ["https://h/p/a"]),
        ] as [(String, Int, [String: String], [String])])
    func invalidation(method: String, status: Int, headers: [String: String], expected: [String]) throws {
        let request = HTTPRequest(method: HTTPMethod(method), url: try RequestURL("https://h/p/a"))
        let head = ResponseHead(status: HTTPStatusCode(status), headers: HTTPHeaders(headers))
        let urls = Invalidation.urls(request: request, response: head).map(\.string)
        // A text without a scheme resolves to some path at the origin, which does no harm.
        #expect(Array(urls.prefix(expected.count)) == expected)
        if headers.values.first != ":::" { #expect(urls.count == expected.count) }
    }

    // RFC 9110 section 14.1.2
    @Test(
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=1-", 1..<10), ("bytes=-1", 9..<10), ("bytes=-50", 0..<10),
            ("Bytes=5-500", 5..<10),
            ("bytes=10-", nil), ("bytes=9-9", 9..<10),
        ] as [(String, Range<Int>?)])
    func ranges(value: String, expected: Range<Int>?) throws {
        let range = try #require(ByteRangeRequest(value))
        #expect(range.resolved(in: 10) == expected)
        #expect(range.resolved(in: 0) == nil)
    }

    @Test(arguments: [
        "bytes=", "bytes=-", "bytes=-0", "bytes=2-1", "bytes=0-1,3-4", "bytes=a-b", "lines=0-1", "", "bytes=+1-2",
        "bytes=0-99999999999999999999", "bytes 0-1",
    ])
    func otherRangesAreLeftToTheServer(value: String) {
        #expect(ByteRangeRequest(value) == nil)
    }

    @Test func cacheStatusIsWrittenAsRFC9211Says() {
        var headers: HTTPHeaders = ["Cache-Status": "edge; hit"]
        var status = CacheStatus(cache: "me", forward: .uriMiss)
        status.forwardStatus = 304
        status.timeToLive = -3
        status.isStored = true
        status.detail = "x"
        status.add(to: &headers)
        #expect(
            headers["Cache-Status"] == "edge; hit, me; fwd=uri-miss; fwd-status=304; ttl=-3; stored; detail=x")
        #expect(CacheStatus(cache: "me", isHit: true).value == "me; hit")
    }
}

/// What is kept in a storage's metadata.
@Suite struct StoredRecordTests {
    private let response = StoredResponse(
        head: ResponseHead(status: 404, headers: ["Cache-Control": "max-age=7", "X": "é", "X": ""]),
        selectingFields: SelectingFields(fields: [.init(name: "a", value: nil), .init(name: "b", value: "")]),
        requestTime: 1_720_000_000.25, responseTime: 1_720_000_001.5, identifier: 42)

    @Test func recordsComeBackAsTheyWere() {
        let record = StoredRecord.response(response)
        #expect(StoredRecord(record.encoded) == record)
        let variants = StoredRecord.variants(.init(generation: .max, nameSets: [["a", "b"], []]))
        #expect(StoredRecord(variants.encoded) == variants)
    }

    @Test func cutRecordsAreNone() {
        let bytes = StoredRecord.response(response).encoded
        for length in 0..<bytes.count { #expect(StoredRecord(bytes.prefix(length)) == nil, "\(length)") }
        #expect(StoredRecord(bytes + [0]) == nil)
    }

    @Test func randomBytesNeverCrash() {
        var random = SeededGenerator(seed: 11)
        let good = [UInt8](StoredRecord.response(response).encoded)
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard case .response(let stored) = StoredRecord(Data(bytes)) else { continue }
            // Whatever came out can be calculated with.
            _ = ReuseDecision.decide(stored, directives: CacheControl(), policy: .use, now: 1_720_000_000)
            #expect(stored.age(at: 0).isFinite)
        }
    }
}
