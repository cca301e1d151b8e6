public import APICore
internal import Synchronization

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests through URLSession: the default on Apple platforms, where it brings the system's proxies, trust
/// settings, waiting for connectivity and background sessions.
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.waitsForConnectivity = true
/// let client = APIClient(environment: environment, transport: URLSessionTransport(configuration: configuration))
/// ```
///
/// Redirects, cookies and caching are the client's: the session's own are switched off. On Linux, where Foundation's
/// URLSession is a small part of Apple's, it is there for comparison and tests, and these do not work:
///
/// - back-pressure: a streamed body is taken as fast as the server sends it, and kept until it is read;
/// - the connect limit, and limits in milliseconds: idle time is rounded up to whole seconds;
/// - streamed request bodies: they are read into memory first;
/// - content codings: bodies are decoded, but their header fields still describe the coded form;
/// - address filters, connection timings, trailers, HTTP versions and early answers;
/// - cancelling, also at the body limit: it takes effect late, the more so the faster the server sends.
///
/// A request with an address filter is refused, not sent without it.
public final class URLSessionTransport: HTTPTransport {
    /// A transport with an ephemeral session.
    public static let shared = URLSessionTransport(configuration: .ephemeral)

    private let session: URLSession
    private let router: TaskRouter

    /// Makes a transport.
    ///
    /// - Parameter configuration: The session's configuration. Its cache and cookie storage are not used.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        router = TaskRouter()
        session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
    }

    deinit {
        // Bodies that are still being read come to their end.
        session.finishTasksAndInvalidate()
    }

    /// Ends what is going on. Requests after it fail.
    public func shutdown() async {
        router.close()
        session.invalidateAndCancel()
    }

    /// Sends a request.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if request.options.addressFilter != nil {
            let reason = "URLSession cannot filter addresses: use CurlTransport"
            throw .invalidRequest(InvalidRequest(.other(reason), request: request.summary))
        }
        let urlRequest = try await makeURLRequest(request)
        guard !Task.isCancelled else { throw .cancelled }
        let exchange = Exchange(limit: request.options.maximumBodySize ?? .max, url: request.url)
        guard let task = router.start(urlRequest, in: session, exchange: exchange) else {
            throw .connectivity(ConnectivityFailure(.other, reason: "the transport is shut down"))
        }
        let deadline = deadlineTask(request, exchange: exchange)
        defer { if request.delivery == .buffered { deadline?.cancel() } }
        do {
            let head = try await withTaskCancellationHandler {
                try await exchange.head()
            } onCancel: {
                exchange.fail(.cancelled)
                task.cancel()
            }
            let source = ExchangeSource(exchange: exchange, task: task, deadline: deadline)
            let body = HTTPResponseBody.stream(source, length: head.expectedLength)
            let response = HTTPResponse(head: head.value, body: body)
            guard request.delivery == .buffered else { return response }
            return HTTPResponse(head: head.value, body: .bytes(try await body.collect()))
        } catch {
            task.cancel()
            throw NetworkError(error)
        }
    }

    /// URLSession has no overall limit that can be set for one request: it is ours.
    private func deadlineTask(_ request: HTTPRequest, exchange: Exchange) -> Task<Void, Never>? {
        let limit = request.options.timeouts.overall
        guard let deadline = request.context.deadline ?? limit.map({ .now + $0 }) else { return nil }
        return Task {
            do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
            exchange.fail(.timeout(TimeoutFailure(.deadline, limit: limit)))
        }
    }

    private func makeURLRequest(_ request: HTTPRequest) async throws(NetworkError) -> URLRequest {
        guard let url = request.url.foundationURL else {
            throw .invalidRequest(InvalidRequest(.other("Foundation cannot read the URL")))
        }
        var result = URLRequest(url: url)
        result.httpMethod = request.method.rawValue
        for field in request.headers { result.addValue(field.value, forHTTPHeaderField: field.name.rawValue) }
        if let contentType = request.body.contentType, !request.headers.contains(.contentType) {
            result.setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        if let idle = request.options.timeouts.idle {
            result.timeoutInterval = max((idle / .seconds(1)).rounded(.up), 1)
        }
        switch request.body.content {
        case .none: break
        case .bytes(let data): result.httpBody = data
        case .file(let path):
            do {
                result.httpBody = try Data(contentsOf: URL(filePath: path))
            } catch {
                throw .invalidRequest(InvalidRequest(.unreadableBody("\(path): \(error.localizedDescription)")))
            }
        case .stream(let stream): result.httpBody = try await read(stream)
        @unknown default: throw .invalidRequest(InvalidRequest(.unreadableBody("unknown kind of body")))
        }
        return result
    }

    private func read(_ stream: BodyStream) async throws(NetworkError) -> Data {
        do {
            let source = try stream.makeSource()
            var data = Data()
            while let chunk = try await source.next() { data.append(chunk) }
            return data
        } catch {
            throw NetworkError(error)
        }
    }
}
