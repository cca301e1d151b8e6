import APICore
import Foundation
import Synchronization

/// A transport whose answers a test writes down; it keeps the requests.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest, Int) async throws(NetworkError) -> HTTPResponse

    private let answer: Answer
    private let record = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    var requests: [HTTPRequest] { record.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let index = record.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try await answer(request, index)
    }

    func client(time: TimeSource = .instant) throws -> APIClient {
        APIClient(
            environment: APIEnvironment(baseURL: try RequestURL("http://api.test/v1")), transport: self,
            configuration: ClientConfiguration(time: time))
    }
}

/// Chunks, and then the end or an error.
final class ScriptedBody: ResponseBodySource {
    private struct State {
        var chunks: [Data]
        var error: NetworkError?
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(_ chunks: [Data], error: NetworkError? = nil) {
        state = Mutex(State(chunks: chunks.filter { !$0.isEmpty }, error: error))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var remaining: Int { state.withLock { $0.chunks.count } }

    func next() async throws(NetworkError) -> Data? {
        if Task.isCancelled { throw .cancelled }
        let step: Result<Data?, NetworkError> = state.withLock { state in
            if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
            if let error = state.error { return .failure(error) }
            return .success(nil)
        }
        return try step.get()
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }
}

extension HTTPResponse {
    /// A response whose body arrives in the given pieces.
    static func streamed(
        _ chunks: [String], status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:], error: NetworkError? = nil
    ) -> HTTPResponse {
        HTTPResponse(
            head: ResponseHead(status: status, headers: headers),
            body: .stream(ScriptedBody(chunks.map { Data($0.utf8) }, error: error)))
    }

    static func events(_ chunks: String..., error: NetworkError? = nil) -> HTTPResponse {
        streamed(chunks, headers: [.contentType: "text/event-stream; charset=utf-8"], error: error)
    }
}

extension NetworkError {
    static let connectionLost = NetworkError.connectivity(ConnectivityFailure(.connectionLost, reason: "test"))
}

/// Time in which sleeping takes none; it keeps how long was slept.
final class RecordedSleeps: Sendable {
    private let record = Mutex<[Duration]>([])
    var durations: [Duration] { record.withLock { $0 } }
    var time: TimeSource {
        var source = TimeSource.instant
        source.sleep = { duration in
            try Task.checkCancellation()
            self.record.withLock { $0.append(duration) }
        }
        return source
    }
}

extension TimeSource {
    /// A clock that stands, and sleeps that take no time.
    static var instant: TimeSource {
        let start = ContinuousClock.now
        return TimeSource(
            now: { start }, date: { Date(timeIntervalSince1970: 1_800_000_000) },
            sleep: { _ in try Task.checkCancellation() })
    }
}

extension SeededGenerator {
    /// The bytes cut at random places, sometimes into single bytes.
    mutating func cut(_ bytes: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = bytes[...]
        let longest = Int.random(in: 1...max(1, min(bytes.count, 64)), using: &self)
        while !rest.isEmpty {
            let count = Int.random(in: 1...longest, using: &self)
            pieces.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
