public import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Answers from a file that a ``RecordingTransport`` wrote, strictly: a request must be one of the recorded ones, and
/// each recorded exchange is used once, in order.
///
/// ```swift
/// let replay = try ReplayTransport(file: "Tests/Recordings/users.json")
/// let client = APIClient(environment: environment, transport: replay)
/// #expect(try await client.send(ListUsers()).count == 3)
/// #expect(replay.unused.isEmpty)
/// ```
///
/// A request that is none of them fails with an ``UnexpectedRequest`` that says which unused exchange comes nearest
/// and in what they differ.
public final class ReplayTransport: HTTPTransport {
    /// What must be equal for a recorded exchange to answer a request. Secrets are never compared.
    public struct Matching: Sendable, Hashable {
        /// Whether the bodies must be equal; those of JSON by value, others by bytes.
        public var comparesBodies: Bool
        /// The header fields whose values must be equal.
        public var headers: [HTTPHeaderKey]

        /// Makes a rule; method and URL are always compared.
        public init(comparesBodies: Bool = true, headers: [HTTPHeaderKey] = []) {
            self.comparesBodies = comparesBodies
            self.headers = headers
        }
    }

    private struct State: Sendable {
        var unused: [RecordedExchange]
        var used: [RecordedExchange] = []
        var unexpected: [UnexpectedRequest] = []
    }

    private let state: WatchedState<State>
    private let matching: Matching
    private let redactor: SecretRedactor
    private let source: String

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - matching: What must be equal.
    ///   - secrets: The names it was recorded with.
    /// - Throws: ``RecordingError``.
    public init(
        file: String, matching: Matching = Matching(), redacting secrets: SensitiveNames = .standard
    ) throws(RecordingError) {
        do {
            let recording = try JSONDecoder().decode(Recording.self, from: Data(contentsOf: URL(filePath: file)))
            guard recording.version == 1 else {
                throw RecordingError("version \(recording.version) is not known, 1 is")
            }
            state = WatchedState(State(unused: recording.exchanges))
        } catch {
            throw RecordingError("cannot read the recording \(file): \(error)")
        }
        self.matching = matching
        redactor = SecretRedactor(names: secrets)
        source = file
    }

    /// Answers from exchanges in memory.
    public init(
        _ exchanges: [RecordedExchange], matching: Matching = Matching(), redacting secrets: SensitiveNames = .standard
    ) {
        state = WatchedState(State(unused: exchanges))
        self.matching = matching
        redactor = SecretRedactor(names: secrets)
        source = "memory"
    }

    /// The exchanges that no request has asked for yet.
    public var unused: [RecordedExchange] { state.read { $0.unused } }

    /// The requests that were none of the recorded ones.
    public var unexpected: [UnexpectedRequest] { state.read { $0.unexpected } }

    /// Answers a request from the recording.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        do {
            try Task.checkCancellation()
            let asked = redactor.request(request, body: try await request.body.readAll())
            let matching = matching
            let found = state.update { state -> RecordedExchange.Response? in
                let index = state.unused.firstIndex { matching.differences(asked, $0.request).isEmpty }
                guard let index else { return nil }
                let exchange = state.unused.remove(at: index)
                state.used.append(exchange)
                return exchange.response
            }
            guard let found else { throw miss(asked) }
            let data = found.body?.data ?? Data()
            guard data.count <= request.options.maximumBodySize ?? .max else {
                throw NetworkError.bodyTooLarge(BodyTooLarge(limit: request.options.maximumBodySize ?? .max))
            }
            let headers = HTTPHeaders(found.headers.map { HTTPHeader(name: $0.name, value: $0.value) })
            return HTTPResponse(
                head: ResponseHead(status: HTTPStatusCode(found.status), headers: headers, url: request.url),
                body: .bytes(data))
        } catch {
            throw NetworkError(error).with(request: request.summary)
        }
    }

    private func miss(_ asked: RecordedExchange.Request) -> UnexpectedRequest {
        let (unused, used) = state.read { ($0.unused, $0.used) }
        var text = "ReplayTransport: \(asked.method) \(asked.url) is not in the recording (\(source))"
        if used.contains(where: { matching.differences(asked, $0.request).isEmpty }) {
            text += " again: it was recorded \(used.count { matching.differences(asked, $0.request).isEmpty }) times"
        }
        let nearest = unused.min { distance(asked, $0.request) < distance(asked, $1.request) }
        if let nearest {
            text += "; nearest of \(unused.count) unused: \(nearest.request.method) \(nearest.request.url), "
            text += "which differs in " + matching.differences(asked, nearest.request).joined(separator: ", ")
        } else {
            text += "; no unused exchange is left"
        }
        let error = UnexpectedRequest(text)
        state.update { $0.unexpected.append(error) }
        return error
    }

    /// Fewer differences are nearer; among equals, the longer common beginning of the URLs.
    private func distance(_ left: RecordedExchange.Request, _ right: RecordedExchange.Request) -> Int {
        let common = zip(left.url.utf8, right.url.utf8).prefix { $0 == $1 }.count
        return matching.differences(left, right).count * 100_000 - min(common, 99_999)
    }
}

extension ReplayTransport.Matching {
    /// In what two requests differ, in words.
    func differences(_ asked: RecordedExchange.Request, _ recorded: RecordedExchange.Request) -> [String] {
        var result: [String] = []
        if asked.method != recorded.method { result.append("the method") }
        if asked.url != recorded.url { result.append("the URL") }
        for name in headers {
            let values = [asked, recorded].map { request in
                request.headers.filter { HTTPHeaderKey($0.name) == name }.map(\.value)
            }
            if values[0] != values[1] {
                result.append("\(name) (\(values[0]) instead of the recorded \(values[1]))")
            }
        }
        if comparesBodies, !sameBody(asked.body, recorded.body) { result.append("the body") }
        return result
    }

    /// JSON is compared by value: encoders order members as they like.
    private func sameBody(_ asked: RecordedExchange.Body?, _ recorded: RecordedExchange.Body?) -> Bool {
        if asked == recorded { return true }
        guard let asked, let recorded, let left = try? JSONDecoder().decode(JSONValue.self, from: asked.data),
            let right = try? JSONDecoder().decode(JSONValue.self, from: recorded.data)
        else { return false }
        return left == right
    }
}

/// Any JSON, for comparison.
private enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
