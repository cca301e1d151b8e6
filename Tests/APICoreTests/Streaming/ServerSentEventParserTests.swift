import APICore
import Foundation
import Testing

/// WHATWG HTML, sections 9.2.5 "Parsing an event stream" and 9.2.6 "Interpreting an event stream".
struct ServerSentEventParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stream: [UInt8]
        let events: [ServerSentEvent]
        let lastEventID: String
        let reconnectionTime: Duration?

        init(
            _ name: String, _ stream: String, _ events: [ServerSentEvent], lastEventID: String = "",
            retry: Duration? = nil
        ) {
            self.init(name, bytes: Array(stream.utf8), events, lastEventID: lastEventID, retry: retry)
        }

        init(
            _ name: String, bytes: [UInt8], _ events: [ServerSentEvent], lastEventID: String = "",
            retry: Duration? = nil
        ) {
            testDescription = name
            stream = bytes
            self.events = events
            self.lastEventID = lastEventID
            reconnectionTime = retry
        }
    }

    private static func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(type: type, data: data, id: id)
    }

    static let cases: [Case] = [
        // The examples of the standard.
        Case(
            "example: stock ticker, multi-line data", "data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        Case(
            "example: comment, ids, and an event cut off at the end",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [event("first event", id: "1"), event("second event")]),
        Case(
            "example: two events of empty data and one cut off", "data\n\ndata\ndata\n\ndata:",
            [event(""), event("\n")]),
        Case(
            "example: the space after the colon is optional", "data:test\n\ndata: test\n\n",
            [event("test"), event("test")]),
        Case(
            "example: named events", "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [event("73857293", type: "add"), event("2153", type: "remove")]),
        // Lines.
        Case("lines end with LF", "data: a\n\ndata: b\n\n", [event("a"), event("b")]),
        Case("lines end with CR", "data: a\r\rdata: b\r\r", [event("a"), event("b")]),
        Case("lines end with CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", [event("a"), event("b")]),
        Case("line ends mixed", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\n", [event("a\nb\nc"), event("d")]),
        Case("LF CR is two line ends", "data: a\n\rdata: b\n\n", [event("a"), event("b")]),
        Case("an event without its empty line is dropped", "data: a\n", []),
        Case("no bytes", "", []),
        // Encoding.
        Case("one byte order mark is dropped", bytes: [0xEF, 0xBB, 0xBF] + Array("data: a\n\n".utf8), [event("a")]),
        Case(
            "a second byte order mark makes an unknown field",
            bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("data: a\n\ndata: b\n\n".utf8), [event("b")]),
        Case(
            "a byte order mark later is data", "data: \u{FEFF}a\n\n\u{FEFF}data: b\n\n", [event("\u{FEFF}a")]),
        Case(
            "invalid UTF-8 becomes U+FFFD", bytes: Array("data: ".utf8) + [0xFF] + Array("x\n\n".utf8),
            [event("\u{FFFD}x")]),
        Case("characters of several bytes", "data: äöü€😀\n\n", [event("äöü€😀")]),
        // Fields.
        Case("a comment alone gives nothing", ":\n\n: keep-alive\n\n", []),
        Case("only one space is removed", "data:  a\n\n", [event(" a")]),
        Case("a tab is not removed", "data:\ta\n\n", [event("\ta")]),
        Case("a value may hold colons", "data: a:b: c\n\n", [event("a:b: c")]),
        Case("field names are case-sensitive", "Data: a\n\nDATA: b\n\ndata: c\n\n", [event("c")]),
        Case("a space before the colon is part of the name", "data : a\n\n", []),
        Case("unknown fields are ignored", "foo: bar\ndata: a\nx\n\n", [event("a")]),
        Case("an empty data line is an event", "data:\n\n", [event("")]),
        Case("empty data lines keep their line feeds", "data:\ndata:\ndata:\n\n", [event("\n\n")]),
        Case("an event without data is none, and its type is forgotten", "event: x\n\ndata: a\n\n", [event("a")]),
        Case("the last event field wins", "event: a\nevent: b\ndata: x\n\n", [event("x", type: "b")]),
        Case("an empty event field is the type message", "event:\ndata: x\n\n", [event("x")]),
        Case("the type holds for one event", "event: a\ndata: x\n\ndata: y\n\n", [event("x", type: "a"), event("y")]),
        // Identifiers.
        Case(
            "an id stays until another one", "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
            [event("a", id: "1"), event("b", id: "1"), event("c", id: "2")], lastEventID: "2"),
        Case("an id without data is remembered", "id: 9\n\n", [], lastEventID: "9"),
        Case("an id before its empty line is not yet set", "id: 9\ndata: a\n", []),
        Case(
            "an id with NUL is ignored", "id: 1\ndata: a\n\nid: a\u{0}b\ndata: b\n\n",
            [event("a", id: "1"), event("b", id: "1")], lastEventID: "1"),
        Case("an empty id resets", "id: 1\ndata: a\n\nid:\ndata: b\n\n", [event("a", id: "1"), event("b")]),
        // Reconnection time.
        Case("retry sets the reconnection time at once", "retry: 1500\n", [], retry: .milliseconds(1500)),
        Case("retry with other characters is ignored", "retry: 1s\nretry: -1\nretry: +1\nretry:\nretry: 1.5\n", []),
        Case(
            "a retry that overflows is a long time", "retry: 99999999999999999999\n", [], retry: .milliseconds(1 << 40)),
        Case("retry: 0", "retry: 0\n", [], retry: .zero),
    ]

    private static func check(_ example: Case, pieces: [Data]) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for piece in pieces { events += try parser.parse(piece) }
        #expect(events == example.events)
        #expect(parser.lastEventID == example.lastEventID)
        #expect(parser.reconnectionTime == example.reconnectionTime)
    }

    @Test(arguments: cases) func standard(_ example: Case) throws {
        try Self.check(example, pieces: [Data(example.stream)])
    }

    @Test(arguments: cases) func cutAnywhere(_ example: Case) throws {
        try Self.check(example, pieces: example.stream.map { Data([$0]) })
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20 { try Self.check(example, pieces: random.cut(Data(example.stream))) }
        // Slices whose indices do not start at zero.
        let padded = Data([1, 2, 3] + example.stream)
        try Self.check(example, pieces: [padded.dropFirst(3)])
    }

    @Test func tooLargeEvents() throws {
        var parser = ServerSentEventParser(maximumEventSize: 100)
        #expect(throws: BodyTooLarge.self) { try parser.parse(Data(repeating: 0x61, count: 200)) }
        parser = ServerSentEventParser(maximumEventSize: 100)
        #expect(throws: BodyTooLarge.self) {
            for _ in 0..<40 { _ = try parser.parse(Data("data: 123\n".utf8)) }
        }
        parser = ServerSentEventParser(maximumEventSize: 100)
        for _ in 0..<40 { #expect(try parser.parse(Data("data: 123\n\n".utf8)).count == 1) }
    }

    @Test func fuzz() throws {
        var random = SeededGenerator(seed: 1)
        let words = ["data", "event", "id", "retry", ":", " ", "\n", "\r", "\r\n", "\u{FEFF}", "1", "\u{0}", "é", "x"]
        for _ in 0..<400 {
            var stream = Data()
            for _ in 0..<Int.random(in: 0..<120, using: &random) {
                if Int.random(in: 0..<12, using: &random) == 0 {
                    stream.append(UInt8.random(in: 0...255, using: &random))
                } else {
                    stream.append(contentsOf: words[Int.random(in: 0..<words.count, using: &random)].utf8)
                }
            }
            var whole = ServerSentEventParser()
            let expected = try whole.parse(stream)
            var pieces = ServerSentEventParser()
            var events: [ServerSentEvent] = []
            for piece in random.cut(stream) { events += try pieces.parse(piece) }
            #expect(events == expected)
            #expect(pieces.lastEventID == whole.lastEventID)
            #expect(pieces.reconnectionTime == whole.reconnectionTime)
        }
    }
}
