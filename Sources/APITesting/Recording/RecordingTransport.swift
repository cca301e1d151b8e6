public import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Passes requests to another transport and keeps every exchange in a JSON file, secrets replaced, for a
/// ``ReplayTransport`` to answer from.
///
/// ```swift
/// let recording = RecordingTransport(CurlTransport(), file: "Tests/Recordings/users.json")
/// let client = APIClient(environment: environment, transport: recording)
/// _ = try await client.send(ListUsers())
/// try recording.save()
/// ```
///
/// Bodies are read whole before they are passed on in either direction. Failed requests are not recorded.
public final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let file: String
    private let redactor: SecretRedactor
    private let exchanges = WatchedState<[RecordedExchange]>([])

    /// Makes a transport that records.
    ///
    /// - Parameters:
    ///   - transport: What moves the bytes.
    ///   - file: The path of the file that ``save()`` writes.
    ///   - secrets: The names of header fields, query items, JSON and form fields whose values are not kept.
    public init(_ transport: any HTTPTransport, file: String, redacting secrets: SensitiveNames = .standard) {
        self.transport = transport
        self.file = file
        redactor = SecretRedactor(names: secrets)
    }

    /// The exchanges so far, in the order in which their responses were complete.
    public var recorded: [RecordedExchange] { exchanges.current }

    /// Sends a request and keeps the exchange.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        var request = request
        let body: Data
        do {
            body = try await request.body.readAll()
        } catch {
            throw NetworkError(error).with(request: request.summary)
        }
        // A stream has been read by now: what is sent are the same bytes from memory.
        if !request.body.isNone { request.body = HTTPBody(.bytes(body), contentType: request.body.contentType) }
        var response = try await transport.send(request)
        let received = try await response.body.collect(upTo: request.options.maximumBodySize ?? .max)
        response.body = .bytes(received)
        let exchange = RecordedExchange(
            request: redactor.request(request, body: body),
            response: RecordedExchange.Response(
                status: response.status.rawValue, headers: redactor.fields(response.headers),
                body: RecordedExchange.Body(redactor.body(received, mediaType: response.headers[.contentType]))))
        exchanges.update { $0.append(exchange) }
        return response
    }

    /// Writes the file, in place of an older one. It is the same, byte for byte, for the same exchanges.
    ///
    /// - Throws: ``RecordingError``.
    public func save() throws(RecordingError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(Recording(exchanges: recorded))
            try data.write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw RecordingError("cannot write the recording \(file): \(error)")
        }
    }

    /// Shuts the other transport down.
    public func shutdown() async {
        await transport.shutdown()
    }
}

extension SecretRedactor {
    func request(_ request: HTTPRequest, body: Data) -> RecordedExchange.Request {
        RecordedExchange.Request(
            method: request.method.rawValue, url: url(request.url), headers: fields(request.headers),
            body: RecordedExchange.Body(
                self.body(body, mediaType: request.headers[.contentType] ?? request.body.contentType)))
    }
}
