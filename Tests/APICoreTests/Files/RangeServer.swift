import APICore
import Foundation
import Synchronization

@testable import APICore

/// A server of one resource that does ranges and conditions as RFC 9110 says, and breaks off where a test wants it.
final class RangeServer: Sendable {
    struct Resource: Sendable {
        var content: Data
        var etag: String? = "\"v1\""
        var lastModified: String?
        var doesRanges = true
        var announcesLength = true
        var headers: HTTPHeaders = [:]
    }

    struct Served: Sendable, Equatable {
        var range: String?
        var ifRange: String?
        var status: Int
        /// Bytes of the body that were read.
        var sent = 0
    }

    private struct State {
        var resource: Resource
        var served: [Served] = []
        var cuts: [Int: Int] = [:]
        var onRequest: (@Sendable (Int, inout Resource) -> Void)?
        var answers: [Int: HTTPResponse] = [:]
    }

    private let state: Mutex<State>

    init(_ content: Data, etag: String? = "\"v1\"", lastModified: String? = nil, doesRanges: Bool = true) {
        state = Mutex(
            State(
                resource: Resource(
                    content: content, etag: etag, lastModified: lastModified, doesRanges: doesRanges)))
    }

    var served: [Served] { state.withLock { $0.served } }
    /// Bytes of bodies that were read, all requests together.
    var totalSent: Int { served.reduce(0) { $0 + $1.sent } }

    func change(_ change: (inout Resource) -> Void) { state.withLock { change(&$0.resource) } }
    /// Breaks the connection after so many bytes of the body of a request, counted from 0.
    func cut(request: Int, after bytes: Int) { state.withLock { $0.cuts[request] = bytes } }
    func answer(request: Int, with response: HTTPResponse) { state.withLock { $0.answers[request] = response } }
    func onRequest(_ action: @escaping @Sendable (Int, inout Resource) -> Void) {
        state.withLock { $0.onRequest = action }
    }

    func client(time: TimeSource = .instant) throws -> APIClient {
        try ScriptedTransport { (request, _) async throws(NetworkError) in self.respond(request) }.client(time: time)
    }

    private func respond(_ request: HTTPRequest) -> HTTPResponse {
        let (resource, index, cut, answer) = state.withLock { state in
            let index = state.served.count
            state.onRequest?(index, &state.resource)
            state.served.append(
                Served(range: request.headers[.range], ifRange: request.headers[.ifRange], status: 0))
            return (state.resource, index, state.cuts[index], state.answers[index])
        }
        if let answer {
            note(index, status: answer.status)
            return answer
        }
        var headers = resource.headers
        if let etag = resource.etag { headers[.etag] = etag }
        if let date = resource.lastModified {
            headers[.lastModified] = date
            headers[.date] = "Tue, 01 Dec 2026 00:00:00 GMT"
        }
        let count = resource.content.count
        let matches = request.headers[.ifRange].map { $0 == resource.etag || $0 == resource.lastModified } ?? true
        guard resource.doesRanges, matches, let text = request.headers[.range], text.hasPrefix("bytes=") else {
            if resource.announcesLength { headers[.contentLength] = "\(count)" }
            return body(resource.content, .ok, headers, index, cut)
        }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let first = Int(ends[0]) ?? 0
        guard first < count else {
            headers[.contentRange] = "bytes */\(count)"
            return body(Data(), .rangeNotSatisfiable, headers, index, cut)
        }
        let last = min(Int(ends[1]) ?? (count - 1), count - 1)
        headers[.contentRange] = "bytes \(first)-\(last)/\(count)"
        headers[.contentLength] = "\(last - first + 1)"
        return body(resource.content[first...last], .partialContent, headers, index, cut)
    }

    private func body(
        _ content: Data, _ status: HTTPStatusCode, _ headers: HTTPHeaders, _ index: Int, _ cut: Int?
    ) -> HTTPResponse {
        note(index, status: status)
        let sent = cut.map { content.prefix($0) } ?? content[...]
        let source = PieceSource(Data(sent), error: cut == nil ? nil : .connectionLost) { count in
            self.state.withLock { $0.served[index].sent += count }
        }
        return HTTPResponse(head: ResponseHead(status: status, headers: headers), body: .stream(source))
    }

    private func note(_ index: Int, status: HTTPStatusCode) {
        state.withLock { $0.served[index].status = status.rawValue }
    }
}

/// Gives out bytes in pieces of 10,000.
private final class PieceSource: ResponseBodySource {
    private let rest: Mutex<Data>
    private let error: NetworkError?
    private let onSent: @Sendable (Int) -> Void

    init(_ content: Data, error: NetworkError?, onSent: @escaping @Sendable (Int) -> Void) {
        rest = Mutex(content)
        self.error = error
        self.onSent = onSent
    }

    func next() async throws(NetworkError) -> Data? {
        if Task.isCancelled { throw .cancelled }
        let piece = rest.withLock { rest in
            defer { rest = rest.dropFirst(10_000) }
            return rest.prefix(10_000)
        }
        if piece.isEmpty {
            if let error { throw error }
            return nil
        }
        onSent(piece.count)
        return piece
    }

    func cancel() {}
}

extension Data {
    /// Bytes that differ everywhere from those of another seed.
    static func sample(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededGenerator(seed: seed)
        var data = Data(capacity: count + 8)
        while data.count < count { Swift.withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }
}

extension NetworkError {
    var fileKind: FileFailure.Kind? {
        if case .file(let failure) = self { failure.kind } else { nil }
    }
}

extension Transfer {
    /// How it ended.
    var outcome: Result<Output, NetworkError> {
        get async {
            do throws(NetworkError) { return .success(try await value) } catch { return .failure(error) }
        }
    }

    var failure: NetworkError? {
        get async {
            if case .failure(let error) = await outcome { error } else { nil }
        }
    }
}
