#if os(Linux)
internal import APILayer
internal import APITesting
internal import TerminalProgress

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
    /// - Parameter folder: Where the download goes.
    static func run(folder: String = "/tmp") async throws {
        let server = try StubServer()
        defer { server.stop() }
        prepare(server)
        let client = APIClient(environment: APIEnvironment(baseURL: server.url))
        try await download(client, to: folder + "/quickstart-export.bin")
        try await events(client)
        try await pages(client)
    }

    /// A file, in its place only when it is complete. The bar is drawn when standard error is a terminal.
    private static func download(_ client: APIClient, to path: String) async throws {
        let transfer = client.download(Export(), to: path, options: DownloadOptions(expectedLength: 20_000_000))
        let file = try await ProgressBar("export").follow(transfer)
        print("downloaded \(file.length) bytes to \(file.path)")
    }

    /// What language-model APIs send: a value in each event, and `[DONE]` at the end.
    private static func events(_ client: APIClient) async throws {
        var text = ""
        let options = EventStreamOptions(endMarker: "[DONE]")
        for try await delta in client.events(of: Delta.self, for: Completion(), options: options) {
            text += delta.text
        }
        print("streamed: \(text)")
    }

    /// All items of a list, the next page fetched while this one is read.
    private static func pages(_ client: APIClient) async throws {
        var numbers: [Int] = []
        for try await issue in client.pages(ListIssues(), by: .linkHeader, prefetches: true).items {
            numbers.append(issue.number)
        }
        print("issues on all pages: \(numbers)")
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
