#if os(Linux)
internal import APILayer
internal import APITesting
internal import TerminalProgress

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Downloads with a progress bar, an event stream, and pages, against a server in this process.
enum StreamsTour {
    private struct Export: Requestable { let path = "export" }

    private struct Completion: Requestable {
        struct Prompt: Encodable { let prompt: String }
        let method = HTTPMethod.post
        let path = "completions"
        let body = Prompt(prompt: "Say hello")
    }

    private struct Delta: Decodable, Sendable { let text: String }

    private struct Issue: Decodable, Sendable { let number: Int }

    private struct ListIssues: APIRequest {
        typealias Response = [Issue]
        let path = "issues"
    }

    /// Runs everything.
    ///
    /// - Parameters:
    ///   - checklist: What is seen and checked.
    ///   - folder: Where the download goes.
    static func run(_ checklist: inout Checklist, folder: String) async throws {
        let server = try StubServer()
        defer { server.stop() }
        prepare(server)
        let client = APIClient(environment: APIEnvironment(baseURL: server.url))
        try await download(client, to: folder + "/apilayer-quickstart-export.bin", &checklist)
        try await events(client, &checklist)
        try await pages(client, &checklist)
    }

    /// A file, in its place only when it is complete. The bar is drawn when standard error is a terminal.
    private static func download(
        _ client: APIClient, to path: String, _ checklist: inout Checklist
    ) async throws {
        checklist.section("A download with a progress bar")
        let transfer = client.download(Export(), to: path, options: DownloadOptions(expectedLength: 20_000_000))
        let file = try await ProgressBar("export").follow(transfer)
        checklist.check(file.length == 20_000_000, "\(file.length) bytes, in place only when complete")
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What language-model APIs send: a value in each event, and `[DONE]` at the end.
    private static func events(_ client: APIClient, _ checklist: inout Checklist) async throws {
        checklist.section("Server-sent events, decoded")
        var text = ""
        let options = EventStreamOptions(endMarker: "[DONE]")
        for try await delta in client.events(of: Delta.self, for: Completion(), options: options) {
            text += delta.text
        }
        checklist.check(text == "Hello, world", "streamed: \(text)")
    }

    /// All items of a list, the next page fetched while this one is read.
    private static func pages(_ client: APIClient, _ checklist: inout Checklist) async throws {
        checklist.section("Pages, by the Link header")
        var numbers: [Int] = []
        for try await issue in client.pages(ListIssues(), by: .linkHeader, prefetches: true).items {
            numbers.append(issue.number)
        }
        checklist.check(numbers == [10, 11, 20, 21, 30, 31], "issues on all pages: \(numbers)")
    }

    private static func prepare(_ server: StubServer) {
        server.on(.get, "/export", .generated(length: 20_000_000, headers: ["ETag": "\"1\""]))
        server.on(.post, "/completions") { _ in
            .stream(contentType: "text/event-stream") { body in
                for word in ["Hello", ", ", "world"] { try await body.write("data: {\"text\": \"\(word)\"}\n\n") }
                try await body.write("data: [DONE]\n\n")
            }
        }
        server.on(.get, "/issues") { request in
            let page = Int(request.queryItem("page") ?? "1") ?? 1
            let link: HTTPHeaders = page < 3 ? [.link: "</issues?page=\(page + 1)>; rel=\"next\""] : [:]
            return .json("[{\"number\": \(page * 10)}, {\"number\": \(page * 10 + 1)}]", headers: link)
        }
    }
}
#endif
