import APICore
import Foundation
import Synchronization
import Testing

/// Time limits, cancellation, lost connections and limits on size.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    /// A server that takes requests and never answers.
    private func silentServer() throws -> WireServer {
        try WireServer { connection in
            connection.readRequest()
            connection.readToEnd()
        }
    }

    @Test(arguments: SuiteTransport.all)
    func theIdleLimitExpires(_ transport: SuiteTransport) async throws {
        let server = try silentServer()
        let options = RequestOptions(timeouts: Timeouts(idle: .milliseconds(60)))
        let error = await failure { try await transport().get(server.url, options: options) }
        guard case .timeout(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .idle)
        #expect(failure.limit == .milliseconds(60))
    }

    @Test(arguments: SuiteTransport.all)
    func bytesKeepTheIdleLimitAway(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
            for _ in 0..<20 {
                usleep(20_000)
                connection.write("x")
            }
        }
        let options = RequestOptions(timeouts: Timeouts(idle: .milliseconds(200)))
        #expect(try await transport().get(server.url, options: options).text.count == 20)
    }

    @Test(arguments: SuiteTransport.all)
    func aSlowReaderIsNotIdle(_ transport: SuiteTransport) async throws {
        let size = 8 << 20
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            connection.write(Data(repeating: 1, count: size))
        }
        let transport = transport { $0.bufferSize = 10_000 }
        let response = try await transport.stream(
            .get, server.url, options: RequestOptions(timeouts: Timeouts(idle: .milliseconds(400))))
        try await Task.sleep(for: .milliseconds(900))
        #expect(try await response.body.collect().count == size)
    }

    @Test(arguments: SuiteTransport.everywhere)
    func theDeadlineExpires(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while connection.write("x") { usleep(10_000) }
        }
        var request = try HTTPRequest(url: RequestURL(server.url))
        request.context.deadline = .now + .milliseconds(100)
        let transport = transport()
        let byContext = await failure { [request] in try await transport.send(request) }
        guard case .timeout(let failure) = byContext else { throw TestFailure("\(String(describing: byContext))") }
        #expect(failure.kind == .deadline)
        let options = RequestOptions(timeouts: Timeouts(overall: .milliseconds(100)))
        let byOptions = await TransportTests.failure { try await transport.get(server.url, options: options) }
        guard case .timeout(let failure) = byOptions else { throw TestFailure("\(String(describing: byOptions))") }
        #expect(failure.kind == .deadline)
        #expect(failure.limit == .milliseconds(100))
        // In the middle of a streamed body.
        let response = try await transport.stream(.get, server.url, options: options)
        let streamed = await TransportTests.failure { try await response.body.collect() }
        guard case .timeout = streamed else { throw TestFailure("\(String(describing: streamed))") }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func theConnectLimitExpires(_ transport: SuiteTransport) async throws {
        // A TLS handshake that is never answered.
        let server = try WireServer { $0.readToEnd() }
        let options = RequestOptions(timeouts: Timeouts(connect: .milliseconds(80)))
        let error = await failure {
            try await transport().get("https://127.0.0.1:\(server.port)/", options: options)
        }
        guard case .timeout(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .connect)
        #expect(failure.limit == .milliseconds(80))
    }

    @Test(arguments: SuiteTransport.everywhere)
    func refusedAndUnknownHostsAreToldApart(_ transport: SuiteTransport) async throws {
        let server = try silentServer()
        let port = server.port
        server.stop()
        let transport = transport()
        var refused = await failure { try await transport.get("http://127.0.0.1:\(port)/") }
        // Until the listening thread has let go.
        for _ in 0..<50 {
            if case .connectivity(let failure) = refused, failure.kind == .connectionRefused { break }
            try await Task.sleep(for: .milliseconds(10))
            refused = await failure { try await transport.get("http://127.0.0.1:\(port)/") }
        }
        guard case .connectivity(let failure) = refused else { throw TestFailure("\(String(describing: refused))") }
        #expect(failure.kind == .connectionRefused)
        let unknown = await TransportTests.failure { try await transport.get("http://no-such-host.invalid/") }
        guard case .connectivity(let failure) = unknown else { throw TestFailure("\(String(describing: unknown))") }
        #expect(failure.kind == .nameResolution)
        await transport.shutdown()
    }

    // Connections that the server closes under a request.

    /// Answers the first request of the first connection, then closes under the second; later connections answer.
    private func closingServer(reset: Bool = false) throws -> WireServer {
        try WireServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond("200 OK", "\(connection.number)")
            guard connection.readRequest() != nil else { return }
            if connection.number == 1 {
                if reset { connection.reset() }
                return
            }
            connection.respond("200 OK", "\(connection.number)")
            connection.readToEnd()
        }
    }

    @Test(arguments: SuiteTransport.all, [false, true])
    func anIdempotentRequestIsSentAgainOnce(_ transport: SuiteTransport, _ reset: Bool) async throws {
        for body in [
            HTTPBody.none, .text("again"), .stream(StreamingTests.Chunks(texts: ["again"]), isReplayable: true),
        ] {
            let server = try closingServer(reset: reset)
            let transport = transport()
            let method: HTTPMethod = body.isNone ? .get : .put
            #expect(try await transport.fetch(method, server.url, body: body).text == "1")
            #expect(try await transport.fetch(method, server.url, body: body).text != "1")
            #expect(server.requests.prefix(2).allSatisfy { $0.connection == 1 })
            #expect(server.requests.count == 3)
            if !body.isNone { #expect(server.requests.allSatisfy { $0.body == Data("again".utf8) }) }
            await transport.shutdown()
        }
    }

    @Test(arguments: SuiteTransport.all, [false, true])
    func aPostIsNeverSentTwice(_ transport: SuiteTransport, _ reset: Bool) async throws {
        for body in [
            HTTPBody.none, .text(""), .text("once"), .text(String(repeating: "x", count: 200_000)),
            .stream(StreamingTests.Chunks(texts: ["once"]), isReplayable: true),
        ] {
            let server = try closingServer(reset: reset)
            let transport = transport()
            #expect(try await transport.fetch(.post, server.url, body: body).text == "1")
            let error = await failure { try await transport.fetch(.post, server.url, body: body) }
            guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
            #expect(failure.kind == .connectionLost)
            #expect(!failure.responseStarted)
            #expect(server.requests.count == 2)
            await transport.shutdown()
        }
    }

    @Test(arguments: SuiteTransport.all)
    func aPostMarkedSafeIsSentAgain(_ transport: SuiteTransport) async throws {
        let server = try closingServer()
        let transport = transport()
        let options = RequestOptions(idempotencyKey: "key")
        #expect(try await transport.fetch(.post, server.url, body: .text("x"), options: options).text == "1")
        #expect(try await transport.fetch(.post, server.url, body: .text("x"), options: options).text == "2")
        #expect(server.requests.count == 3)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func nothingIsSentAgainAfterTheFirstByte(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n")
        }
        let transport = transport()
        _ = try await transport.get(server.url)
        let error = await failure { try await transport.get(server.url) }
        guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.responseStarted)
        #expect(server.requests.count == 2)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func aFreshConnectionThatBreaksIsAnError(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in connection.readRequest() }
        let error = await failure { try await transport().get(server.url) }
        guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: SuiteTransport.all)
    func aConnectionIsUsedAgainUnlessTheServerCloses(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                let closes = request.target == "/close"
                connection.respond(headers: closes ? "Connection: close\r\n" : "")
                if closes { return }
            }
        }
        let transport = transport()
        #expect(try await transport.get(server.url).timings?.connectionReused == false)
        #expect(try await transport.get(server.url).timings?.connectionReused == true)
        _ = try await transport.get(server.url + "/close")
        #expect(server.connectionCount == 1)
        _ = try await transport.get(server.url)
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }

    // Limits.

    @Test(arguments: SuiteTransport.all)
    func limitsTheBody(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/length" {
                    connection.respond("200 OK", String(repeating: "x", count: 1001))
                } else {
                    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                    while connection.write("64\r\n\(String(repeating: "x", count: 100))\r\n") {}
                    return
                }
            }
        }
        let options = RequestOptions(maximumBodySize: 1000)
        let transport = transport()
        for path in ["/length", "/chunks"] {
            let error = await failure { try await transport.get(server.url + path, options: options) }
            guard case .bodyTooLarge(let failure) = error else { throw TestFailure("\(String(describing: error))") }
            #expect(failure.limit == 1000)
            let streamed = await TransportTests.failure {
                try await transport.stream(.get, server.url + path, options: options).body.collect()
            }
            guard case .bodyTooLarge = streamed else { throw TestFailure("\(String(describing: streamed))") }
        }
        let exact = RequestOptions(maximumBodySize: 1001)
        #expect(try await transport.get(server.url + "/length", options: exact).body.count == 1001)
        await transport.shutdown()
    }

    // Cancellation.

    @Test(arguments: SuiteTransport.everywhere, [ResponseDelivery.buffered, .streamed])
    func cancelsBeforeTheHead(_ transport: SuiteTransport, _ delivery: ResponseDelivery) async throws {
        let (arrived, continuation) = AsyncStream<Void>.makeStream()
        let (gone, goneContinuation) = AsyncStream<Void>.makeStream()
        let server = try WireServer { connection in
            connection.readRequest()
            continuation.yield()
            connection.readToEnd()
            goneContinuation.yield()
        }
        let transport = transport()
        let request = try HTTPRequest(url: RequestURL(server.url), delivery: delivery)
        let task = Task { try await transport.send(request) }
        for await _ in arrived { break }
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.isCancellation == true)
        // The connection is given up at once.
        for await _ in gone { break }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func cancelsWithinTheBody(_ transport: SuiteTransport) async throws {
        let (gone, continuation) = AsyncStream<Void>.makeStream()
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            connection.readToEnd()
            continuation.yield()
        }
        let transport = transport()
        let response = try await transport.stream(.get, server.url)
        let task = Task { try await response.body.collect() }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        #expect(await failure { try await task.value }?.isCancellation == true)
        for await _ in gone { break }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.everywhere)
    func aCancelledTaskSendsNothing(_ transport: SuiteTransport) async throws {
        let server = try silentServer()
        let transport = transport()
        let url = server.url
        // Many times: the cancellation races with the submission.
        for _ in 0..<200 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.get(url)
            }
            #expect(await failure { try await task.value }?.isCancellation == true)
        }
        await transport.shutdown()
        #expect(server.requests.isEmpty)
    }

    // Life cycle.

    @Test(arguments: SuiteTransport.all)
    func shutdownEndsEverything(_ transport: SuiteTransport) async throws {
        let (arrived, continuation) = AsyncStream<Void>.makeStream()
        let server = try WireServer { connection in
            connection.readRequest()
            continuation.yield()
            connection.readToEnd()
        }
        let transport = transport()
        let url = server.url
        let task = Task { try await transport.get(url) }
        for await _ in arrived { break }
        await transport.shutdown()
        #expect(await failure { try await task.value } != nil)
        #expect(await failure { try await transport.get(url) } != nil)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func aDroppedTransportFinishesItsBodies(_ transport: SuiteTransport) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try WireServer { connection in
            connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            gate.wait()
            connection.write("cd")
        }
        let response = try await transport().stream(.get, server.url)
        gate.signal()
        #expect(try await response.body.collect() == Data("abcd".utf8))
    }
}
