import DiskCache
import Foundation
import Testing

@testable import APICore

/// The flows between client, cache and server, by section of RFC 9111.
@Suite struct HTTPCacheTests {
    private let fresh: HTTPHeaders = ["Cache-Control": "max-age=3600"]

    // Section 4: constructing responses
    @Test func aFreshResponseComesFromTheStorage() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["X": "1", "Age": "30", "Date": scene.date(-30)]), body: "one")
        let first = try await scene.send()
        #expect(first.cacheStatus == "test; fwd=uri-miss; stored")
        scene.advance(3)
        let second = try await scene.send()
        #expect(second.isFromCache)
        #expect(second.body == "one")
        #expect(second.headers["X"] == "1")
        #expect(second.headers[.age] == "33")
        #expect(second.headers[.date] == scene.date(-33), "the date stays")
        #expect(second.cacheStatus == "test; hit; ttl=3567")
    }

    @Test func theQueryIsPartOfTheKeyAndCookiesAreNot() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["Set-Cookie": "a=b"]))
        scene.answer(.ok, fresh)
        try await scene.send(.get, "https://h/x?a=1")
        #expect(try await !scene.send(.get, "https://h/x?a=2").isFromCache)
        #expect(try await scene.send(.get, "https://h/x?a=1", ["Cookie": "a=b"]).isFromCache)
    }

    @Test func aResponseWithoutLifetimeAndValidatorIsNotStored() async throws {
        let scene = CacheScene()
        scene.answer(.ok)
        scene.answer(.ok)
        #expect(try await scene.send().cacheStatus == "test; fwd=uri-miss")
        #expect(try await !scene.send().isFromCache)
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test func theDelayOfTheResponseCountsAsAge() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=10", "Age": "2"])
        scene.delay(5)
        try await scene.send()
        #expect(try await scene.send().headers[.age] == "7")
        scene.advance(3)
        scene.answer()
        #expect(try await !scene.send().isFromCache)
    }

    @Test func aClockSetBackMakesTheAgeUnknown() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh)
        try await scene.send()
        scene.advance(-7200)
        scene.answer()
        #expect(try await !scene.send().isFromCache)
    }

    // Section 4.3: validation
    @Test(arguments: [
        ["ETag": "\"a\""], ["Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"], ["ETag": "W/\"a\""],
        ["ETag": "unquoted"], ["ETag": "\"a\"", "Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"],
    ])
    func aStaleResponseIsValidated(validators: [String: String]) async throws {
        let scene = CacheScene()
        let headers = HTTPHeaders(validators)
        scene.answer(.ok, headers.merging(["Cache-Control": "max-age=2", "X": "1", "Y": "1"]), body: "one")
        try await scene.send()
        scene.advance(3)
        scene.answer(.ok, headers.merging(["Cache-Control": "max-age=2", "X": "2"]))
        let second = try await scene.send()
        #expect(second.sent.first?.headers[.ifNoneMatch] == validators["ETag"])
        #expect(second.sent.first?.headers[.ifModifiedSince] == validators["Last-Modified"])
        #expect(second.status == .ok)
        #expect(second.body == "one")
        #expect(second.headers["X"] == "2")
        #expect(second.headers["Y"] == "1")
        #expect(second.headers[.age] == nil)
        #expect(second.cacheStatus == "test; fwd=stale; fwd-status=304; ttl=2")
        let third = try await scene.send()
        #expect(third.isFromCache)
        #expect(third.headers["X"] == "2")
    }

    @Test func aNewResponseReplacesTheStaleOne() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"a\""], body: "one")
        try await scene.send()
        scene.advance(3)
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"b\""], body: "two")
        #expect(try await scene.send().body == "two")
        let third = try await scene.send()
        #expect(third.isFromCache)
        #expect(third.body == "two")
    }

    @Test func aNewResponseThatMayNotBeStoredRemovesTheOldOne() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"a\""])
        try await scene.send()
        scene.advance(3)
        scene.answer(.ok, ["Cache-Control": "no-store"])
        try await scene.send()
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test func a304AboutAnotherResponseIsNotApplied() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"a\""], body: "one")
        try await scene.send()
        scene.advance(3)
        scene.answer(.notModified, ["ETag": "\"b\""])
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"b\""], body: "two")
        let second = try await scene.send()
        #expect(second.sent.count == 2)
        #expect(second.sent.last?.headers[.ifNoneMatch] == nil)
        #expect(second.body == "two")
    }

    @Test func whatVariesIsValidatedWithTheRequestsOwnFields() async throws {
        let scene = CacheScene()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=1", "ETag": "\"a\"", "Vary": "Abc"]
        scene.answer(.ok, headers)
        try await scene.send(.get, CacheScene.url, ["Abc": "123"])
        scene.advance(2)
        scene.answer(.ok, headers)
        let second = try await scene.send(.get, CacheScene.url, ["Abc": "123"])
        #expect(second.isConditional)
        #expect(second.sent.first?.headers["Abc"] == "123")
        scene.answer(.ok, headers)
        #expect(try await !scene.send(.get, CacheScene.url, ["Abc": "456"]).isConditional)
    }

    // Section 5.2.2
    @Test func noCacheIsValidatedEveryTime() async throws {
        let scene = CacheScene()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=10000, no-cache", "ETag": "\"a\""]
        scene.answer(.ok, headers)
        try await scene.send()
        scene.answer(.ok, headers)
        #expect(try await scene.send().isConditional)
    }

    @Test func fieldsNamedByNoCacheAreKeptBackUntilValidated() async throws {
        let scene = CacheScene()
        let headers: HTTPHeaders = [
            "Cache-Control": "no-cache=\"a, B\"", "Cache-Control": "max-age=10", "A": "1", "b": "2", "C": "3",
            "ETag": "\"a\"",
        ]
        scene.answer(.ok, headers)
        try await scene.send()
        let second = try await scene.send()
        #expect(second.isFromCache)
        #expect(second.headers["A"] == nil && second.headers["B"] == nil && second.headers["C"] == "3")
        scene.advance(20)
        scene.answer(.ok, headers)
        #expect(try await scene.send().headers["A"] == "1")
    }

    @Test func mustRevalidateForbidsStaleResponses() async throws {
        for directive in ["must-revalidate", "no-cache"] {
            let scene = CacheScene()
            scene.answer(.ok, ["Cache-Control": "max-age=2, \(directive), stale-if-error=60", "ETag": "\"a\""])
            try await scene.send()
            scene.advance(3)
            scene.fail()
            await #expect(throws: NetworkError.self) { try await scene.send() }
            scene.answer(503, validates: false)
            #expect(try await scene.send().status == 503)
        }
    }

    @Test func immutableIsNotAskedForAgainWhileFresh() async throws {
        let scene = CacheScene()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=10, immutable", "ETag": "\"a\""]
        scene.answer(.ok, headers)
        try await scene.send()
        #expect(try await scene.send(policy: .revalidate).isFromCache)
        scene.advance(11)
        scene.answer(.ok, headers)
        let third = try await scene.send(policy: .revalidate)
        #expect(third.isConditional)
        #expect(third.sent.first?.headers[.cacheControl] == "max-age=0")
    }

    // Section 3: storing
    @Test(arguments: [200, 203, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599])
    func anyStatusWithALifetimeIsReused(status: Int) async throws {
        let scene = CacheScene()
        scene.answer(HTTPStatusCode(status), fresh, body: "one")
        try await scene.send()
        let second = try await scene.send()
        #expect(second.isFromCache)
        #expect(second.status.rawValue == status)
        #expect(second.body == "one")
    }

    @Test func aTruncatedBodyIsNotStored() async throws {
        let scene = CacheScene(storage: DiskStorage(directory: NSTemporaryDirectory() + "/" + UUID().uuidString))
        scene.answer(.ok, fresh, body: "a longer body", breaksOff: true)
        await #expect(throws: NetworkError.self) { try await scene.send() }
        #expect(scene.storage.statistics.stores == 0)
        scene.answer(.ok, fresh, body: "whole")
        #expect(try await scene.send().body == "whole")
        await scene.cache.removeAll()
    }

    @Test func aBodyIsStoredWhileItIsRead() async throws {
        let scene = CacheScene()
        let text = String(repeating: "0123456789", count: 100)
        scene.answer(.ok, fresh, body: text)
        let first = try await scene.send(delivery: .streamed)
        #expect(first.body == text)
        #expect(first.cacheStatus == "test; fwd=uri-miss; stored")
        let second = try await scene.send(delivery: .streamed)
        #expect(second.isFromCache)
        #expect(second.body == text)
    }

    @Test func aBodyThatIsNotReadToItsEndIsNotStored() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, body: "a body of some length")
        let request = HTTPRequest(url: try RequestURL(CacheScene.url), delivery: .streamed)
        do {
            let response = try await scene.cache.intercept(request) { (request) async throws(NetworkError) in
                try scene.serve(request)
            }
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            // An end that comes from cancelling is none.
            response.body.cancel()
            while try await iterator.next() != nil {}
        }
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test(arguments: [ResponseDelivery.buffered, .streamed])
    func aBodyPastTheLimitPassesUnstored(delivery: ResponseDelivery) async throws {
        let scene = CacheScene(entrySizeLimit: 10)
        scene.answer(.ok, fresh, body: "eleven bytes")
        #expect(try await scene.send(delivery: delivery).body == "eleven bytes")
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test func aLargeBodyIsReadFromDiskPieceByPiece() async throws {
        let directory = NSTemporaryDirectory() + "/http-cache-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let scene = CacheScene(storage: DiskStorage(directory: directory), entrySizeLimit: 2 << 20)
        let text = (0..<100_000).map { "\($0) " }.joined()
        scene.answer(.ok, fresh, body: text)
        try await scene.send()
        let second = try await scene.send(delivery: .streamed)
        #expect(second.isFromCache)
        #expect(second.body == text)
        let third = try await scene.send(.get, CacheScene.url, ["Range": "bytes=300000-300009"], delivery: .streamed)
        #expect(third.isFromCache)
        #expect(third.body == String(text.dropFirst(300_000).prefix(10)))
    }

    @Test func theResponseOfARedirectsTargetIsNotTheOneOfItsSource() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, url: try RequestURL("https://api.example.com/elsewhere"))
        #expect(try await scene.send().cacheStatus == "test; fwd=uri-miss; detail=redirected")
        #expect(scene.storage.statistics.entries == 0)
        scene.answer(.ok, fresh, url: try RequestURL("https://h/"))
        #expect(try await scene.send(.get, "https://h").cacheStatus == "test; fwd=uri-miss; stored")
    }

    @Test func aFolderIsAllItTakes() async throws {
        let directory = NSTemporaryDirectory() + "/http-cache-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let request = HTTPRequest(url: try RequestURL("https://h/"))
        for call in 0..<2 {
            // A new cache each time, as after a restart.
            let response = try await HTTPCache(directory: directory).intercept(request) {
                _ async throws(NetworkError) in
                HTTPResponse(headers: ["Cache-Control": "max-age=3600"], body: Data("call \(call)".utf8))
            }
            #expect(response.body.data == Data("call 0".utf8))
        }
    }

    // Section 4.1: Vary
    @Test func variantsAreKeptSideBySide() async throws {
        let scene = CacheScene()
        for (value, body) in [("1", "one"), ("2", "two")] {
            scene.answer(.ok, fresh.merging(["Vary": "Foo"]), body: body)
            #expect(try await !scene.send(.get, CacheScene.url, ["Foo": value]).isFromCache)
        }
        for (value, body) in [("1", "one"), ("2", "two")] {
            let result = try await scene.send(.get, CacheScene.url, ["Foo": value, "Other": value])
            #expect(result.isFromCache)
            #expect(result.body == body)
        }
        scene.answer(.ok, fresh.merging(["Vary": "Foo"]))
        let third = try await scene.send()
        #expect(third.cacheStatus == "test; fwd=vary-miss; stored")
    }

    @Test func anotherVaryIsAddedAndTheFirstStaysInReach() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["Vary": "Foo"]), body: "by foo")
        try await scene.send(.get, CacheScene.url, ["Foo": "1"])
        scene.answer(.ok, fresh.merging(["Vary": "Bar"]), body: "by bar")
        try await scene.send(.get, CacheScene.url, ["Foo": "2", "Bar": "1"])
        #expect(try await scene.send(.get, CacheScene.url, ["Foo": "1"]).body == "by foo")
        #expect(try await scene.send(.get, CacheScene.url, ["Foo": "3", "Bar": "1"]).body == "by bar")
        #expect(scene.requests.count == 2)
    }

    @Test func varyingByEverythingIsNotStored() async throws {
        let scene = CacheScene()
        for _ in 0..<2 {
            scene.answer(.ok, fresh.merging(["Vary": "*"]))
            #expect(try await !scene.send().isFromCache)
        }
    }

    // Section 3.5, for many users in one process
    @Test func oneUsersResponseIsNotGivenToAnother() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, body: "for a")
        scene.answer(.ok, fresh, body: "for b")
        scene.answer(.ok, fresh, body: "for all")
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "a"]).body == "for a")
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "b"]).body == "for b")
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "a"]).body == "for a")
        #expect(try await scene.send().body == "for all")
        #expect(scene.requests.count == 3)
    }

    @Test func anAnonymousResponseIsNotGivenToAUser() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, body: "for all")
        scene.answer(.ok, fresh, body: "for a")
        try await scene.send()
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "a"]).body == "for a")
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "a"]).isFromCache)
    }

    @Test func aPublicResponseIsForAll() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "public, max-age=60"])
        try await scene.send(.get, CacheScene.url, [.authorization: "a"])
        #expect(try await scene.send(.get, CacheScene.url, [.authorization: "b"]).isFromCache)
        #expect(try await scene.send().isFromCache)
    }

    // Section 4.4: invalidation
    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"])
    func anUnsafeRequestInvalidates(method: String) async throws {
        for status: HTTPStatusCode in [.ok, 500] {
            let scene = CacheScene()
            scene.answer(.ok, fresh.merging(["Vary": "Foo"]))
            try await scene.send()
            scene.answer(status)
            #expect(try await scene.send(HTTPMethod(method)).cacheStatus == "test; fwd=method")
            scene.answer(.ok, fresh)
            #expect(try await scene.send().isFromCache == (status != .ok))
        }
    }

    @Test func locationsAtTheSameOriginAreInvalidated() async throws {
        let scene = CacheScene()
        for path in ["https://h/a", "https://h/b", "https://other/c"] {
            scene.answer(.ok, fresh)
            try await scene.send(.get, path)
        }
        scene.answer(.created, ["Location": "/a", "Content-Location": "https://h/b"])
        try await scene.send(.post, "https://h/list")
        scene.answer(.created, ["Location": "https://other/c"])
        try await scene.send(.post, "https://h/list", policy: .ignore)
        for (path, isLeft) in [("https://h/a", false), ("https://h/b", false), ("https://other/c", true)] {
            scene.answer(.ok)
            #expect(try await scene.send(.get, path).isFromCache == isLeft, "\(path)")
        }
    }

    @Test func anInvalidationCoversADownloadUnderWay() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, body: "a body before the change")
        let request = HTTPRequest(url: try RequestURL(CacheScene.url), delivery: .streamed)
        let response = try await scene.cache.intercept(request) { (request) async throws(NetworkError) in
            try scene.serve(request)
        }
        scene.answer(.ok)
        try await scene.send(.post)
        _ = try await response.body.collect()
        scene.answer(.ok)
        #expect(try await !scene.send().isFromCache)
    }

    // RFC 9110 section 9.3.3
    @Test func aPostThatIsTheResponseToAGetIsStored() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["Content-Location": CacheScene.url]), body: "posted")
        try await scene.send(.post)
        let get = try await scene.send()
        #expect(get.isFromCache)
        #expect(get.body == "posted")
        scene.answer(.ok, fresh.merging(["Content-Location": "/other"]))
        try await scene.send(.post)
        #expect(scene.storage.statistics.entries == 0)
    }

    // Section 4.3.5 and RFC 9110 section 9.3.2: HEAD
    @Test func headIsAnsweredFromAFreshGet() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["X": "1"]), body: "one")
        try await scene.send()
        let head = try await scene.send(.head)
        #expect(head.isFromCache)
        #expect(head.headers["X"] == "1")
        #expect(head.body.isEmpty)
    }

    @Test func headUpdatesTheStoredResponse() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2", "X": "1", "ETag": "\"a\""], body: "one")
        try await scene.send()
        scene.advance(3)
        scene.answer(.ok, ["Cache-Control": "max-age=1000", "X": "2", "ETag": "\"a\""], validates: false)
        let head = try await scene.send(.head)
        #expect(head.sent.map(\.method) == [.head])
        let third = try await scene.send()
        #expect(third.isFromCache)
        #expect(third.headers["X"] == "2")
        #expect(third.body == "one")
    }

    @Test(arguments: [["ETag": "\"b\""], ["Last-Modified": "x"], ["Content-Length": "9"]])
    func headAboutOtherContentDropsTheStoredResponse(headers: [String: String]) async throws {
        let scene = CacheScene()
        scene.answer(
            .ok, ["Cache-Control": "max-age=2", "ETag": "\"a\"", "Last-Modified": "y", "Content-Length": "4"])
        try await scene.send()
        scene.advance(3)
        scene.answer(.ok, HTTPHeaders(headers).merging(["Cache-Control": "max-age=1000"]), validates: false)
        try await scene.send(.head)
        #expect(scene.storage.statistics.entries == 0)
    }

    // RFC 5861
    @Test func staleWhileRevalidate() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"a\""], body: "one")
        try await scene.send()
        scene.advance(5)
        scene.answer(.ok, ["Cache-Control": "max-age=100", "ETag": "\"b\""], body: "two")
        let second = try await scene.send()
        #expect(second.body == "one")
        #expect(second.headers[.age] == "5")
        #expect(second.cacheStatus == "test; hit; ttl=-4")
        await scene.cache.revalidated()
        #expect(scene.requests.count == 2)
        #expect(scene.requests[1].headers[.ifNoneMatch] == "\"a\"")
        let third = try await scene.send()
        #expect(third.isFromCache)
        #expect(third.body == "two")
    }

    @Test func afterTheWindowAStaleResponseIsNotServed() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=1, stale-while-revalidate=4", "ETag": "\"a\""], body: "one")
        try await scene.send()
        scene.advance(6)
        scene.answer(.ok, ["Cache-Control": "no-cache"], body: "two")
        #expect(try await scene.send().body == "two")
    }

    @Test(.timeLimit(.minutes(1)))
    func oneRevalidationAtATime() async throws {
        let scene = CacheScene()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"a\""]
        scene.answer(.ok, headers, body: "one")
        try await scene.send()
        scene.advance(5)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let request = HTTPRequest(url: try RequestURL(CacheScene.url))
        let calls = Locked(0)
        for _ in 0..<10 {
            let response = try await scene.cache.intercept(request) { (request) async throws(NetworkError) in
                calls.withLock { $0 += 1 }
                for await _ in gate {}
                return HTTPResponse(status: .notModified, headers: headers)
            }
            #expect(response.body.data == Data("one".utf8))
        }
        open.finish()
        await scene.cache.revalidated()
        #expect(calls.withLock { $0 } == 1)
    }

    @Test(arguments: [500, 502, 503, 504])
    func staleIfErrorStandsInForAFailedServer(status: Int) async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2, stale-if-error=60"], body: "one")
        try await scene.send()
        scene.advance(10)
        scene.answer(HTTPStatusCode(status))
        let second = try await scene.send()
        #expect(second.status == .ok)
        #expect(second.body == "one")
        #expect(second.cacheStatus == "test; fwd=stale; fwd-status=\(status); ttl=-8; detail=stale-if-error")
        scene.advance(60)
        scene.answer(HTTPStatusCode(status))
        #expect(try await scene.send().status.rawValue == status)
    }

    @Test func staleIfErrorOfARequest() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2"])
        try await scene.send()
        scene.advance(3)
        scene.answer(500)
        #expect(try await scene.send(.get, CacheScene.url, [.cacheControl: "stale-if-error=60"]).status == .ok)
        scene.answer(500)
        #expect(try await scene.send().status == 500)
    }

    // Section 4.2.4
    @Test func withoutAConnectionAStaleResponseStandsInForAWhile() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2"], body: "one")
        try await scene.send()
        scene.advance(3)
        scene.fail()
        let second = try await scene.send()
        #expect(second.body == "one")
        #expect(second.cacheStatus == "test; fwd=stale; ttl=-1; detail=disconnected")
        scene.advance(300)
        scene.fail()
        await #expect(throws: NetworkError.self) { try await scene.send() }
    }

    @Test func standingInCanBeTurnedOffAndIsNotForCancellation() async throws {
        let scene = CacheScene(staleWhenDisconnected: .zero)
        scene.answer(.ok, ["Cache-Control": "max-age=2"])
        try await scene.send()
        scene.advance(3)
        scene.fail()
        await #expect(throws: NetworkError.self) { try await scene.send() }
        let other = CacheScene()
        other.answer(.ok, ["Cache-Control": "max-age=2, stale-if-error=60"])
        try await other.send()
        other.advance(3)
        other.fail(.cancelled)
        await #expect(throws: NetworkError.self) { try await other.send() }
        other.fail()
        await #expect(throws: NetworkError.self) { try await other.send(policy: .reload) }
    }

    // Policies and section 5.2.1
    @Test func onlyIfCachedNeverAsks() async throws {
        let scene = CacheScene()
        #expect(try await scene.send(policy: .onlyIfCached).status == .gatewayTimeout)
        #expect(try await scene.send(.get, CacheScene.url, [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
        scene.answer(.ok, ["Cache-Control": "max-age=2"])
        try await scene.send()
        scene.advance(100)
        #expect(try await scene.send(policy: .onlyIfCached).status == .ok)
        #expect(try await scene.send(.get, CacheScene.url, [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
        #expect(scene.requests.count == 1)
    }

    @Test func reloadTakesTheWholeResponseAndStoresIt() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["ETag": "\"a\""]), body: "one")
        try await scene.send()
        scene.answer(.ok, fresh.merging(["ETag": "\"a\""]), body: "two")
        let second = try await scene.send(policy: .reload)
        #expect(!second.isConditional)
        #expect(second.sent.first?.headers[.cacheControl] == "no-cache")
        #expect(second.cacheStatus == "test; fwd=request; stored")
        #expect(try await scene.send().body == "two")
    }

    @Test func ignoreNeitherReadsNorStores() async throws {
        let scene = CacheScene()
        for body in ["one", "two"] {
            scene.answer(.ok, fresh, body: body)
            let result = try await scene.send(policy: .ignore)
            #expect(result.body == body)
            #expect(result.cacheStatus == "test; fwd=bypass")
        }
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test(
        arguments: [
            [.cacheControl: "no-cache"], [.cacheControl: "max-age=0"], [.pragma: "no-cache"],
        ] as [HTTPHeaders])
    func aRequestCanAskForValidation(headers: HTTPHeaders) async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["ETag": "\"a\""]), body: "one")
        try await scene.send()
        scene.answer(.ok, fresh.merging(["ETag": "\"a\""]))
        let second = try await scene.send(.get, CacheScene.url, headers)
        #expect(second.isConditional)
        #expect(second.body == "one")
        #expect(second.cacheStatus == "test; fwd=request; fwd-status=304; ttl=3600")
    }

    @Test func aRequestCanForbidStoring() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh)
        try await scene.send()
        scene.answer(.ok, fresh)
        #expect(try await !scene.send(.get, CacheScene.url, [.cacheControl: "no-store"]).isFromCache)
    }

    @Test func aConditionalRequestPassesThrough() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh)
        try await scene.send()
        scene.answer(.notModified, ["ETag": "\"mine\""])
        let second = try await scene.send(.get, CacheScene.url, [.ifNoneMatch: "\"mine\""])
        #expect(second.status == .notModified)
        #expect(second.sent.first?.headers[.ifNoneMatch] == "\"mine\"")
    }

    // Section 3.3 and RFC 9110 section 14
    @Test(arguments: [
        ("bytes=0-1", "01", "bytes 0-1/11"), ("bytes=1-", "123456789A", "bytes 1-10/11"),
        ("bytes=-1", "A", "bytes 10-10/11"),
    ])
    func aRangeOfAStoredBodyIsServed(range: String, body: String, contentRange: String) async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh.merging(["X": "1", "Content-Length": "11"]), body: "0123456789A")
        try await scene.send()
        let part = try await scene.send(.get, CacheScene.url, [.range: range])
        #expect(part.isFromCache)
        #expect(part.status == .partialContent)
        #expect(part.body == body)
        #expect(part.headers[.contentRange] == contentRange)
        #expect(part.headers[.contentLength] == "\(body.utf8.count)")
        #expect(part.headers["X"] == "1")
    }

    @Test func aRangePastTheEndIsRefused() async throws {
        let scene = CacheScene()
        scene.answer(.ok, fresh, body: "0123")
        try await scene.send()
        let part = try await scene.send(.get, CacheScene.url, [.range: "bytes=4-"])
        #expect(part.status == .rangeNotSatisfiable)
        #expect(part.headers[.contentRange] == "bytes */4")
    }

    @Test func aPartIsNotStoredAndDoesNotDisturbTheWhole() async throws {
        let scene = CacheScene()
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"a\""], body: "0123")
        try await scene.send()
        scene.advance(3)
        scene.answer(206, fresh.merging(["Content-Range": "bytes 0-1/4"]), body: "01")
        let part = try await scene.send(.get, CacheScene.url, [.range: "bytes=0-1"])
        #expect(part.status == 206)
        #expect(!part.isConditional)
        scene.answer(.ok, ["Cache-Control": "max-age=2", "ETag": "\"a\""])
        let whole = try await scene.send()
        #expect(whole.isConditional)
        #expect(whole.body == "0123")
    }

    // Purging
    @Test func purging() async throws {
        let scene = CacheScene()
        let urls = ["https://h/a/1", "https://h/a/2", "https://h/b"]
        for url in urls {
            scene.answer(.ok, fresh.merging(["Vary": "X"]))
            try await scene.send(.get, url)
        }
        await scene.cache.remove(try RequestURL("https://h/a/1"))
        #expect(try await scene.send(.get, urls[0], policy: .onlyIfCached).status == .gatewayTimeout)
        await scene.cache.removeAll(withPrefix: "https://h/a/")
        #expect(try await scene.send(.get, urls[1], policy: .onlyIfCached).status == .gatewayTimeout)
        #expect(try await scene.send(.get, urls[2], policy: .onlyIfCached).status == .ok)
        await scene.cache.removeAll()
        #expect(scene.storage.statistics.entries == 0)
    }

    @Test func theKeyIsUpToTheUser() async throws {
        let scene = CacheScene(key: { $0.url.path == "/private" ? nil : $0.url.path })
        scene.answer(.ok, fresh)
        try await scene.send(.get, "https://h/a?utm=1")
        #expect(try await scene.send(.get, "https://h/a?utm=2").isFromCache)
        for _ in 0..<2 {
            scene.answer(.ok, fresh)
            #expect(try await !scene.send(.get, "https://h/private").isFromCache)
        }
    }

    @Test func aStorageWithStrangeContentsIsAMiss() async throws {
        let scene = CacheScene()
        await scene.storage.store(Data("x".utf8), metadata: Data("not a record".utf8), for: CacheKey(CacheScene.url))
        scene.answer(.ok, fresh, body: "right")
        #expect(try await scene.send().body == "right")
        #expect(try await scene.send().isFromCache)
    }
}
