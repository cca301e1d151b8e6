#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event of an event stream (WHATWG HTML, section 9.2 "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type: its `event` field, or `message` when there is none.
    public var type: String
    /// The `data` fields, joined with line feeds.
    public var data: String
    /// The last `id` the stream had sent, up to and with this event; empty when it has sent none.
    public var id: String

    /// Makes an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }

    /// Decodes the data as JSON.
    ///
    /// - Throws: The decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: any DataDecoder = DefaultCoders.decoder
    ) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
