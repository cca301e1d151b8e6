import APICore
import APITesting
import Foundation
import Synchronization
import Testing

struct PageSequenceTests {
    private struct Page: Codable, Sendable {
        var items: [Int]
        var next: String?
    }
    private struct ListItems: APIRequest {
        typealias Response = Page
        var cursor: String?
        var page = 1
        let path = "items"
        var parameters: QueryParameters { ["limit": 2, "cursor": cursor, "page": page] }
        let headers: HTTPHeaders = [.authorization: "Bearer secret", "X-Version": "3"]
    }
    private struct ListNumbers: APIRequest {
        typealias Response = [Int]
        let path = "numbers"
        let parameters: QueryParameters = ["per_page": 2]
    }

    private func answer(_ request: HTTPRequest, _ text: String, link: String? = nil) -> HTTPResponse {
        var response = HTTPResponse(headers: link.map { [.link: $0] } ?? [:], body: Data(text.utf8))
        response.head.url = request.url
        return response
    }

    private func all<Items: AsyncSequence>(_ items: Items) async throws -> [Items.Element] {
        var result: [Items.Element] = []
        for try await item in items { result.append(item) }
        return result
    }

    @Test func byLinkHeader() async throws {
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            switch index {
            case 0:
                answer(request, "[1,2]", link: #"</v1/numbers?page=2>; rel="next", </v1/numbers?page=3>; rel="last""#)
            case 1:
                answer(
                    request, "[3,4]",
                    link: #"<numbers?page=3>; rel=next; anchor="/x", <numbers?page=3&q=%20>; rel=next"#)
            default: answer(request, "[5]", link: #"</v1/numbers?page=1>; rel="first""#)
            }
        }
        let pages = try transport.client().pages(ListNumbers(), by: .linkHeader)
        #expect(try await all(pages.items) == [1, 2, 3, 4, 5])
        #expect(
            transport.requests.map(\.url.string) == [
                "http://api.test/v1/numbers?per_page=2", "http://api.test/v1/numbers?page=2",
                "http://api.test/v1/numbers?page=3&q=%20",
            ])
    }

    @Test func byCursor() async throws {
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            [
                answer(request, #"{"items":[1,2],"next":"b"}"#), answer(request, #"{"items":[],"next":"c"}"#),
                answer(request, #"{"items":[3],"next":""}"#),
            ][index]
        }
        let pages = try transport.client().pages(
            ListItems(),
            by: .cursor(\.next) { request, cursor in
                var next = request
                next.cursor = cursor
                return next
            })
        #expect(try await all(pages.items(\.items)) == [1, 2, 3])
        #expect(
            transport.requests.map { $0.url.query } == [
                "limit=2&page=1", "limit=2&cursor=b&page=1", "limit=2&cursor=c&page=1",
            ])
    }

    @Test func byPageNumber() async throws {
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            answer(request, index < 2 ? #"{"items":[1,2]}"# : #"{"items":[]}"#)
        }
        let pages = try transport.client().pages(
            ListItems(),
            by: .pageNumber(isLast: { $0.items.count < 2 }) { request, number in
                var next = request
                next.page = number
                return next
            })
        #expect(try await all(pages).map(\.value.items.count) == [2, 2, 0])
        #expect(transport.requests.map { $0.url.query } == (1...3).map { "limit=2&page=\($0)" })
    }

    @Test func byNextURL() async throws {
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            switch index {
            case 0: answer(request, #"{"items":[1],"next":"http://api.test/v1/items?page=2"}"#)
            case 1: answer(request, #"{"items":[2],"next":"https://elsewhere.test/items"}"#)
            default: answer(request, #"{"items":[3],"next":null}"#)
            }
        }
        #expect(
            try await all(try transport.client().pages(ListItems(), by: .nextURL(\.next)).items(\.items)) == [1, 2, 3])
        #expect(transport.requests.map(\.url.host) == ["api.test", "api.test", "elsewhere.test"])
        // Credentials stay with the origin of the first page; the rest goes along.
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer secret", "Bearer secret", nil])
        #expect(transport.requests.map { $0.headers["X-Version"] } == ["3", "3", "3"])
        #expect(transport.requests[1].summary.operation == "ListItems")
    }

    @Test func repeatedCursorsAreAnErrorBehindTheLastGoodPage() async throws {
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            answer(request, #"{"items":[\#(index)],"next":"\#(["a", "b", "a"][min(index, 2)])"}"#)
        }
        var iterator = try transport.client().pages(
            ListItems(), by: .cursor(\.next) { request, cursor in ListItems(cursor: cursor) }
        ).makeAsyncIterator()
        for index in 0..<3 { #expect(try await iterator.next()?.value.items == [index]) }
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 3)
    }

    @Test func aNextURLThatIsThePageItselfIsAnError() async throws {
        let transport = ScriptedTransport { (request, _) async throws(NetworkError) in
            answer(request, "[1]", link: "<?per_page=2>; rel=next")
        }
        await #expect(throws: NetworkError.self) {
            try await all(try transport.client().pages(ListNumbers(), by: .linkHeader))
        }
        #expect(transport.requests.count == 1)
    }

    @Test func aNextURLThatIsNoneIsAnError() async throws {
        let transport = ScriptedTransport { (request, _) async throws(NetworkError) in
            answer(request, "[1]", link: "<file:///etc/passwd>; rel=next")
        }
        await #expect(throws: NetworkError.self) {
            try await all(try transport.client().pages(ListNumbers(), by: .linkHeader))
        }
        #expect(transport.requests.count == 1)
    }

