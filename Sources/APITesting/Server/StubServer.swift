#if os(Linux)
public import APICore
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A real HTTP/1.1 server on this machine's loopback, for tests: scripted answers, exact bytes, faults, and a record of
/// every request byte for byte.
///
/// ```swift
/// let server = try StubServer()
/// defer { server.stop() }
/// server.on(.get, "/users", .status(.serviceUnavailable, headers: [.retryAfter: "0"]), .json(#"[{"id": 1}]"#))
/// server.on(.get, "/users/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "")}"#) }
///
/// let client = APIClient(environment: APIEnvironment(baseURL: server.url))
/// #expect(try await client.send(ListUsers()).count == 1)
/// #expect(server.requests.map(\.target) == ["/users", "/users"])
/// ```
///
/// One thread serves any number of connections. Connections are kept alive, pipelined requests are answered in order,
/// chunked bodies are decoded for the record, `Expect: 100-continue` is answered. A client that closes its side while
/// the server has nothing to send to it is taken to have gone.
///
/// It stops when it is let go, and then frees its port, thread and descriptors.
public final class StubServer: Sendable {
    /// Where a server listens.
    public enum Endpoint: Sendable, Hashable {
        /// 127.0.0.1; port 0 takes a free one.
        case loopback(port: Int = 0)
        /// A Unix-domain socket, whose file must not exist yet.
        case unixSocket(path: String)
    }

    /// How a server behaves.
    public struct Options: Sendable, Hashable {
        /// How many bytes of each request's body are kept: of both the decoded and the raw one. The length is counted
        /// in any case.
        public var recordedBodyLimit: Int
        /// Whether `Expect: 100-continue` is answered with an interim 100.
        public var answersExpectContinue: Bool

        /// Makes options; by default whole bodies are kept and expectations answered.
        public init(recordedBodyLimit: Int = .max, answersExpectContinue: Bool = true) {
            self.recordedBodyLimit = max(recordedBodyLimit, 0)
            self.answersExpectContinue = answersExpectContinue
        }
    }

    /// Where it listens: `http://127.0.0.1:` and the port. Of a Unix-domain socket `http://localhost`.
    public let url: RequestURL
    /// The port; 0 for a Unix-domain socket.
    public let port: Int

    let state: WatchedState<ServerState>
    private let loop: ServerLoop
    private let thread: Lock<pthread_t?>

    /// Starts a server.
    ///
    /// - Throws: ``StubServerError`` when it cannot listen.
    public init(_ endpoint: Endpoint = .loopback(), options: Options = Options()) throws(StubServerError) {
        let listener: ListeningSocket
        switch endpoint {
        case .loopback(let port): listener = try ListeningSocket(port: port)
        case .unixSocket(let path): listener = try ListeningSocket(path: path)
        }
        state = WatchedState(ServerState())
        port = listener.port
        do {
            url = try RequestURL(listener.port == 0 ? "http://localhost" : "http://127.0.0.1:\(listener.port)")
            loop = try ServerLoop(listener: listener, options: options, state: state)
        } catch {
            listener.stop()
            throw StubServerError("\(error)")
        }
        var handle = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let code = pthread_create(
            &handle, nil,
            { context in
                if let context { Unmanaged<ServerLoop>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            listener.stop()
            throw StubServerError("cannot start a thread: \(String(cString: strerror(code)))")
        }
        thread = Lock(handle)
    }

    deinit {
        stop()
    }

    /// The URL of a path, as text: `server.url("/users?page=2")`.
    public func url(_ path: String) -> String {
        url.string + (path.hasPrefix("/") ? "" : "/") + path
    }

    /// Closes every connection and stops listening. Returns when the thread has ended. Requests and counters can still
    /// be read.
    public func stop() {
        guard let handle = thread.withLock({ $0.take() }) else { return }
        loop.post(.stop)
        // Let go by the last closure of the loop itself, the server cannot wait for it.
        if pthread_equal(handle, pthread_self()) != 0 {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }

    /// Closes every connection, idle and busy ones, and goes on listening: what a restart of a server looks like.
    public func closeConnections() {
        loop.post(.closeConnections)
    }
}
#endif
