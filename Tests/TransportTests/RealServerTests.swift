import APICore
import CurlTransport
import Foundation
import Testing

/// nginx with TLS, HTTP/1.1 and HTTP/2, and httpbin.
@Suite(.needsServers, .timeLimit(.minutes(2)))
struct RealServerTests {
    enum Way: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case plain, tls1, tls2
        var testDescription: String { rawValue }
    }

    private func servers() throws -> RealServers { try #require(RealServers.shared) }

    private func connect(
        _ transport: SuiteTransport, _ way: Way, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> (any HTTPTransport, String) {
        let servers = try servers()
        let made = transport {
            $0.tls.certificateAuthorities = .file(servers.authority)
            if way == .tls1 { $0.protocolPreference = .http1 }
            change(&$0)
        }
        return (made, way == .plain ? servers.http : servers.https)
    }

    @Test(arguments: SuiteTransport.all, Way.allCases)
    func getsOverEveryProtocol(_ transport: SuiteTransport, _ way: Way) async throws {
        let (transport, base) = try connect(transport, way)
        let response = try await transport.get(base + "/small.json")
        #expect(response.body.count == 427)
        #expect(response.head.version == (way == .tls2 ? .http2 : .http1_1))
        #expect(try await transport.get(base + "/version").text == (way == .tls2 ? "HTTP/2.0" : "HTTP/1.1"))
        #expect(try await transport.get(base + "/empty").head.status == .noContent)
        #expect(try await transport.get(base + "/status/404").text == "not found")
        #expect(try await transport.fetch(.head, base + "/1mb.bin").head.headers[.contentLength] == "1000000")
        #expect(try await transport.get(base + "/1mb.bin").body.count == 1_000_000)
        let coded = try await transport.get(base + "/gzip.json")
        #expect(coded.body == response.body)
        let timings = try #require(coded.timings)
        #expect(timings.connectionReused)
        #expect(timings.bytesReceived < 427)
        #expect(timings.total != nil && timings.firstByte != nil)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all, Way.allCases)
    func aThousandRequestsAtOnce(_ transport: SuiteTransport, _ way: Way) async throws {
        let (transport, base) = try connect(transport, way)
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await transport.get(base + "/small.json").body.count } }
            return try await group.reduce(0, +)
        }
        #expect(sizes == 427_000)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func aBurstSharesOneConnection(_ transport: SuiteTransport) async throws {
        let (transport, base) = try connect(transport, .tls2)
        let connections = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 { group.addTask { try await transport.get(base + "/connection").text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(connections.count == 1)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all, Way.allCases)
    func uploadsAndEchoes(_ transport: SuiteTransport, _ way: Way) async throws {
        let (transport, base) = try connect(transport, way)
        struct Echo: Decodable { let data: String, method: String }
        for text in ["", "short", String(repeating: "0123456789", count: 100_000)] {
            let response = try await transport.fetch(.post, base + "/echo", body: .text(text))
            let echo = try JSONDecoder().decode(Echo.self, from: response.body)
            #expect(echo.data == text)
            let chunks = StreamingTests.Chunks(texts: [text, text])
            let streamed = try await transport.fetch(.put, base + "/echo", body: .stream(chunks))
            #expect(try JSONDecoder().decode(Echo.self, from: streamed.body).data == text + text)
        }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all, Way.allCases)
    func cancelsAtAnyMoment(_ transport: SuiteTransport, _ way: Way) async throws {
        let (transport, base) = try connect(transport, way)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let wait = Int.random(in: 0...2000, using: &generator)
            let task = Task { try await transport.get(base + "/1mb.bin").body.count }
            try await Task.sleep(for: .microseconds(wait))
            task.cancel()
            do {
                #expect(try await task.value == 1_000_000)
            } catch {
                #expect((error as? NetworkError)?.isCancellation == true)
            }
        }
        // And the connection still works.
        #expect(try await transport.get(base + "/small.json").body.count == 427)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all, Way.allCases)
    func aSlowReaderOfAHugeBodyGetsItInBoundedPieces(_ transport: SuiteTransport, _ way: Way) async throws {
        // What the process needs for it is measured by `bench get --stream`: here every suite shares one process.
        let (transport, base) = try connect(transport, way) { $0.bufferSize = 128 << 10 }
        let response = try await transport.stream(.get, base + "/1gb.bin")
        var received = 0
        var largest = 0
        for try await chunk in response.body {
            received += chunk.count
            largest = max(largest, chunk.count)
            if received % 7 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            if received > 100 << 20 { break }
        }
        // The buffer, and what a read of the socket brings on top.
        if transport is CurlTransport { #expect(largest <= 512 << 10) }
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.all)
    func untrustedCertificatesAreRefused(_ transport: SuiteTransport) async throws {
        let servers = try servers()
        // Nobody on this machine trusts the test authority.
        let error = await failure { try await transport().get(servers.https + "/small.json") }
        guard case .tls(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .untrustedCertificate)
        // The certificate is for localhost and 127.0.0.1, not for another name that leads there.
        let (named, _) = try connect(transport, .tls1) {
            $0.addressOverrides = ["other.example": [IPAddress("127.0.0.1")].compactMap { $0 }]
        }
        let port = try RequestURL(servers.https).origin.port
        let wrong = await TransportTests.failure { try await named.get("https://other.example:\(port)/small.json") }
        guard case .tls(let failure) = wrong else { throw TestFailure("\(String(describing: wrong))") }
        #expect(failure.kind == .untrustedCertificate)
        let insecure = transport { $0.tls.disablesVerification = true }
        #expect(try await insecure.get(servers.https + "/small.json").body.count == 427)
    }

    @Test(arguments: SuiteTransport.all)
    func authoritiesFromMemoryAndBrokenOnes(_ transport: SuiteTransport) async throws {
        let servers = try servers()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: servers.authority))
        let memory = transport { $0.tls.certificateAuthorities = .bytes(bytes) }
        #expect(try await memory.get(servers.https + "/small.json").body.count == 427)
        let missing = transport { $0.tls.certificateAuthorities = .file("/nonexistent.pem") }
        let error = await failure { try await missing.get(servers.https + "/small.json") }
        guard case .tls(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .certificateAuthorities)
    }

    @Test(arguments: SuiteTransport.all)
    func pinnedKeys(_ transport: SuiteTransport) async throws {
        let servers = try servers()
        let wrong = transport {
            $0.tls.certificateAuthorities = .file(servers.authority)
            $0.tls.pinnedPublicKeys = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        }
        let error = await failure { try await wrong.get(servers.https + "/small.json") }
        guard case .tls(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .pinMismatch)
    }

    @Test(arguments: SuiteTransport.all, Way.allCases.filter { $0 != .plain })
    func clientCertificates(_ transport: SuiteTransport, _ way: Way) async throws {
        let servers = try servers()
        let key = try Data(contentsOf: URL(fileURLWithPath: servers.clientKey))
        let (with, _) = try connect(transport, way) {
            $0.tls.clientIdentity = .init(certificate: .file(servers.clientCertificate), privateKey: .bytes(key))
        }
        #expect(try await with.get(servers.mutual + "/").text.contains("APILayer test client"))
        // nginx says it in HTTP.
        let (without, _) = try connect(transport, way)
        #expect(try await without.get(servers.mutual + "/").head.status == .badRequest)
        let (broken, _) = try connect(transport, way) {
            $0.tls.clientIdentity = .init(
                certificate: .file(servers.clientCertificate), privateKey: .bytes(Data("no key".utf8)))
        }
        let error = await failure { try await broken.get(servers.mutual + "/") }
        guard case .tls(let failure) = error else { throw TestFailure("\(String(describing: error))") }
        #expect(failure.kind == .clientCertificate)
    }

    @Test(arguments: SuiteTransport.everywhere)
    func httpbin(_ transport: SuiteTransport) async throws {
        let base = try servers().httpbin
        let transport = transport()
        for (path, status) in [
            ("/status/418", 418), ("/status/503", 503), ("/get?a=1&b=%20", 200), ("/bytes/1000", 200),
        ] {
            #expect(try await transport.get(base + path).head.status.rawValue == status)
        }
        for coding in ["gzip", "deflate", "brotli"] {
            let response = try await transport.get(base + "/" + coding)
            #expect(
                response.text.contains(
                    "\"\(coding == "gzip" ? "gzipped" : coding == "deflate" ? "deflated" : "brotli")\": true"))
        }
        let tagged = try await transport.fetch(.get, base + "/etag/abc", headers: ["If-None-Match": "\"abc\""])
        #expect(tagged.head.status == .notModified)
        let drip = try await transport.get(base + "/drip?duration=0.2&numbytes=5&delay=0")
        #expect(drip.body.count == 5)
        #expect(try await transport.get(base + "/stream/3").text.split(separator: "\n").count == 3)
        await transport.shutdown()
    }

    @Test(arguments: SuiteTransport.everywhere)
    func cookiesAreSetAndUsed(_ transport: SuiteTransport) async throws {
        let base = try servers().httpbin
        let transport = transport()
        let cookies = CookieInterceptor(jar: CookieJar())
        let send: HTTPHandler = { (request) async throws(NetworkError) in try await transport.send(request) }
        let inner: HTTPHandler = { (request) async throws(NetworkError) in
            try await cookies.intercept(request, next: send)
        }
        // Sets the cookie on a redirect, which the next hop sends.
        let response = try await RedirectInterceptor().intercept(
            HTTPRequest(url: RequestURL(base + "/cookies/set?flavour=oat")), next: inner
        ).collected()
        #expect(response.text.contains("\"flavour\": \"oat\""))
        #expect(cookies.jar.cookies.map(\.name) == ["flavour"])
        await transport.shutdown()
    }
}
