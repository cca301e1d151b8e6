#if os(Linux)
internal import APICore
internal import APITesting
internal import CurlTransport
internal import Glibc
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `bench transfer [--bytes N]`: a multipart upload and a download of that size, by default 1 GB, against a server in
/// another process. Prints the time and this process's peak memory after each: it must not grow with the size.
func benchTransfer(arguments: [String]) async -> Int32 {
    var arguments = Arguments(arguments)
    do {
        let isServer = arguments.flag("serve")
        let length = try arguments.number("bytes") ?? 1_000_000_000
        try arguments.finish()
        if isServer { return try await serve(length) }
        try await TransferBench(length: length).run()
        return 0
    } catch {
        printError("bench transfer: \(error)")
        return 1
    }
}

/// The server's memory is not the client's: it is a process of its own, which ends when it is asked to.
private func serve(_ length: Int) async throws -> Int32 {
    let server = try StubServer(options: StubServer.Options(recordedBodyLimit: 0))
    server.on(.get, "/file", .generated(length: length, headers: [.etag: "\"bench\""]))
    server.on(.post, "/form") { request in .json("{\"bytes\": \(request.bodyLength)}") }
    print(server.url.string)
    fflush(nil)
    let stopped = Gate()
    server.on(.get, "/stop") { _ in
        stopped.open()
        return .status(.noContent)
    }
    try await stopped.wait()
    return 0
}

private struct TransferBench {
    private struct Fetch: Requestable { let path = "file" }
    private struct Received: Decodable, Sendable { let bytes: Int }
    private struct SendForm: APIRequest {
        typealias Response = Received
        let file: String
        let method = HTTPMethod.post
        let path = "form"
        var body: HTTPBody {
            .multipart {
                FormPart("title", "bench")
                FormPart("file", file: file)
            }
        }
    }

    let length: Int

    func run() async throws {
        let (address, server) = try startServer()
        let client = APIClient(
            environment: APIEnvironment(baseURL: try RequestURL(address)), transport: CurlTransport())
        let path = "/tmp/bench-transfer-\(getpid()).bin"
        defer { unlink(path) }
        report("start", nil)

        var start = ContinuousClock.now
        let file = try await client.download(Fetch(), to: path, options: DownloadOptions(isSynchronized: false)).value
        report("download of \(file.length) bytes to a file", ContinuousClock.now - start)

        start = ContinuousClock.now
        let received = try await client.upload(SendForm(file: path)).value.value
        guard received.bytes > length else { throw InvalidResponse("the server got \(received.bytes) bytes") }
        report("multipart upload of \(received.bytes) bytes from it", ContinuousClock.now - start)
        try await client.request(Endpoint(path: "stop"))
        pclose(server)
    }

    private func report(_ what: String, _ time: Duration?) {
        let seconds = time.map { $0 / .seconds(1) }
        let rate = seconds.map { "  \(Int(Double(length) / $0 / 1e6)) MB/s" } ?? ""
        print("\(what):\(rate)  peak memory \(peakResidentBytes() / 1_000_000) MB")
    }

    private func startServer() throws -> (address: String, pipe: UnsafeMutablePointer<FILE>) {
        guard let pipe = popen("/proc/\(getpid())/exe transfer --serve --bytes \(length)", "r")
        else { throw InvalidResponse("the server did not start") }
        var line = [CChar](repeating: 0, count: 200)
        guard fgets(&line, Int32(line.count), pipe) != nil else { throw InvalidResponse("the server did not start") }
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (text, pipe)
    }
}
#endif
