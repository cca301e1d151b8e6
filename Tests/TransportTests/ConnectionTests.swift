import APICore
import Foundation
import Synchronization
import Testing

/// Where connections go, and how many there are.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    private func hello(_ text: String = "hello", family: Int32 = AF_INET, path: String? = nil) throws -> WireServer {
        try WireServer(family: family, path: path) { connection in
            while connection.readRequest() != nil { connection.respond("200 OK", text) }
        }
    }

    @Test(arguments: SuiteTransport.all)
    func ipv6(_ transport: SuiteTransport) async throws {
        let server = try hello(family: AF_INET6)
        let response = try await transport().get("http://[::1]:\(server.port)/")
        #expect(response.text == "hello")
        #expect(response.timings?.remoteAddress == "[::1]:\(server.port)")
        #expect(server.requests.first?["Host"] == "[::1]:\(server.port)")
    }

    @Test(arguments: SuiteTransport.all)
    func unixSockets(_ transport: SuiteTransport) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("s-\(getpid()).sock").path
        let server = try hello(path: path)
        defer { unlink(path) }
        let response = try await transport { $0.unixSocketPath = path }.get("http://service/ping")
        #expect(response.text == "hello")
        #expect(server.requests.first?["Host"] == "service")
    }

    @Test(arguments: SuiteTransport.all)
    func addressOverrides(_ transport: SuiteTransport) async throws {
        let server = try hello()
        let loopback = try #require(IPAddress("127.0.0.1"))
        let made = transport { $0.addressOverrides = ["api.example": [loopback]] }
        #expect(try await made.get("http://api.example:\(server.port)/").text == "hello")
        #expect(server.requests.first?["Host"] == "api.example:\(server.port)")
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func httpProxies(_ transport: SuiteTransport) async throws {
        let proxy = try hello("from the proxy")
        let direct = try hello("direct")
        let made = transport {
            $0.proxy = .server(
                .init(.http, host: "127.0.0.1", port: proxy.port, username: "user", password: "p:w"),
                exceptions: ["127.0.0.1"])
        }
        #expect(try await made.get("http://service.example/x?y").text == "from the proxy")
        let request = try #require(proxy.requests.first)
        #expect(request.line == "GET http://service.example/x?y HTTP/1.1")
        #expect(request["Proxy-Authorization"] == "Basic " + Data("user:p:w".utf8).base64EncodedString())
        // An exception is reached directly, and without the proxy's credentials.
        #expect(try await made.get(direct.url).text == "direct")
        #expect(direct.requests.first?["Proxy-Authorization"] == nil)
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func tunnelsThatAreRefused(_ transport: SuiteTransport) async throws {
        let proxy = try WireServer { connection in
            while connection.readRequest() != nil {
                connection.respond("407 Proxy Authentication Required", headers: "Proxy-Authenticate: Basic\r\n")
            }
        }
        let made = transport { $0.proxy = .server(.init(.http, host: "127.0.0.1", port: proxy.port)) }
        let error = await failure { try await made.get("https://service.example/") }
        guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .proxy)
        #expect(proxy.requests.first?.line == "CONNECT service.example:443 HTTP/1.1")
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func socksProxies(_ transport: SuiteTransport) async throws {
        let asked = Mutex("")
        let proxy = try WireServer { connection in
            // RFC 1928 and RFC 1929.
            guard let hello = connection.readBytes(2), let methods = connection.readBytes(Int(hello[1])),
                methods.contains(2)
            else { return }
            connection.write(Data([5, 2]))
            guard let start = connection.readBytes(2), let user = connection.readBytes(Int(start[1])),
                let length = connection.readBytes(1), let password = connection.readBytes(Int(length[0]))
            else { return }
            connection.write(Data([1, 0]))
            guard let request = connection.readBytes(5), let name = connection.readBytes(Int(request[4])),
                connection.readBytes(2) != nil
            else { return }
            asked.withLock {
                $0 = [user, password, name].map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            }
            connection.write(Data([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
            while connection.readRequest() != nil { connection.respond("200 OK", "through socks") }
        }
        let made = transport {
            $0.proxy = .server(
                .init(.socks5h, host: "127.0.0.1", port: proxy.port, username: "me", password: "secret"))
        }
        #expect(try await made.get("http://service.example/").text == "through socks")
        #expect(asked.withLock { $0 } == "me secret service.example")
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func theAddressFilterIsAskedBeforeAnythingIsSent(_ transport: SuiteTransport) async throws {
        let server = try hello()
        let options = RequestOptions(addressFilter: .publicOnly)
        let made = transport()
        for url in [server.url, "http://localhost:\(server.port)/"] {
            let error = await failure { try await made.get(url, options: options) }
            guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
            #expect(failure.kind == .addressRefused)
        }
        #expect(server.connectionCount == 0)
        // A connection that another request has made is no way around it.
        #expect(try await made.get(server.url).text == "hello")
        let error = await failure { try await made.get(server.url, options: options) }
        guard case .connectivity(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .addressRefused)
        #expect(server.requests.count == 1)
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func limitsConnectionsPerHost(_ transport: SuiteTransport) async throws {
        let server = try hello()
        let made = transport { $0.maximumConnectionsPerHost = 3 }
        let url = server.url
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 { group.addTask { try await made.get(url).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 200)
        #expect(server.connectionCount <= 3)
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func urgentRequestsGoFirst(_ transport: SuiteTransport) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (arrived, continuation) = AsyncStream<Void>.makeStream()
        let server = try WireServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/first" {
                    continuation.yield()
                    gate.wait()
                }
                connection.respond()
            }
        }
        let made = transport { $0.maximumConnectionsPerHost = 1 }
        let url = server.url
        async let first = made.get(url + "/first")
        for await _ in arrived { break }
        let low = Task { try await made.get(url + "/low", options: RequestOptions(priority: .low)) }
        try await Task.sleep(for: .milliseconds(20))
        let high = Task { try await made.get(url + "/high", options: RequestOptions(priority: .high)) }
        try await Task.sleep(for: .milliseconds(20))
        gate.signal()
        _ = try await (first, low.value, high.value)
        #expect(server.requests.map(\.target) == ["/first", "/high", "/low"])
        await made.shutdown()
    }

    @Test(
        arguments: SuiteTransport.all,
        [
            ("X-A", "b\r\nX-B: c"), ("X-A", "b\nc"), ("X-A", "b\0c"), ("X A", "b"), ("", "b"), ("X-A:", "b"),
            ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("Expect", "100-continue"),
            ("Content-Length", "5"),
        ])
    func unsafeFieldsAreNeverSent(_ transport: SuiteTransport, _ field: (name: String, value: String)) async throws {
        let server = try hello()
        let made = transport()
        let headers: HTTPHeaders = [HTTPHeader(name: field.name, value: field.value)]
        let error = await failure { try await made.fetch(.post, server.url, headers: headers, body: .text("four")) }
        guard case .invalidRequest = error else { throw TestFailure("\(String(describing: error))") }
        let method = await TransportTests.failure { try await made.fetch("GET / HTTP/1.1\r\nX:", server.url) }
        guard case .invalidRequest = method else { throw TestFailure("\(String(describing: method))") }
        #expect(server.requests.isEmpty)
        await made.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func observersHear(_ transport: SuiteTransport) async throws {
        let server = try WireServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
                connection.respond("200 OK", "ok")
            }
        }
        let heard = Mutex<[String]>([])
        let made = transport {
            $0.observer = { event in
                let text =
                    switch event {
                    case .started: "started"
                    case .interimResponse(_, let head): "interim \(head.status.rawValue) \(head.headers[.link] ?? "")"
                    case .sentAgain: "again"
                    case .finished(_, _, let timings, let error):
                        "finished \(timings.bytesReceived) \(error == nil ? "well" : "badly")"
                    }
                heard.withLock { $0.append(text) }
            }
        }
        _ = try await made.get(server.url)
        #expect(heard.withLock { $0 } == ["started", "interim 103 </style.css>", "finished 2 well"])
        await made.shutdown()
    }
}
