import Foundation
import JSONCoding
import Testing

@testable import APICore

@Suite struct APIEnvironmentTests {
    private func load(_ json: String, _ variables: [String: String] = [:]) throws(ConfigurationError) -> APIEnvironment
    {
        try APIEnvironment.load(json: Data(json.utf8), file: "Test.json", name: "test", variables: variables)
    }

    @Test func readsEverything() throws {
        let environment = try load(
            #"""
            {"name": "n", "baseURL": "https://h/v1", "headers": {"X-B": "2", "X-A": "1"},
             "timeouts": {"connect": 1.5, "idle": "250ms", "overall": "2m"},
             "settings": {"pageSize": 50, "flags": [true, null], "key": "${K:-d}"}}
            """#)
        #expect(environment.name == "n" && environment.baseURL.string == "https://h/v1")
        #expect(environment.headers.map(\.description) == ["X-B: 2", "X-A: 1"])
        #expect(
            environment.timeouts
                == Timeouts(connect: .milliseconds(1500), idle: .milliseconds(250), overall: .seconds(120)))
        #expect(
            environment.settings == ["pageSize": 50, "flags": [true, nil], "key": "d"])
    }

    @Test func theSmallestFile() throws {
        let environment = try load(#"{"baseURL": "http://h"}"#)
        #expect(environment.name == "test" && environment.timeouts == .standard && environment.headers.isEmpty)
    }

    @Test func variablesAreLaidOverTheFile() throws {
        let environment = try load(
            #"{"baseURL": "https://h", "headers": {"X-API-Key": "file", "Keep": "1"}, "timeouts": {"idle": 5}}"#,
            [
                "API_BASE_URL": "http://127.0.0.1:8080/x", "API_HEADER_X_API_KEY": "variable", "API_HEADER_NEW": "n",
                "API_TIMEOUT_IDLE": "7", "API_TIMEOUT_OVERALL": "1h", "UNRELATED": "x",
            ])
        #expect(environment.baseURL.string == "http://127.0.0.1:8080/x")
        #expect(
            Dictionary(uniqueKeysWithValues: environment.headers.map { ($0.name.rawValue, $0.value) })
                == ["X-API-Key": "variable", "Keep": "1", "New": "n"])
        #expect(environment.timeouts.idle == .seconds(7) && environment.timeouts.overall == .seconds(3600))
        #expect(try load("{}", ["API_BASE_URL": "http://h"]).baseURL.string == "http://h")
    }

    @Test func secretsNeverShow() throws {
        let environment = try load(
            #"{"baseURL": "https://h/?api_key=${KEY}", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Custom": "${CUSTOM}", "X-Plain": "p"}}"#,
            ["TOKEN": "tok-secret", "CUSTOM": "cus-secret", "KEY": "key-secret", "API_HEADER_X_V": "var-secret"])
        #expect(environment.headers[.authorization] == "Bearer tok-secret")
        var dumped = ""
        dump(environment, to: &dumped)
        for text in ["\(environment)", String(reflecting: environment), dumped, "\(environment.headers[0])"] {
            #expect(!text.contains("secret"), "\(text)")
        }
        #expect("\(environment)".contains("X-Plain: p") && "\(environment)".contains("Authorization: <redacted>"))
    }

    @Test(
        arguments: [
            ("{", nil, "Test.json"),
            ("[]", nil, "expected an object, found an array"),
            ("{}", "baseURL", "the key is missing"),
            (#"{"baseURL": 7}"#, "baseURL", "expected a string, found a number"),
            (#"{"baseURL": "h/v1"}"#, "baseURL", "has no scheme"),
            (#"{"baseURL": "https://u:pw@h"}"#, "baseURL", "holds credentials"),
            (
                #"{"baseUrl": "https://h"}"#, "baseUrl",
                "unknown key; known are name, baseURL, headers, timeouts, settings"
            ),
            (
                #"{"baseURL": "https://h", "timeouts": {"total": 1}}"#, "timeouts.total",
                "known are connect, idle, overall"
            ),
            (#"{"baseURL": "https://h", "timeouts": {"idle": 0}}"#, "timeouts.idle", "not a duration"),
            (#"{"baseURL": "https://h", "timeouts": {"idle": -1}}"#, "timeouts.idle", "not a duration"),
            (#"{"baseURL": "https://h", "timeouts": {"idle": "soon"}}"#, "timeouts.idle", "not a duration"),
            (#"{"baseURL": "https://h", "timeouts": {"idle": 1e300}}"#, "timeouts.idle", "not a duration"),
            (#"{"baseURL": "https://h", "timeouts": {"idle": true}}"#, "timeouts.idle", "expected a duration"),
            (#"{"baseURL": "https://h", "timeouts": 3}"#, "timeouts", "expected an object"),
            (#"{"baseURL": "https://h", "headers": {"A": 1}}"#, "headers.A", "expected a string"),
            (#"{"baseURL": "https://h", "headers": {"A B": "1"}}"#, "headers.A B", "not a header field"),
            (#"{"baseURL": "https://h", "headers": {"A": "1\n2"}}"#, "headers.A", "not a header field"),
            (#"{"baseURL": "https://h", "headers": {"A": "${NOPE}"}}"#, "headers.A", "NOPE is not set"),
            (#"{"baseURL": "https://h", "headers": {"A": "${NOPE"}}"#, "headers.A", "no closing }"),
            (#"{"baseURL": "https://h", "settings": {"a": {"b": ["${NOPE}"]}}}"#, "settings.a.b[0]", "NOPE is not set"),
            (#"{"baseURL": "https://h", "settings": []}"#, "settings", "expected an object"),
        ] as [(String, String?, String)])
    func errorsNameFileAndKey(json: String, key: String?, text: String) {
        let error = #expect(throws: ConfigurationError.self) { try load(json) }
        #expect(error?.file == "Test.json" && error?.key == key)
        #expect(error?.description.contains(text) == true, "\(String(describing: error))")
        #expect(error?.description.contains("pw") != true)
    }

    @Test func errorsInVariablesNameTheVariable() {
        for (name, value) in [("API_BASE_URL", "nope"), ("API_TIMEOUT_IDLE", "x"), ("API_HEADER_X", "a\nb")] {
            let error = #expect(throws: ConfigurationError.self) {
                try load(#"{"baseURL": "https://h"}"#, [name: value])
            }
            #expect(error?.file == nil && error?.key == name)
        }
    }

    @Test func loadsByNameFromADirectory() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "apilayer-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data(#"{"baseURL": "https://sandbox"}"#.utf8).write(to: URL(filePath: "\(directory)/Sandbox.json"))
        #expect(try APIEnvironment.load("Sandbox", directory: directory, variables: [:]).name == "Sandbox")
        let variables = ["API_ENVIRONMENT": "Sandbox", "API_CONFIGURATION_DIRECTORY": directory]
        #expect(try APIEnvironment.load(variables: variables).baseURL.string == "https://sandbox")

        let missing = #expect(throws: ConfigurationError.self) {
            try APIEnvironment.load("Nope", directory: directory, variables: [:])
        }
        #expect(missing?.problem == .fileNotFound(searched: ["\(directory)/Nope.json"]))
        #expect(throws: ConfigurationError.self) {
            try APIEnvironment.load("../Sandbox", directory: directory, variables: [:])
        }
        let folder = #expect(throws: ConfigurationError.self) {
            try APIEnvironment.load(file: directory, variables: [:])
        }
        #expect(folder?.file == directory)
    }

    @Test func theFilesInTheRepositoryLoad() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for name in ["Production", "Sandbox"] {
            let environment = try APIEnvironment.load(
                name, directory: root.appending(path: "Configuration").path(), variables: ["API_TOKEN": "t"])
            #expect(environment.name == name)
        }
    }

    @Test func randomFilesNeverCrash() {
        var generator = SeededGenerator(seed: 11)
        let valid = Array(
            #"{"baseURL": "https://h/v1", "headers": {"A": "${X:-y}"}, "timeouts": {"idle": "2s"}, "settings": {"k": [1]}}"#
                .utf8)
        for _ in 0..<3_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(valid.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            _ = try? APIEnvironment.load(json: Data(bytes), variables: ["X": "x"])
        }
    }
}
