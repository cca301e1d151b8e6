import APICore
import Foundation
import Testing

struct JSONLinesParserTests {
    private func records(_ pieces: [Data]) throws -> [String] {
        var parser = JSONLinesParser()
        var records: [Data] = []
        for piece in pieces { records += try parser.parse(piece) }
        if let last = parser.finish() { records.append(last) }
        return records.map { String(decoding: $0, as: UTF8.self) }
    }

    static let cases: [(name: String, stream: String, records: [String])] = [
        ("one record a line", "{\"a\":1}\n{\"a\":2}\n", ["{\"a\":1}", "{\"a\":2}"]),
        ("the last line needs no end", "1\n2", ["1", "2"]),
        ("CR LF", "1\r\n2\r\n", ["1", "2"]),
        ("CR LF missing at the end", "1\r\n2", ["1", "2"]),
        ("empty lines are skipped", "\n1\n\n \t\r\n2\n\n", ["1", "2"]),
        ("a byte order mark is dropped", "\u{FEFF}1\n2\n", ["1", "2"]),
        ("nothing", "", []),
        ("line separators of Unicode do not separate", "\"a\u{2028}b\u{85}\"\n", ["\"a\u{2028}b\u{85}\""]),
    ]

    @Test(arguments: cases) func lines(_ example: (name: String, stream: String, records: [String])) throws {
        let data = Data(example.stream.utf8)
        #expect(try records([data]) == example.records)
        #expect(try records(data.map { Data([$0]) }) == example.records)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10 { #expect(try records(random.cut(data)) == example.records) }
    }

    @Test func tooLargeRecords() throws {
        var parser = JSONLinesParser(maximumRecordSize: 10)
        #expect(try parser.parse(Data("1234567890\n".utf8)).count == 1)
        #expect(throws: BodyTooLarge.self) { try parser.parse(Data("12345678901".utf8)) }
    }

    @Test func fuzz() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let data = Data(
                (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                    [0x0A, 0x0D, 0x20, 0x31, 0xEF, 0xBB, 0xBF, 0x00].randomElement(using: &random) ?? 0
                })
            #expect(try records([data]) == records(random.cut(data)))
        }
    }
}

/// RFC 7464.
struct JSONSequenceParserTests {
    typealias Record = JSONSequenceParser.Record

    private func records(_ pieces: [Data]) throws -> [Record] {
        var parser = JSONSequenceParser()
        var records: [Record] = []
        for piece in pieces { records += try parser.parse(piece) }
        if let last = parser.finish() { records.append(last) }
        return records
    }

    private static func text(_ text: String) -> Record { .text(Data(text.utf8)) }
    private static func cut(_ text: String) -> Record { .truncated(Data(text.utf8)) }

    static let cases: [(name: String, stream: String, records: [Record])] = [
        (
            "section 2.2: separator, text, line feed", "\u{1E}{\"a\":1}\n\u{1E}[]\n",
            [text("{\"a\":1}\n"), text("[]\n")]
        ),
        ("section 2.3: separators in a row are one", "\u{1E}\u{1E}\u{1E}{}\n\u{1E}\u{1E}", [text("{}\n")]),
        ("section 2.3: bytes before the first separator", "{}\n\u{1E}[]\n", [cut("{}\n"), text("[]\n")]),
        ("section 2.3: a text that was cut off", "\u{1E}{\"a\":\u{1E}[1]\n", [cut("{\"a\":"), text("[1]\n")]),
        ("section 2.4: a number without white space", "\u{1E}12\u{1E}12\n", [cut("12"), text("12\n")]),
        ("section 2.4: a number at the end of the stream", "\u{1E}12", [cut("12")]),
        (
            "section 2.4: true, false and null", "\u{1E}tru\u{1E}null\n\u{1E}false ",
            [cut("tru"), text("null\n"), text("false ")]
        ),
        ("section 2.4: an object says itself where it ends", "\u{1E}{}", [text("{}")]),
        ("a text may hold line feeds", "\u{1E}{\n\"a\":\n1\n}\n", [text("{\n\"a\":\n1\n}\n")]),
        ("brackets and quotes inside strings", "\u{1E}[\"]\\\"}\\\\\"]\n", [text("[\"]\\\"}\\\\\"]\n")]),
        ("nothing", "", []),
        ("white space alone", "\u{1E} \n\u{1E}\n", []),
    ]

    @Test(arguments: cases) func sequence(_ example: (name: String, stream: String, records: [Record])) throws {
        let data = Data(example.stream.utf8)
        #expect(try records([data]) == example.records)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10 { #expect(try records(random.cut(data)) == example.records) }
    }

    @Test func aTextIsGivenOutBeforeTheNextOneStarts() throws {
        var parser = JSONSequenceParser()
        #expect(try parser.parse(Data("\u{1E}{\"a\":1".utf8)).isEmpty)
        #expect(try parser.parse(Data("}\n".utf8)) == [Self.text("{\"a\":1}\n")])
        #expect(try parser.parse(Data("\u{1E}1".utf8)).isEmpty)
        #expect(try parser.parse(Data("2\n".utf8)) == [Self.text("12\n")])
    }

    @Test func tooLargeTexts() throws {
        var parser = JSONSequenceParser(maximumRecordSize: 10)
        #expect(throws: BodyTooLarge.self) { try parser.parse(Data("\u{1E}[1,2,3,4,5,6,7]".utf8)) }
    }

    @Test func fuzz() throws {
        var random = SeededGenerator(seed: 9)
        let bytes = Array("\u{1E}\u{1E}{}[]\"\\\n 12,:truefals".utf8) + [0xFF, 0]
        for _ in 0..<300 {
            let data = Data(
                (0..<Int.random(in: 0..<150, using: &random)).map { _ in
                    bytes.randomElement(using: &random) ?? 0
                })
            // Where a text is given out early depends on the cuts; what is in the texts may not.
            let whole = try records([data]).map { $0.bytes }.reduce(Data(), +)
            let cut = try records(random.cut(data)).map { $0.bytes }.reduce(Data(), +)
            #expect(whole.filter { !$0.isWhite } == cut.filter { !$0.isWhite })
        }
    }
}

extension JSONSequenceParser.Record {
    var bytes: Data {
        switch self {
        case .text(let data), .truncated(let data): data
        }
    }
}

extension UInt8 {
    fileprivate var isWhite: Bool { self == 0x20 || self == 0x0A }
}
