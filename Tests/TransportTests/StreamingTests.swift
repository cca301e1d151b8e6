import APICore
import Foundation
import Synchronization
import Testing

/// Bodies that are sent and read while they are made.
@Suite(.timeLimit(.minutes(1)))
struct StreamingTests {
    /// Chunks of text as a stream of their own length.
    struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        var texts: [String]
        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>
            mutating func next() async throws -> Data? { rest.popFirst().map { Data($0.utf8) } }
        }
        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: texts[...]) }
    }

    static func echo(_ connection: WireConnection) {
        while let request = connection.readRequest() {
            connection.respond(String(decoding: request.body, as: UTF8.self))
        }
    }

    @Test(arguments: SuiteTransport.all)
    func sendsAStreamInChunks(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                connection.respond("200 OK", String(decoding: request.body, as: UTF8.self))
            }
        }
        let transport = transport()
        let chunks = Chunks(texts: ["one ", "", "two ", "three"])
        let response = try await transport.fetch(.post, server.url, body: .stream(chunks))
        #expect(response.text == "one two three")
        #expect(server.requests.last?["Transfer-Encoding"] == "chunked")
        #expect(server.requests.last?["Content-Length"] == nil)
        let known = try await transport.fetch(.put, server.url, body: .stream(chunks, length: 13))
        #expect(known.text == "one two three")
        #expect(server.requests.last?["Content-Length"] == "13")
        #expect(server.requests.last?.method == "PUT")
        // And a plain one over the same connection.
        #expect(try await transport.get(server.url).text == "")
        #expect(server.requests.last?.method == "GET")
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all, [5, 20])
    func aStreamMustKeepItsLength(_ transport: SuiteTransport, _ length: Int) async throws {
        let server = try WireServer { connection in
            connection.readRequest()
            connection.readToEnd()
        }
        let error = await failure {
            try await transport().fetch(
                .post, server.url, body: .stream(Chunks(texts: ["0123456789"]), length: length))
        }
        guard case .invalidRequest(let failure) = error, case .contentLengthMismatch = failure.reason else {
            throw TestFailure("\(String(describing: error))")
        }
    }

    @Test(arguments: SuiteTransport.all)
    func theErrorOfAStreamEndsTheRequest(_ transport: SuiteTransport) async throws {
        struct Broken: Error {}
        struct Source: AsyncSequence, Sendable, AsyncIteratorProtocol {
            typealias Element = Data
            var count = 0
            mutating func next() async throws -> Data? {
                count += 1
                if count > 3 { throw Broken() }
                return Data("x".utf8)
            }
            func makeAsyncIterator() -> Source { self }
        }
        let server = try WireServer { connection in
            connection.readRequest()
            connection.readToEnd()
        }
        let error = await failure { try await transport().fetch(.post, server.url, body: .stream(Source())) }
        guard case .other(let inner) = error, inner is Broken else { throw TestFailure("\(String(describing: error))") }
    }

    @Test(arguments: SuiteTransport.everywhere)
    func sendsAFile(_ transport: SuiteTransport) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try WireServer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let transport = transport()
        _ = try await transport.fetch(.post, server.url, body: .file(file.path))
        #expect(server.requests.last?.body == content)
        #expect(server.requests.last?["Content-Length"] == "300000")
        let error = await failure { try await transport.fetch(.post, server.url, body: .file("/nonexistent/file")) }
        guard case .invalidRequest(let failure) = error, case .unreadableBody = failure.reason else {
            throw TestFailure("\(String(describing: error))")
        }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func sendsTrailers(_ transport: SuiteTransport) async throws {
        actor Source: RequestBodySource {
            var left = ["abc", "def"]
            func next() async throws -> Data? { left.isEmpty ? nil : Data(left.removeFirst().utf8) }
            var trailers: HTTPHeaders { ["X-Sum": "6"] }
        }
        let server = try WireServer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        let stream = BodyStream(length: nil, isReplayable: false, trailerNames: ["X-Sum"]) { Source() }
        _ = try await transport().fetch(.post, server.url, body: HTTPBody(.stream(stream)))
        let request = try #require(server.requests.first)
        #expect(String(decoding: request.body, as: UTF8.self) == "abcdef")
        #expect(request["Trailer"] == "X-Sum")
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request.trailers == "X-Sum: 6\r\n")
    }

    @Test(arguments: SuiteTransport.all)
    func speaksAndListensInTurns(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            guard connection.readHead() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while let chunk = connection.readChunk(), !chunk.isEmpty {
                connection.write("\(String(chunk.count, radix: 16))\r\n")
                connection.write(chunk)
                connection.write("\r\n")
            }
            connection.write("0\r\n\r\n")
        }
        let (words, continuation) = AsyncStream<Data>.makeStream()
        let transport = transport()
        let response = try await transport.stream(.post, server.url, body: .stream(words))
        var iterator = response.body.makeAsyncIterator()
        for word in ["hello", "are", "you", "there"] {
            continuation.yield(Data(word.utf8))
            #expect(try await iterator.next() == Data(word.utf8))
        }
        continuation.finish()
        #expect(try await iterator.next() == nil)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.everywhere)
    func echoesAMegabyte(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n")
                connection.write(request.body)
            }
        }
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(try await transport().fetch(.post, server.url, body: .data(content)).body == content)
    }

    @Test(arguments: SuiteTransport.everywhere)
    func givesTheHeadBeforeTheBody(_ transport: SuiteTransport) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            gate.wait()
            for byte in ["d", "r", "i", "p"] { connection.write(byte) }
            gate.wait()
            connection.write("ed")
        }
        let response = try await transport().stream(.get, server.url)
        #expect(response.body.length == 6)
        gate.signal()
        var text = ""
        var iterator = response.body.makeAsyncIterator()
        while text.count < 4, let chunk = try await iterator.next() { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "drip")
        gate.signal()
        while let chunk = try await iterator.next() { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text == "driped")
    }

    @Test(arguments: SuiteTransport.all)
    func aSlowReaderSlowsTheServer(_ transport: SuiteTransport) async throws {
        let size = 64 << 20
        let written = Atomic(0)
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = Data(repeating: 1, count: 1 << 16)
            while written.load(ordering: .relaxed) < size, connection.write(piece) {
                written.add(piece.count, ordering: .relaxed)
            }
        }
        let transport = transport { $0.bufferSize = 100_000 }
        let response = try await transport.stream(.get, server.url)
        var iterator = response.body.makeAsyncIterator()
        var received = try #require(try await iterator.next()).count
        // The server writes until every buffer on the way is full, and then no more.
        var before = -1
        while before != written.load(ordering: .relaxed) {
            before = written.load(ordering: .relaxed)
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(before < 20 << 20)
        while let chunk = try await iterator.next() {
            // The buffer, and what one read from the socket may bring on top.
            #expect(chunk.count < 600_000)
            received += chunk.count
        }
        #expect(received == size)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func readingLessThanTheBodyEndsTheTransfer(_ transport: SuiteTransport) async throws {
        let (gone, continuation) = AsyncStream<Void>.makeStream()
        let server = try WireServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
                while connection.write(Data(repeating: 1, count: 1 << 16)) {}
                continuation.yield()
            }
        }
        let transport = transport()
        do {
            let response = try await transport.stream(.get, server.url)
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
        }
        // The server sees the connection break.
        for await _ in gone { break }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func anEarlyAnswerEndsAnUpload(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            _ = connection.readHead()
            connection.respond("413 Content Too Large", headers: "Connection: close\r\n", "too much")
            connection.readToEnd()
        }
        let (words, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("begin".utf8))
        let transport = transport()
        let response = try await transport.fetch(.post, server.url, body: .stream(words))
        #expect(response.head.status == .contentTooLarge)
        #expect(response.text == "too much")
        continuation.finish()
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.everywhere)
    func aBodyIsReadOnce(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while connection.readRequest() != nil { connection.respond("200 OK", "once") }
        }
        let response = try await transport().stream(.get, server.url)
        #expect(try await response.body.collect().count == 4)
        let error = await failure { try await response.body.collect() }
        guard case .invalidResponse = error else { throw TestFailure("\(String(describing: error))") }
    }
}
