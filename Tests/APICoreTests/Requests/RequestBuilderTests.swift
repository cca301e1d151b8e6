import Foundation
import Testing

@testable import APICore

@Suite struct RequestBuilderTests {
    struct Post: Codable, Sendable { var userId: Int; var title: String }

    struct Plain: Requestable { let path = "users/" }

    struct Custom: Requestable {
        var path = "posts"
        var method = HTTPMethod.get
        var parameters = QueryParameters()
        var headers = HTTPHeaders()
        var body: HTTPBody = .none
        var options = RequestOptions()
    }

    struct WithJSON: Requestable {
        let path = "posts"
        let method = HTTPMethod.post
        var body: Post?
        var headers: [HTTPHeaderKey: String] = [:]
    }

    private func build(
        _ request: some Requestable, base: String = "https://h/v1", headers: HTTPHeaders = [:],
        configuration: ClientConfiguration = ClientConfiguration(defaultHeaders: [:])
    ) throws -> HTTPRequest {
        try RequestBuilder(
            environment: APIEnvironment(baseURL: base, headers: headers), configuration: configuration
        ).build(request, delivery: .buffered)
    }

    private func text(_ body: HTTPBody) -> String? {
        if case .bytes(let data) = body.content { String(decoding: data, as: UTF8.self) } else { nil }
    }

    @Test func aPathAloneIsAGetWithoutBody() throws {
        let request = try build(Plain())
        #expect(request.method == .get && request.url.string == "https://h/v1/users/" && request.body.isNone)
        #expect(request.headers.isEmpty)
        #expect(request.context.operation == "Plain" && request.context.attempt == 1)
    }

    @Test func defaultHeadersAreThere() throws {
        let request = try build(Plain(), configuration: ClientConfiguration())
        #expect(request.headers.map(\.name) == [.accept, .acceptLanguage, .userAgent])
    }

    @Test func bodiesAreJSONInSnakeCase() throws {
        let request = try build(WithJSON(body: Post(userId: 1, title: "a/b")))
        #expect(request.headers[.contentType] == "application/json")
        let object = try #require(text(request.body))
        #expect(object.contains("\"user_id\":1") && object.contains("\"title\":\"a/b\""))
        #expect(try build(WithJSON(body: nil)).body.isNone)
    }

    @Test func theCallersContentTypeWins() throws {
        let request = try build(
            WithJSON(body: Post(userId: 1, title: ""), headers: [.contentType: "application/vnd.api+json"]))
        #expect(request.headers.values(for: .contentType) == ["application/vnd.api+json"])
        let form = QueryParameters(["a": 1], in: .body(.form))
        let custom = try build(Custom(parameters: form, headers: ["content-type": "text/x"]))
        #expect(custom.headers.values(for: .contentType) == ["text/x"])
    }

    /// A row of the table; a call, so that each literal is type-checked on its own.
    static func row(_ parameters: QueryParameters, _ expected: String) -> (QueryParameters, String) {
        (parameters, expected)
    }

    static let nested: QueryValue = ["name": "x", "n": ["k": 1] as QueryValue]
    static let queryTable: [(QueryParameters, String)] = [
        row(["a": 1, "b": "x y", "c": true], "a=1&b=x%20y&c=true"),
        row(["q": "a+b&c=d/e?f#g"], "q=a%2Bb%26c%3Dd%2Fe%3Ff%23g"),
        row(["tags": ["a", "b"]], "tags%5B%5D=a&tags%5B%5D=b"),
        row(["f": nested], "f%5Bname%5D=x&f%5Bn%5D%5Bk%5D=1"),
        row(["a": nil as String?, "b": ""], "b="),
        row(["é": "ü"], "%C3%A9=%C3%BC"),
        row(["a": 1.5, "b": 2.0, "c": 1e21, "d": -0.1], "a=1.5&b=2&c=1e%2B21&d=-0.1"),
        row(["u": UInt64.max, "i": Int64.min], "u=18446744073709551615&i=-9223372036854775808"),
        row(["d": Date(timeIntervalSince1970: 1)], "d=1970-01-01T00%3A00%3A01Z"),
        row(["z": 1, "a": 2, "z": 3], "z=1&a=2&z=3"),
        row(["empty": [] as [String]], ""),
        row(["d": Decimal(string: "12.30")], "d=12.3"),
    ]

