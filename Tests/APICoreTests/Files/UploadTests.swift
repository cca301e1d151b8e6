import Foundation
import Synchronization
import Testing

@testable import APICore

struct UploadTests {
    private struct AddPhoto: APIRequest {
        typealias Response = [String: Int]
        let content: HTTPBody
        let method = HTTPMethod.post
        let path = "photos"
        var body: HTTPBody { content }
    }

    /// Reads the body as a transport does.
    private static func read(_ body: HTTPBody) async throws(NetworkError) -> Data {
        guard case .stream(let stream) = body.content else { return Data() }
        do {
            let source = try stream.makeSource()
            var result = Data()
            while let chunk = try await source.next() { result += chunk }
            return result
        } catch {
            throw NetworkError(error)
        }
    }

    private final class Received: Sendable {
        let data = Mutex(Data())
    }

    private func transport(_ received: Received) -> ScriptedTransport {
        ScriptedTransport { (request, _) async throws(NetworkError) in
            let body = try await Self.read(request.body)
            received.data.withLock { $0 = body }
            return HTTPResponse(body: Data(#"{"size":\#(body.count)}"#.utf8))
        }
    }

    @Test func anyBodyWithProgress() async throws {
        let folder = try TemporaryFolder()
        let content = Data.sample(700_000)
        try content.write(to: URL(fileURLWithPath: folder.path("a")))
        let chunks = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: content.count, by: 100_000) {
                continuation.yield(content[start..<(start + 100_000)])
            }
            continuation.finish()
        }
        let bodies: [(HTTPBody, Int?)] = [
            (.data(content, contentType: "image/png"), 700_000),
            (.file(folder.path("a"), contentType: "image/png"), 700_000),
            (.stream(chunks, contentType: "image/png"), nil),
        ]
        for (body, total) in bodies {
            let received = Received()
            let transport = transport(received)
            let transfer = try transport.client().upload(AddPhoto(content: body), progressInterval: .zero)
            var last: TransferProgress?
            for try await progress in transfer {
                #expect(progress.bytes >= last?.bytes ?? 0)
                last = progress
            }
            #expect(last?.bytes == 700_000 && last?.total == total)
            #expect(try await transfer.value.value == ["size": 700_000])
            #expect(received.data.withLock { $0 } == content)
            let request = try #require(transport.requests.first)
            #expect(request.headers[.contentType] == "image/png")
            #expect(request.body.length == total)
            #expect(request.summary.operation == "AddPhoto")
        }
    }

    @Test func aMissingFileIsATypedErrorBeforeAnythingIsSent() async throws {
        let transport = transport(Received())
        let failure = try await transport.client().upload(AddPhoto(content: .file("/missing/a"))).failure
        #expect(failure?.fileKind == .notFound)
        #expect(transport.requests.isEmpty)
        let folder = try transport.client().upload(AddPhoto(content: .file("/tmp")))
        #expect(await folder.failure?.fileKind == .notAFile)
    }

    /// A tus server that loses the connection where a test wants it.
    private final class TusServer: Sendable {
        let state = Mutex((data: Data(), cuts: [Int](), offset: nil as String?))

        func transport() -> ScriptedTransport {
            ScriptedTransport { (request, _) async throws(NetworkError) in
                #expect(request.headers["Tus-Resumable"] == "1.0.0")
                #expect(request.url.string == "http://tus.test/files/1")
                if request.method == .head {
                    let (count, offset) = self.state.withLock { ($0.data.count, $0.offset) }
                    return HTTPResponse(headers: ["Upload-Offset": offset ?? "\(count)"])
                }
                #expect(request.method == .patch)
                #expect(request.headers[.contentType] == "application/offset+octet-stream")
                let body = try await UploadTests.read(request.body)
                return try self.state.withLock { state throws(NetworkError) in
                    guard request.headers["Upload-Offset"] == "\(state.data.count)" else {
                        return HTTPResponse(status: .conflict)
                    }
                    if let cut = state.cuts.first {
                        state.cuts.removeFirst()
                        state.data += body.prefix(cut)
                        throw .connectionLost
                    }
                    state.data += body
                    return HTTPResponse(status: .noContent, headers: ["Upload-Offset": "\(state.data.count)"])
                }
            }
        }
    }

    @Test(arguments: [nil, 150_000, 1_000_000]) func aResumableUploadGoesOn(_ partSize: Int?) async throws {
        let folder = try TemporaryFolder()
        let content = Data.sample(700_000)
        try content.write(to: URL(fileURLWithPath: folder.path("a")))
        let server = TusServer()
        // The last one loses only the answer.
        server.state.withLock { $0.cuts = [0, 100_000, 1, 99_999, .max] }
        let transport = server.transport()
        let upload = try TusUpload(
            url: "http://tus.test/files/1", content: .file(folder.path("a")), maximumPartSize: partSize)
        let transfer = try transport.client().upload(upload)
        var last: TransferProgress?
        for try await progress in transfer { last = progress }
        #expect(last?.bytes == 700_000 && last?.total == 700_000)
        #expect(server.state.withLock { $0.data } == content)
        // Every byte was taken once: nothing the server had was sent again.
        #expect(transport.requests.count { $0.method == .head } == 6)
    }

    @Test func anotherProcessGoesOn() async throws {
        let content = Data.sample(300_000)
        let server = TusServer()
        server.state.withLock { $0.data = content.prefix(200_000) }
        let transport = server.transport()
        _ = try await transport.client().upload(
            TusUpload(url: "http://tus.test/files/1", content: .data(content))
        ).value
        #expect(server.state.withLock { $0.data } == content)
        #expect(transport.requests.last?.body.length == 100_000)
        // Everything is there: only the answer is asked for.
        _ = try await transport.client().upload(
            TusUpload(url: "http://tus.test/files/1", content: .data(content))
        ).value
        #expect(transport.requests.last?.body.length == 0)
    }

    @Test func aServerThatMakesNoProgressOrNoSense() async throws {
        let upload = try TusUpload(url: "http://tus.test/files/1", content: .data(Data.sample(1000)))
        let stuck = TusServer()
        stuck.state.withLock { $0.cuts = Array(repeating: 0, count: 100) }
        let transport = stuck.transport()
        #expect(try await transport.client().upload(upload).failure != nil)
        #expect(transport.requests.count == 12)
        for offset in ["1001", "-1", "x", ""] {
            let server = TusServer()
            server.state.withLock { $0.offset = offset }
            guard case .decoding = try await server.transport().client().upload(upload).failure else {
                Issue.record("expected a decoding failure for \(offset)")
                return
            }
        }
    }
}
