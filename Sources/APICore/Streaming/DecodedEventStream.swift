#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The values in the data of an event stream's events.
///
/// ```swift
/// for try await delta in client.events(of: Delta.self, for: Completion(prompt), options: .init(endMarker: "[DONE]")) {
///     print(delta.text, terminator: "")
/// }
/// ```
public struct DecodedEventStream<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// What the stream gives.
    public typealias Element = Value
    /// How it can fail.
    public typealias Failure = NetworkError

    let events: EventStream
    let decoder: any DataDecoder
    let isIncluded: @Sendable (ServerSentEvent) -> Bool

    /// Connects and reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator(), decoder: decoder, isIncluded: isIncluded)
    }

    /// Reads the values of a stream in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: EventStream.AsyncIterator
        let decoder: any DataDecoder
        let isIncluded: @Sendable (ServerSentEvent) -> Bool

        /// The next value, or `nil` at the end.
        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: #isolation)
        }

        /// The next value, or `nil` at the end. Data of another type is ``NetworkError/decoding(_:)``; the stream can
        /// be read on after it.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
            while let event = try await events.next(isolation: actor) {
                guard isIncluded(event) else { continue }
                return try decoder.decodeRecord(Value.self, from: Data(event.data.utf8), head: events.responseHead)
            }
            return nil
        }
    }
}

extension DataDecoder {
    /// Decodes a piece of a response.
    func decodeRecord<Value: Decodable>(
        _ type: Value.Type, from data: Data, head: ResponseHead
    ) throws(NetworkError) -> Value {
        do {
            return try decode(type, from: data)
        } catch {
            throw .decoding(
                DecodingFailure(type: type, response: DataResponse(head: head, body: data), underlying: error))
        }
    }
}
