#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes requests and their outcome to a log of the caller's choice, without credentials.
///
/// ```swift
/// let log = LoggingInterceptor(level: .basic) { message in logger.info("\(message)") }
/// // #7 -> ListUsers: GET https://api.example.com/users?token=<redacted>
/// // #7 <- 200 OK after 12 ms: ListUsers: GET https://api.example.com/users?token=<redacted>
/// ```
///
/// At the front of the chain it logs what callers see; at its end, inside a ``RetryInterceptor``, every attempt.
public struct LoggingInterceptor: Interceptor {
    private let level: LogLevel
    private let bodyLimit: Int
    private let names: SensitiveNames
    private let time: TimeSource
    private let sink: @Sendable (LogMessage) -> Void

    /// Makes the interceptor.
    ///
    /// - Parameters:
    ///   - level: How much is written.
    ///   - bodyLimit: How many bytes of a body are shown at most.
    ///   - names: Which header fields, query items and fields of JSON and form bodies are credentials. Those that the
    ///     request's context knows are added.
    ///   - time: The clock.
    ///   - sink: Takes the messages; called on the request's task.
    public init(
        level: LogLevel = .basic, bodyLimit: Int = 1024, redacting names: SensitiveNames = .standard,
        time: TimeSource = .system, sink: @escaping @Sendable (LogMessage) -> Void
    ) {
        self.level = level
        self.bodyLimit = bodyLimit
        self.names = names
        self.time = time
        self.sink = sink
    }

    /// Sends the request and writes about it.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        guard level > .off else { return try await next(request) }
        let start = time.now()
        if level >= .basic { write(.info, "-> " + describe(request), of: request) }
        do throws(NetworkError) {
            let response = try await next(request)
            let isError = response.status.isError
            if level >= .basic || isError {
                let duration = start.duration(to: time.now()).shortDescription
                write(
                    isError ? .warning : .info,
                    "<- \(response.status) after \(duration): \(title(of: request, attempt: response.attempt))"
                        + details(response.headers, body: response.body.data, of: request), of: request)
            }
            return response
        } catch {
            let duration = start.duration(to: time.now()).shortDescription
            let title = title(of: request, attempt: error.request?.attempt ?? 1)
            write(
                error.isCancellation ? .info : .error,
                "!! after \(duration): " + (error.request == nil ? "\(title): \(error)" : "\(error)"), of: request)
            throw error
        }
    }

    private func title(of request: HTTPRequest, attempt: Int = 1) -> String {
        var summary = request.summary
        summary.url = request.url.redacted(names.union(request.context.sensitiveNames))
        summary.attempt = max(summary.attempt, attempt)
        return summary.description
    }

    private func describe(_ request: HTTPRequest) -> String {
        var body: Data?
        if case .bytes(let data) = request.body.content { body = data }
        return title(of: request) + details(request.headers, body: body, of: request)
    }

    private func details(_ headers: HTTPHeaders, body: Data?, of request: HTTPRequest) -> String {
        guard level >= .headers else { return "" }
        let names = names.union(request.context.sensitiveNames)
        var text = ""
        for field in headers {
            let value = names.containsHeader(field.name) ? SensitiveNames.placeholder : field.value
            text += "\n   \(field.name): \(value)"
        }
        guard level >= .bodies, let body, !body.isEmpty else { return text }
        let type = headers[.contentType].flatMap { MediaType($0) }
        return text + "\n   " + BodyText.text(of: body, mediaType: type, limit: bodyLimit, names: names)
    }

    private func write(_ severity: LogMessage.Severity, _ text: String, of request: HTTPRequest) {
        sink(
            LogMessage(
                severity: severity, identifier: request.context.identifier,
                operation: request.options.operationName ?? request.context.operation, text: text))
    }
}