    private func endless() -> ScriptedTransport {
        ScriptedTransport { (request, index) async throws(NetworkError) in
            answer(request, "[\(index)]", link: "</v1/numbers?page=\(index + 2)>; rel=next")
        }
    }

    @Test func pagesAreFetchedAsTheyAreRead() async throws {
        let transport = endless()
        var iterator = try transport.client().pages(ListNumbers(), by: .linkHeader).makeAsyncIterator()
        #expect(try await iterator.next()?.value == [0])
        #expect(transport.requests.count == 1)
        #expect(try await iterator.next()?.value == [1])
        #expect(transport.requests.count == 2)
        #expect(try await all(transport.client().pages(ListNumbers(), by: .linkHeader, maximumPages: 4)).count == 4)
    }

    @Test func onePageIsPrefetched() async throws {
        let transport = endless()
        var iterator = try transport.client().pages(ListNumbers(), by: .linkHeader, prefetches: true)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.value == [0])
        while transport.requests.count < 2 { await Task.yield() }
        #expect(try await iterator.next()?.value == [1])
        while transport.requests.count < 3 { await Task.yield() }
        let limited = endless()
        #expect(
            try await all(limited.client().pages(ListNumbers(), by: .linkHeader, prefetches: true, maximumPages: 3))
                .count
                == 3)
        #expect(limited.requests.count == 3)
    }

    @Test func aPrefetchNobodyWaitsForIsCancelled() async throws {
        let cancelled = Mutex(false)
        let transport = ScriptedTransport { (request, index) async throws(NetworkError) in
            if index == 0 { return answer(request, "[0]", link: "</v1/numbers?page=2>; rel=next") }
            do { try await Task.sleep(for: .seconds(3600)) } catch {}
            cancelled.withLock { $0 = true }
            throw .cancelled
        }
        do {
            var iterator = try transport.client().pages(ListNumbers(), by: .linkHeader, prefetches: true)
                .makeAsyncIterator()
            _ = try await iterator.next()
            while transport.requests.count < 2 { await Task.yield() }
        }
        while !cancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func cancellingStopsIt() async throws {
        let transport = endless()
        let client = try transport.client()
        let task = Task {
            var count = 0
            do throws(NetworkError) {
                for try await _ in client.pages(ListNumbers(), by: .linkHeader) { count += 1 }
                return false
            } catch {
                return error.isCancellation
            }
        }
        while transport.requests.count < 3 { await Task.yield() }
        task.cancel()
        #expect(await task.value)
    }

    @Test func mocksAnswerByTheCallersType() async throws {
        let mock = MockNetworkService()
        mock.on(
            ListNumbers.self,
            .response(
                DataResponse(status: .ok, headers: [.link: "<http://api.test/2>; rel=next"], body: Data("[1]".utf8))),
            .json("[2]"))
        #expect(try await all(mock.pages(ListNumbers(), by: .linkHeader).items) == [1, 2])
        #expect(mock.calls(ListNumbers.self).count == 2)

        struct Chat: Requestable { let path = "chat" }
        mock.on(Chat.self) { _ in "data: a\n\ndata: b\n\n" }
        let options = EventStreamOptions(reconnection: .never)
        #expect(try await all(mock.events(for: Chat(), options: options)).map(\.data) == ["a", "b"])
    }
}