    @Test(arguments: RequestBuilderTests.queryTable)
    func queries(parameters: QueryParameters, expected: String) throws {
        let request = try build(Custom(parameters: parameters))
        #expect(request.url.string == "https://h/v1/posts" + (expected.isEmpty ? "" : "?" + expected))
    }

    static let styleTable: [(ParameterStyle, String)] = [
        (ParameterStyle(arrays: .repeated), "a=1&a=2&o%5Bl%5D=x&b=true"),
        (ParameterStyle(arrays: .indexed), "a%5B0%5D=1&a%5B1%5D=2&o%5Bl%5D%5B0%5D=x&b=true"),
        (ParameterStyle(arrays: .comma, bools: .numeric), "a=1,2&o%5Bl%5D=x&b=1"),
        (ParameterStyle(bools: .numeric), "a%5B%5D=1&a%5B%5D=2&o%5Bl%5D%5B%5D=x&b=1"),
    ]

    @Test(arguments: RequestBuilderTests.styleTable)
    func styles(style: ParameterStyle, expected: String) throws {
        let list: QueryParameters = ["a": [1, 2], "o": ["l": ["x"]] as QueryValue, "b": true]
        #expect(try build(Custom(parameters: QueryParameters(list, style: style))).url.query == expected)
        let client = ClientConfiguration(parameterStyle: style, defaultHeaders: [:])
        #expect(try build(Custom(parameters: list), configuration: client).url.query == expected)
    }

    @Test func commasInsideValuesStayApart() throws {
        let parameters = QueryParameters(["a": ["x,y", "z"]], style: ParameterStyle(arrays: .comma))
        #expect(try build(Custom(parameters: parameters)).url.query == "a=x%2Cy,z")
    }

