import APICore
import APITesting
import Foundation
import Testing

@Suite struct StubServerTests {
    @Test func smoke() async throws {
        let server = try StubServer()
        server.on(.get, "/hello", .text("hello"))
        let r = try await run(["curl", "-s", "-i", server.url("/hello"), server.url("/hello")])
        print(r)
        #expect(server.requests.count == 2)
        #expect(server.counters.connectionsOpened == 1)
        server.stop()
    }

    func run(_ a: [String]) async throws -> String {
        let p = Process()
        p.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        p.arguments = a
        let pipe = Pipe()
        p.standardOutput = pipe
        try p.run()
        let d = pipe.fileHandleForReading.readDataToEndOfFile()
        p.waitUntilExit()
        return String(decoding: d, as: UTF8.self)
    }
}
