import APICore
import CurlTransport

/// `DownloadWorker URL PATH [CONNECTIONS]`: downloads and ends; a test kills it half-way.
@main
struct DownloadWorker {
    private struct Fetch: Requestable { let path = "" }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { throw InvalidRequest(.other("usage: DownloadWorker URL PATH [CONNECTIONS]")) }
        let connections = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
        let client = APIClient(
            environment: APIEnvironment(baseURL: try RequestURL(arguments[1])), transport: CurlTransport())
        let file = try await client.download(
            Fetch(), to: arguments[2],
            options: DownloadOptions(connections: connections, segmentSize: 1 << 18, reconnection: .never)
        ).value
        print("\(file.length) \(file.resumedBytes)")
    }
}
