#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Turns the bytes of an event stream into events, however the bytes are cut into pieces
/// (WHATWG HTML, section 9.2.6 "Interpreting an event stream").
///
/// ```swift
/// var parser = ServerSentEventParser()
/// let events = try parser.parse(Data("id: 7\ndata: hello\n\n".utf8))
/// events[0].data           // "hello"
/// parser.lastEventID       // "7", for the `Last-Event-ID` of the next connection
/// ```
///
/// An event without its closing empty line at the end of the stream is not an event, as the standard says.
public struct ServerSentEventParser: Sendable {
    /// The last event ID the stream has set: what a client sends when it connects again. Set by an event's end, not
    /// by its `id` line alone.
    public private(set) var lastEventID: String
    /// The time to wait before connecting again, once the stream has sent one (`retry`).
    public private(set) var reconnectionTime: Duration?
    /// The most bytes an event, or a line, may have.
    public let maximumEventSize: Int

    private var lines = LineSplitter(endings: .carriageReturnOrLineFeed)
    private var isAtStart = true
    private var type = ""
    private var data: [UInt8] = []
    private var pendingID: String

    /// Makes a parser for one connection.
    ///
    /// - Parameters:
    ///   - lastEventID: What the connection before had reached.
    ///   - maximumEventSize: The most bytes an event may have, so that a server cannot fill the memory.
    public init(lastEventID: String = "", maximumEventSize: Int = 16 << 20) {
        self.lastEventID = lastEventID
        self.maximumEventSize = maximumEventSize
        pendingID = lastEventID
    }

    /// Reads more of the stream.
    ///
    /// - Returns: The events that are complete now.
    /// - Throws: ``BodyTooLarge`` when an event exceeds ``maximumEventSize``; nothing else is an error in a stream.
    public mutating func parse(_ bytes: Data) throws(BodyTooLarge) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        lines.append(bytes)
        while let line = lines.next() {
            if let event = readLine(line) { events.append(event) }
            guard data.count <= maximumEventSize else { throw tooLarge }
        }
        guard lines.pendingCount <= maximumEventSize - data.count else { throw tooLarge }
        return events
    }

    private var tooLarge: BodyTooLarge {
        BodyTooLarge(limit: maximumEventSize, reason: "one event of the stream is longer")
    }

    private mutating func readLine(_ bytes: ArraySlice<UInt8>) -> ServerSentEvent? {
        var line = bytes
        if isAtStart {
            isAtStart = false
            // One byte order mark is dropped, as by "UTF-8 decode".
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            readField(line, value: [])
            return nil
        }
        // A line that starts with a colon is a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        readField(line[..<colon], value: value)
        return nil
    }

    private mutating func readField(_ name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        if name.elementsEqual("data".utf8) {
            data += value
            data.append(UInt8(ascii: "\n"))
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            if !value.contains(0) { pendingID = String(decoding: value, as: UTF8.self) }
        } else if name.elementsEqual("retry".utf8) {
            guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return }
            // What does not fit is a wish to wait for ever: keep the largest that can be computed with.
            let milliseconds = Int64(String(decoding: value, as: UTF8.self)) ?? .max
            reconnectionTime = .milliseconds(min(milliseconds, 1 << 40))
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = pendingID
        defer {
            data.removeAll(keepingCapacity: data.capacity < 1 << 16)
            type = ""
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self),
            id: lastEventID)
    }
}
