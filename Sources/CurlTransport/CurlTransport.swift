public import APICore
internal import CCurl

/// Sends requests with libcurl: HTTP/1.1 and HTTP/2 over TCP, TLS and Unix sockets.
///
/// ```swift
/// let client = APIClient(environment: environment, transport: CurlTransport())
/// ```
///
/// One thread serves any number of tasks; none of them blocks a thread of Swift's pool. A transport keeps connections
/// open for the next request to the same origin, so make one and keep it, or use ``shared``.
///
/// When the last reference goes, what is under way comes to its end, and the thread, the connections and their
/// descriptors are freed.
public final class CurlTransport: HTTPTransport {
    /// A transport with the default configuration, for the whole process.
    public static let shared = CurlTransport()

    /// How it connects, and what it accepts.
    public let configuration: TransportConfiguration
    private let loop: Result<CurlEventLoop, NetworkError>

    /// Makes a transport and starts its thread.
    ///
    /// Never fails: what keeps it from working (no descriptors, a libcurl that cannot do what is asked for) is the
    /// error of every request.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.configuration = configuration
        loop = CurlTransport.makeLoop(configuration)
    }

    deinit {
        if case .success(let loop) = loop { loop.post(.shutdown(nil)) }
    }

    private static func makeLoop(_ configuration: TransportConfiguration) -> Result<CurlEventLoop, NetworkError> {
        guard let library = CurlLibrary.shared else {
            return .failure(.connectivity(ConnectivityFailure(.other, reason: "libcurl cannot be initialised")))
        }
        let settings = CurlSettings(configuration, library: library)
        if let problem = settings.problem { return .failure(problem) }
        guard let loop = CurlEventLoop.start(settings: settings) else {
            let reason = "no descriptors or threads are left for the transport's loop"
            return .failure(.connectivity(ConnectivityFailure(.other, reason: reason)))
        }
        return .success(loop)
    }

    /// Runs tasks on the thread that also moves the bytes: saves the two hops between threads that a request costs
    /// otherwise, some 20 µs when requests go one after the other.
    ///
    /// For a caller that waits for the network and computes little; whatever blocks or computes long holds up every
    /// transfer of this transport.
    ///
    /// ```swift
    /// Task(executorPreference: transport.executor) { for id in ids { try await client.send(FetchUser(id: id)) } }
    /// ```
    public var executor: any TaskExecutor {
        switch loop {
        case .success(let loop): loop.executor
        case .failure: globalConcurrentExecutor
        }
    }

    /// Sends a request.
    ///
    /// - Returns: The final response, complete for ``ResponseDelivery/buffered``.
    /// - Throws: What kept the response from coming.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let loop: CurlEventLoop
        do {
            loop = try self.loop.get()
            let exchange = CurlExchange(request, loop: loop, upload: try UploadBody.make(request))
            try prepareAhead(exchange)
            return try await CurlTransport.perform(exchange)
        } catch {
            throw error.with(request: request.summary)
        }
    }

    /// Sets up an idle handle in the caller's task, which takes that work off the loop. In a burst there is none, and
    /// the loop does it when the request's turn comes, so that a waiting request costs no handle.
    private func prepareAhead(_ exchange: CurlExchange) throws(NetworkError) {
        guard let handle = exchange.loop.pool.take() else { return }
        do {
            try handle.prepare(exchange.request, settings: exchange.loop.settings, upload: exchange.upload)
            exchange.handle = handle
        } catch {
            exchange.loop.pool.give(handle)
            throw error
        }
    }

    private static func perform(_ exchange: CurlExchange) async throws(NetworkError) -> HTTPResponse {
        let loop = exchange.loop
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: CurlExchange.Continuation) in
                exchange.continuation = continuation
                if !loop.post(.submit(exchange)) {
                    continuation.resume(returning: .failure(CurlEventLoop.shutDown))
                }
            }
        } onCancel: {
            loop.post(.cancel(exchange))
        }
        switch try result.get() {
        case .buffered(let handle, let queued):
            return try response(exchange, handle, queued)
        case .streamed(let head, let stream, let length, let isDecoded, let timings):
            guard var head = HeadParser.parse(head, url: exchange.request.url) else {
                stream.cancel()
                throw .invalidResponse(InvalidResponse("the head cannot be read"))
            }
            if isDecoded { head.removeCoding() }
            return HTTPResponse(head: head, body: .stream(stream, length: length), timings: timings)
        }
    }

    /// Reads what the handle holds, in the caller's task.
    private static func response(
        _ exchange: CurlExchange, _ handle: CurlHandle, _ queued: Duration
    ) throws(NetworkError) -> HTTPResponse {
        defer { exchange.loop.pool.give(handle) }
        guard var head = HeadParser.parse(handle.head, url: exchange.request.url) else {
            throw .invalidResponse(InvalidResponse("the head cannot be read"))
        }
        if exchange.isDecoded { head.removeCoding() }
        return HTTPResponse(
            head: head, body: .bytes(handle.body.take()), timings: handle.timings(queued: queued, isComplete: true))
    }

    /// Ends what is going on, closes every connection and waits for the thread to end. Requests after it fail.
    public func shutdown() async {
        guard case .success(let loop) = loop else { return }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            if !loop.post(.shutdown(continuation)) { continuation.resume() }
        }
    }
}

extension ResponseHead {
    /// The body was decoded: its coding and length are those of other bytes.
    fileprivate mutating func removeCoding() {
        headers.remove(.contentEncoding)
        headers.remove(.contentLength)
    }
}
