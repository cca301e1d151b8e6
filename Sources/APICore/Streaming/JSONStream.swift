#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How the values of a JSON stream are told apart.
public enum JSONFraming: Sendable, Hashable {
    /// One value a line: NDJSON, JSON Lines.
    case lines
    /// Record separators (RFC 7464, `application/json-seq`).
    case sequence
}

/// What a JSON stream does with a record that cannot be read: cut off, not JSON, or of another type.
public enum InvalidRecordPolicy: Sendable, Hashable {
    /// Throws ``NetworkError/decoding(_:)``. The stream can be read on after it.
    case fail
    /// Leaves it out.
    case skip
}

/// The values of a response that holds many JSON texts, as they arrive.
///
/// ```swift
/// for try await row in client.jsonLines(of: Row.self, for: ExportRows()) { … }
/// ```
///
/// Reading slowly slows the server down. Each iteration sends the request again.
public struct JSONStream<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// What the stream gives.
    public typealias Element = Value
    /// How it can fail.
    public typealias Failure = NetworkError

    let framing: JSONFraming
    let invalidRecords: InvalidRecordPolicy
    let maximumRecordSize: Int
    let decoder: any DataDecoder
    let connect: @Sendable () async throws(NetworkError) -> HTTPResponse

    /// Sends the request and reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self, parser: JSONRecordParser(framing, maximumRecordSize: maximumRecordSize))
    }

    /// Reads the values of a stream in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: JSONStream
        var parser: JSONRecordParser
        var head = ResponseHead()
        var body: HTTPResponseBody.AsyncIterator?
        var ready: ArraySlice<JSONSequenceParser.Record> = []
        var isOver = false

        /// The next value, or `nil` at the end.
        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: #isolation)
        }

        /// The next value, or `nil` at the end. Cancelling the task ends the transfer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
            while true {
                while let record = ready.popFirst() {
                    do throws(NetworkError) {
                        return try decode(record)
                    } catch {
                        if stream.invalidRecords == .fail { throw error }
                    }
                }
                guard !isOver else { return nil }
                do throws(NetworkError) {
                    try await advance(isolation: actor)
                } catch {
                    isOver = true
                    body = nil
                    throw error
                }
            }
        }

        private mutating func advance(isolation actor: isolated (any Actor)?) async throws(NetworkError) {
            if body == nil {
                let response = try await stream.connect()
                head = response.head
                body = response.body.makeAsyncIterator()
            }
            if let chunk = try await body?.next(isolation: actor) {
                do {
                    ready = try parser.parse(chunk)[...]
                } catch {
                    throw .bodyTooLarge(error)
                }
            } else {
                isOver = true
                body = nil
                ready = parser.finish().map { [$0] } ?? []
            }
        }

        private func decode(_ record: JSONSequenceParser.Record) throws(NetworkError) -> Value {
            switch record {
            case .text(let data):
                return try stream.decoder.decodeRecord(Value.self, from: data, head: head)
            case .truncated(let data):
                let context = DecodingError.Context(codingPath: [], debugDescription: "the text was cut off")
                throw .decoding(
                    DecodingFailure(
                        type: Value.self, response: DataResponse(head: head, body: data),
                        underlying: DecodingError.dataCorrupted(context)))
            }
        }
    }
}

/// Either of the two parsers.
struct JSONRecordParser: Sendable {
    private enum Parser: Sendable {
        case lines(JSONLinesParser)
        case sequence(JSONSequenceParser)
    }

    private var parser: Parser

    init(_ framing: JSONFraming, maximumRecordSize: Int) {
        parser =
            switch framing {
            case .lines: .lines(JSONLinesParser(maximumRecordSize: maximumRecordSize))
            case .sequence: .sequence(JSONSequenceParser(maximumRecordSize: maximumRecordSize))
            }
    }

    mutating func parse(_ bytes: Data) throws(BodyTooLarge) -> [JSONSequenceParser.Record] {
        switch parser {
        case .lines(var lines):
            let records = try lines.parse(bytes)
            parser = .lines(lines)
            return records.map { .text($0) }
        case .sequence(var sequence):
            let records = try sequence.parse(bytes)
            parser = .sequence(sequence)
            return records
        }
    }

    mutating func finish() -> JSONSequenceParser.Record? {
        switch parser {
        case .lines(var lines): lines.finish().map { .text($0) }
        case .sequence(var sequence): sequence.finish()
        }
    }
}