    @Test func datesByStyle() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.5)
        let seconds = QueryParameters(["d": date], style: ParameterStyle(dates: .secondsSince1970))
        #expect(try build(Custom(parameters: seconds)).url.query == "d=1700000000")
        let milliseconds = QueryParameters(["d": date], style: ParameterStyle(dates: .millisecondsSince1970))
        #expect(try build(Custom(parameters: milliseconds)).url.query == "d=1700000000500")
    }

    @Test func dictionariesAreSorted() throws {
        struct Sorted: Requestable {
            let path = ""
            let parameters = ["b": "2", "c": "3", "a": "1"]
        }
        #expect(try build(Sorted()).url.string == "https://h/v1?a=1&b=2&c=3")
    }

    @Test func queriesOfBasePathAndParametersAreJoined() throws {
        struct Searching: Requestable {
            let path: RequestPath = "search?kind=a"
            let parameters: QueryParameters = ["page": 2]
        }
        let request = try build(Searching(), base: "https://h/v1?key=k")
        #expect(request.url.string == "https://h/v1/search?key=k&kind=a&page=2")
    }

    @Test func parametersInTheBody() throws {
        let form = QueryParameters(["a": "x y+z", "t": ["1", "2"], "b~*": "é"], in: .body(.form))
        let formRequest = try build(Custom(method: .post, parameters: form))
        #expect(text(formRequest.body) == "a=x+y%2Bz&t%5B%5D=1&t%5B%5D=2&b%7E*=%C3%A9")
        #expect(formRequest.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(formRequest.url.query == nil)

        let json = QueryParameters(
            ["a": 1, "l": [true, nil as Bool?] as QueryValue, "o": ["k": "v"] as QueryValue], in: .body(.json))
        let jsonRequest = try build(Custom(method: .post, parameters: json))
        let object =
            try JSONSerialization.jsonObject(with: Data(#require(text(jsonRequest.body)).utf8)) as? NSDictionary
        #expect(object == ["a": 1, "l": [true, NSNull()], "o": ["k": "v"]] as NSDictionary)
        #expect(jsonRequest.headers[.contentType] == "application/json")

        #expect(throws: NetworkError.self) { try build(Custom(parameters: form, body: .text("x"))) }
    }

    @Test func whatIsSmuggledIsNamed() {
        func reason(_ request: Custom) -> InvalidRequest.Reason? {
            do {
                _ = try build(request)
                return nil
            } catch NetworkError.invalidRequest(let failure) {
                #expect(failure.request?.operation == "Custom")
                return failure.reason
            } catch {
                return nil
            }
        }
        #expect(reason(Custom(method: "GET /\r\nX: 1")) == .invalidMethod("GET /\r\nX: 1"))
        #expect(reason(Custom(headers: ["X\r\nY": "1"])) == .invalidHeaderName("X\r\nY"))
        #expect(reason(Custom(headers: ["X": "1\r\nY: 2"])) == .invalidHeaderValue(name: "X"))
        #expect(reason(Custom(headers: ["X": "1\n2"])) == .invalidHeaderValue(name: "X"))
        #expect(reason(Custom(headers: ["X": "\u{0}"])) == .invalidHeaderValue(name: "X"))
        #expect(reason(Custom(path: "a\nb")) == .invalidPath("a%0Ab", .controlCharacter))
        #expect(reason(Custom(headers: ["Transfer-Encoding": "chunked"])) != nil)
        #expect(
            reason(Custom(headers: [.contentLength: "3"], body: .text("ab")))
                == .contentLengthMismatch(header: "3", body: 2))
        #expect(reason(Custom(headers: ["X": "tab\tand ünïcode"])) == nil)
        #expect(
            reason(Custom(options: RequestOptions(idempotencyKey: "a\r\nb")))
                == .invalidHeaderValue(name: "Idempotency-Key"))
    }

    @Test func environmentHeadersStayWithTheirOrigin() throws {
        let secret: HTTPHeaders = [.authorization("Bearer t")]
        #expect(try build(Plain(), headers: secret).headers[.authorization] == "Bearer t")
        let elsewhere = try Endpoint(url: "https://other/x")
        #expect(try build(elsewhere, headers: secret).headers[.authorization] == nil)
        let same = try Endpoint(url: "https://h:443/elsewhere?a=b%20c", parameters: ["d": 1])
        let request = try build(same, headers: secret)
        #expect(request.headers[.authorization] == "Bearer t")
        #expect(request.url.string == "https://h/elsewhere?a=b%20c&d=1")
        #expect(
            try build(Custom(headers: [.authorization("mine")]), headers: secret).headers.values(for: .authorization)
                == ["mine"])
    }

    @Test func optionsAreLaidOverTheEnvironment() throws {
        let options = RequestOptions(timeouts: Timeouts(overall: .seconds(3)), idempotencyKey: "k1")
        let now = ContinuousClock.now
        let time = TimeSource(now: { now }, date: { Date(timeIntervalSince1970: 0) }, sleep: { _ in })
        let request = try build(
            Custom(method: .post, options: options), configuration: ClientConfiguration(defaultHeaders: [:], time: time)
        )
        #expect(request.options.timeouts == Timeouts(connect: .seconds(10), idle: .seconds(60), overall: .seconds(3)))
        #expect(request.context.deadline == now + .seconds(3))
        #expect(request.headers[.idempotencyKey] == "k1")
        #expect(request.isIdempotent && request.isRetryable)
        #expect(try build(Custom(method: .post)).isRetryable == false)
        #expect(try build(Custom(method: .post, options: RequestOptions(isIdempotent: true))).isRetryable)
        #expect(try build(Custom(options: RequestOptions(isIdempotent: false))).isRetryable == false)
    }

    @Test func encodersCanBePluggedIn() throws {
        struct Sorted: DataEncoder {
            func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("sorted".utf8) }
        }
        struct Body: Requestable {
            let path = "x"
            let body = Post(userId: 1, title: "")
            let options = RequestOptions(encoder: Sorted())
        }
        #expect(text(try build(Body()).body) == "sorted")
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
        }
        struct Bad: Requestable {
            let path = "x"
            var body: Failing { Failing() }
        }
        let error = #expect(throws: NetworkError.self) { try build(Bad()) }
        guard case .encoding(let failure) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
        #expect(failure.type == "Failing" && failure.request?.operation == "Bad")
    }
}
