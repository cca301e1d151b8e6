import APICore
import Foundation
import Testing

@testable import APITesting

private func request(
    _ method: HTTPMethod = .get, _ path: String, headers: HTTPHeaders = [:], json: String? = nil
) throws -> HTTPRequest {
    HTTPRequest(
        method: method, url: try RequestURL("https://api.test" + path), headers: headers,
        body: json.map { .text($0, contentType: "application/json") } ?? .none)
}

@Suite struct RecordingTests {
    private func temporaryFile() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString).json").path
    }

    private func stub() -> StubTransport {
        let stub = StubTransport()
        stub.on(.get, "/users", .reply(.json(#"[{"id": 1}]"#)), .reply(.json(#"[]"#)))
        stub.on(.post, "/login") { _ in
            DataResponse(
                status: .ok, headers: [.contentType: "application/json", .setCookie: "sid=topsecret"],
                body: Data(#"{"access_token": "topsecret", "user": {"id": 1}}"#.utf8))
        }
        stub.on(.get, "/picture") { _ in DataResponse(status: .ok, body: Data([0xFF, 0x00, 0xFE])) }
        return stub
    }

    @Test func whatWasRecordedIsReplayed() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let recording = RecordingTransport(stub(), file: file)
        for path in ["/users", "/users", "/picture"] { _ = try await recording.send(request(.get, path)) }
        try recording.save()

        let replay = try ReplayTransport(file: file)
        #expect(replay.unused.count == 3)
        #expect(try await replay.send(request(.get, "/picture")).body.data == Data([0xFF, 0x00, 0xFE]))
        #expect(try await replay.send(request(.get, "/users")).body.data == Data(#"[{"id": 1}]"#.utf8))
        let second = try await replay.send(request(.get, "/users"))
        #expect(second.body.data == Data("[]".utf8))
        #expect(second.headers[.contentType] == "application/json")
        #expect(replay.unused.isEmpty)
    }

    @Test func secretsAreNotInTheFile() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let recording = RecordingTransport(stub(), file: file)
        let login = try request(
            .post, "/login?api_key=topsecret&page=2", headers: [.authorization: "Bearer topsecret"],
            json: #"{"name": "ann", "password" : {"old": ["topsecret"]}, "p\u0061sswd": "topsecret", "n": 1}"#)
        let response = try await recording.send(login)
        #expect(response.body.data?.firstRange(of: Data("topsecret".utf8)) != nil, "the caller gets what came")
        try recording.save()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!text.contains("topsecret"))
        #expect(text.contains(#"\"name\": \"ann\""#))
        #expect(text.contains("page=2"))
        let replay = try ReplayTransport(file: file)
        let again = try request(
            .post, "/login?api_key=other&page=2", headers: [.authorization: "Bearer other"],
            json: #"{"n": 1, "name": "ann", "password": "other", "passwd": "other"}"#)
        let body = try await replay.send(again).body.data
        #expect(body == Data(#"{"access_token": "<redacted>", "user": {"id": 1}}"#.utf8))
    }

    @Test func aFormIsRedacted() {
        let redactor = SecretRedactor(names: .standard)
        let body = redactor.body(
            Data("user=a&pass%77ord=topsecret&x".utf8), mediaType: "application/x-www-form-urlencoded")
        #expect(String(decoding: body, as: UTF8.self) == "user=a&pass%77ord=<redacted>&x")
    }

    @Test(arguments: [
        (#"{"token":"x"}"#, #"{"token":"<redacted>"}"#), (#"{"token":12,"a":1}"#, #"{"token":"<redacted>","a":1}"#),
        (#"{"token":null}"#, #"{"token":"<redacted>"}"#), (#"{"a":"token"}"#, #"{"a":"token"}"#),
        (#"["token","x"]"#, #"["token","x"]"#), (#"{"token":"a\"b","c":2}"#, #"{"token":"<redacted>","c":2}"#),
        (#"{"token":{"a":["]}"]},"c":2}"#, #"{"token":"<redacted>","c":2}"#),
        (#"{"token":"#, #"{"token":"<redacted>""#),
        (#"{"token":"cut o"#, #"{"token":"<redacted>""#), (#""#, ""),
        (#"{"Token" : [1,2] }"#, #"{"Token" : "<redacted>" }"#),
    ])
    func jsonIsRedactedInPlace(text: String, expected: String) {
        var scanner = JSONSecretScanner(bytes: Array(text.utf8), names: .standard)
        #expect(String(decoding: scanner.redacted(), as: UTF8.self) == expected)
    }

    @Test func mutatedJSONDoesNotCrashTheRedactor() {
        var random = SeededGenerator(seed: 11)
        let seed = Array(#"{"a":[1,{"password":{"x":"y\"z"}}],"token":"t","b":null}"#.utf8)
        for _ in 0..<2000 {
            var bytes = seed
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
            }
            var scanner = JSONSecretScanner(
                bytes: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), names: .standard)
            #expect(scanner.redacted().count <= bytes.count + 64)
        }
    }

    @Test func aMissNamesTheNearestExchangeAndTheDifference() async throws {
        let recording = RecordingTransport(StubTransport { _ in HTTPResponse() }, file: "")
        _ = try await recording.send(request(.post, "/users", json: #"{"id": 1}"#))
        _ = try await recording.send(request(.get, "/posts"))
        let replay = ReplayTransport(recording.recorded)
        let body = await #expect(throws: NetworkError.self) {
            try await replay.send(request(.post, "/users", json: #"{"id": 2}"#))
        }
        #expect(
            body?.description == "ReplayTransport: POST https://api.test/users is not in the recording (memory); "
                + "nearest of 2 unused: POST https://api.test/users, which differs in the body")
        _ = try await replay.send(request(.post, "/users", json: #"{ "id":1}"#))
        let again = await #expect(throws: NetworkError.self) {
            try await replay.send(request(.post, "/users", json: #"{"id": 1}"#))
        }
        #expect(again?.description.contains("again: it was recorded 1 times") == true)
        #expect(again?.description.contains("GET https://api.test/posts, which differs in the method, the URL") == true)
        #expect(replay.unexpected.count == 2)
    }

    @Test func whatIsComparedIsAChoice() async throws {
        let recording = RecordingTransport(StubTransport { _ in HTTPResponse() }, file: "")
        _ = try await recording.send(request(.post, "/", headers: ["X-Tenant": "a"], json: "1"))
        let lax = ReplayTransport(recording.recorded, matching: ReplayTransport.Matching(comparesBodies: false))
        #expect(try await lax.send(request(.post, "/", json: "2")).status == .ok)
        let strict = ReplayTransport(
            recording.recorded, matching: ReplayTransport.Matching(headers: ["X-Tenant"]))
        let error = await #expect(throws: NetworkError.self) {
            try await strict.send(request(.post, "/", headers: ["x-tenant": "b"], json: "1"))
        }
        #expect(error?.description.contains(#"X-Tenant (["b"] instead of the recorded ["a"])"#) == true)
    }

    @Test func aFileThatIsNoRecordingIsAnError() throws {
        #expect(throws: RecordingError.self) { try ReplayTransport(file: "/nowhere/at/all.json") }
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: file) }
        for text in ["", "[]", #"{"version": 2, "exchanges": []}"#] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: RecordingError.self, "\(text)") { try ReplayTransport(file: file) }
        }
        let unwritable = RecordingTransport(StubTransport(), file: "/nowhere/at/all.json")
        #expect(throws: RecordingError.self) { try unwritable.save() }
    }

    @Test func theSameExchangesGiveTheSameFile() async throws {
        let files = [temporaryFile(), temporaryFile()]
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        for file in files {
            let recording = RecordingTransport(stub(), file: file)
            _ = try await recording.send(request(.get, "/users"))
            try recording.save()
        }
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: files[0])) == Data(contentsOf: URL(fileURLWithPath: files[1])))
    }
}
