import Foundation
import Testing

@testable import JSONCoding

/// The grammar of RFC 8259, section by section.
@Suite struct StrictnessTests {
    static let wellFormed: [String] = [
        // Section 2: white space around tokens; any value at the top level.
        "null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n[ \t\r\n]\n", "\n{ } ",
        "[\n                                1\n]",
        // Sections 4 and 5.
        #"{"":0}"#, #"{"a":{"b":[{}]}}"#, #"{"a":1,"a":2}"#, "[[[[[[]]]]]]", "[1 , 2]", #"{ "a" : 1 , "b" : 2 }"#,
        // Section 6.
        "-0", "0.0", "10", "123456789012345678901234567890", "1e5", "1E+5", "1e-5", "0e0", "-0.5e-10", "1.0E0",
        // Section 7.
        #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u20AC""#, #""\ud834\udd1e""#, #""\uDBFF\uDFFF""#, "\"\u{7F}\"",
        "\"é€𝄞\u{10FFFF}\u{FFFF}\u{2028}\"", "\"\u{E000}\u{D7FF}\"", #"{"\u0061":"b"}"#,
        #""a long string without anything special in it, longer than several words""#,
    ]

    static let malformed: [(String, JSONSyntaxError.Reason)] = [
        ("", .unexpectedEnd), (" ", .unexpectedEnd), ("\n\n", .unexpectedEnd), ("[", .unexpectedEnd),
        ("{", .unexpectedEnd),
        ("[1", .unexpectedEnd), ("[1,", .unexpectedEnd), (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd),
        (#"{"a":1"#, .unexpectedEnd), (#"{"a":1,"#, .unexpectedEnd), (#""abc"#, .unexpectedEnd),
        (#""abc\"#, .invalidEscape),
        ("nul", .unexpectedByte(0x6E)), ("tru", .unexpectedByte(0x74)), ("fals", .unexpectedByte(0x66)),
        ("nulL", .unexpectedByte(0x6E)), ("True", .unexpectedByte(0x54)), ("undefined", .unexpectedByte(0x75)),
        ("truee", .trailingContent), ("nullnull", .trailingContent), ("1 2", .trailingContent),
        ("[] []", .trailingContent),
        ("{}}", .trailingContent), ("[]]", .trailingContent), ("null\u{0}", .trailingContent),
        ("[1,]", .unexpectedByte(0x5D)), ("[,1]", .unexpectedByte(0x2C)), ("[,]", .unexpectedByte(0x2C)),
        ("[1,,2]", .unexpectedByte(0x2C)), ("[1 2]", .commaOrEndExpected), ("[1}", .commaOrEndExpected),
        ("[1:2]", .commaOrEndExpected), ("]", .unexpectedByte(0x5D)), ("}", .unexpectedByte(0x7D)),
        (#"{"a":1,}"#, .nameExpected), (#"{,"a":1}"#, .nameExpected), (#"{a:1}"#, .nameExpected),
        (#"{'a':1}"#, .nameExpected),
        (#"{1:1}"#, .nameExpected), (#"{null:1}"#, .nameExpected), (#"{"a" 1}"#, .colonExpected),
        (#"{"a",1}"#, .colonExpected),
        (#"{"a"}"#, .colonExpected), (#"{"a":}"#, .unexpectedByte(0x7D)), (#"{"a":1 "b":2}"#, .commaOrEndExpected),
        (#"{"a":1]"#, .commaOrEndExpected), (#"{"a"::1}"#, .unexpectedByte(0x3A)), ("{[]:1}", .nameExpected),
        ("01", .invalidNumber), ("-01", .invalidNumber), ("1.", .invalidNumber), (".5", .unexpectedByte(0x2E)),
        ("-", .invalidNumber), ("-a", .invalidNumber), ("+1", .unexpectedByte(0x2B)), ("1e", .invalidNumber),
        ("1e+", .invalidNumber), ("1.e5", .invalidNumber), ("1.5e", .invalidNumber), ("0x10", .trailingContent),
        ("1_000", .trailingContent), ("--1", .invalidNumber), ("1.5.5", .trailingContent),
        ("NaN", .unexpectedByte(0x4E)),
        ("Infinity", .unexpectedByte(0x49)), ("-Infinity", .invalidNumber), ("00", .invalidNumber),
        ("-00", .invalidNumber),
        (#""\a""#, .invalidEscape), (#""\'""#, .invalidEscape), (#""\u12""#, .invalidEscape),
        (#""\u123g""#, .invalidEscape),
        (#""\U0041""#, .invalidEscape), (#""\x41""#, .invalidEscape), (#""\0""#, .invalidEscape),
        ("\"\\\n\"", .invalidEscape),
        (#""\ud800""#, .loneSurrogate), (#""\udc00""#, .loneSurrogate), (#""\ud800\ud800""#, .loneSurrogate),
        (#""\ud800x""#, .loneSurrogate), (#""\ud800\n""#, .loneSurrogate), (#""\udc00\ud800""#, .loneSurrogate),
        (#"{"\ud800":1}"#, .loneSurrogate), (#""\ud800\u00""#, .loneSurrogate),
        ("\"\u{0}\"", .controlCharacter), ("\"\n\"", .controlCharacter), ("\"\t\"", .controlCharacter),
        ("\"\u{1F}\"", .controlCharacter), ("{\"a\u{1}\":1}", .controlCharacter),
        ("[1]//c", .trailingContent), ("/*c*/[1]", .unexpectedByte(0x2F)), ("'a'", .unexpectedByte(0x27)),
        ("\u{A0}1", .unexpectedByte(0xC2)), ("1\u{2028}", .trailingContent), ("\u{B}1", .unexpectedByte(0x0B)),
        ("\u{C}1", .unexpectedByte(0x0C)),
    ]

    static let malformedUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
        [0xFF],
        [0xC3, 0xA9, 0xA9],
    ]

    private func reason(_ bytes: [UInt8]) -> JSONSyntaxError.Reason? {
        do {
            _ = try FastJSONDecoder().decode(JSONValue.self, from: bytes)
            return nil
        } catch let error as DecodingError {
            guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return nil }
            return (context.underlyingError as? JSONSyntaxError)?.reason
        } catch {
            return nil
        }
    }

    @Test(arguments: wellFormed)
    func accepts(json: String) throws {
        let value = try FastJSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        // The judge of what it means.
        #expect(
            try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) == value || json.contains("e")
                || json.count > 20)
        #expect(try FastJSONDecoder().decode(JSONValue.self, from: FastJSONEncoder().encode(value)) == value)
    }

    @Test(arguments: malformed)
    func refuses(json: String, expected: JSONSyntaxError.Reason) {
        #expect(reason(Array(json.utf8)) == expected, "\(json)")
        // Also where nobody decodes it.
        let inside = Array(#"{"id":1,"unused":["#.utf8) + Array(json.utf8) + Array("]}".utf8)
        struct Identified: Decodable { let id: Int }
        if !["", " ", "\n\n", "[]]", "{}}"].contains(json) {
            #expect(throws: DecodingError.self, "\(json)") {
                try FastJSONDecoder().decode(Identified.self, from: inside)
            }
        }
    }

    @Test(arguments: malformedUTF8)
    func refusesMalformedUTF8(bytes: [UInt8]) {
        for padding in [0, 1, 5, 7, 8, 9, 31] {
            let text = Array(repeating: UInt8(ascii: "x"), count: padding)
            #expect(reason([0x22] + text + bytes + [0x22]) == .invalidUTF8)
            #expect(reason([0x22] + bytes + text + [0x22]) == .invalidUTF8)
            #expect(reason([0x7B, 0x22] + text + bytes + Array(#"":1}"#.utf8)) == .invalidUTF8)
        }
        #expect(reason(bytes) != nil)
        #expect(reason([0x5B, 0x31] + bytes + [0x5D]) != nil)
        #expect(reason([0x22] + bytes) != nil)
    }

    @Test func otherEncodingsAreRefusedAndAByteOrderMarkIsSkipped() throws {
        #expect(try FastJSONDecoder().decode([Int].self, from: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
        #expect(reason([0xEF, 0xBB, 0xBF]) == .unexpectedEnd)
        #expect(reason([0xEF, 0xBB]) != nil)
        #expect(reason([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31]) != nil)
        #expect(reason([0xFE, 0xFF, 0, 0x31]) != nil)
        #expect(reason([0xFF, 0xFE, 0x31, 0]) != nil)
        #expect(reason([0, 0x31]) != nil)
        #expect(reason([0x31, 0]) != nil)
    }

    @Test func depthAndSizeHaveLimits() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
        }
        #expect(reason(nested(512)) == nil)
        #expect(reason(nested(513)) == .tooDeep(limit: 512))
        // Far deeper than any stack, on the way in.
        #expect(reason(Array(repeating: 0x5B, count: 1_000_000)) == .tooDeep(limit: 512))
        var decoder = FastJSONDecoder()
        decoder.maximumDepth = 0
        #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Array("[]".utf8)) }
        #expect(throws: Never.self) { try decoder.decode(Int.self, from: Array("1".utf8)) }
        decoder.maximumDepth = 3000
        #expect(throws: Never.self) { try decoder.decode([Level].self, from: nested(2000)) }
        decoder.maximumByteCount = 3
        #expect(throws: Never.self) { try decoder.decode([Int].self, from: Array("[1]".utf8)) }
        #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Array("[12]".utf8)) }
    }

    private struct Level: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    @Test func errorsKnowTheirPlace() {
        func location(_ json: String) -> JSONSourceLocation? {
            struct Item: Decodable { let count: Int }
            do {
                _ = try FastJSONDecoder().decode([Item].self, from: Data(json.utf8))
            } catch let error as DecodingError {
                return error.jsonLocation
            } catch {}
            return nil
        }
        #expect(
            location("[\n  {\"count\": 1},\n  {\"count\": \"é\"}\n]")
                == JSONSourceLocation(offset: 30, line: 3, column: 13))
        #expect(location("[{\"é\":1,\"count\":true}]") == JSONSourceLocation(offset: 17, line: 1, column: 17))
        #expect(location("[\n{}\n]") == JSONSourceLocation(offset: 2, line: 2, column: 1))
        #expect(location("[\n\n{\"count\":1.5}]") == JSONSourceLocation(offset: 12, line: 3, column: 10))
        #expect(location("[{\"count\":1},]") == JSONSourceLocation(offset: 13, line: 1, column: 14))
        #expect(location("") == JSONSourceLocation(offset: 0, line: 1, column: 1))
        #expect(location("\u{FEFF}[x") == JSONSourceLocation(offset: 4, line: 1, column: 2))
        #expect(location("{\n \"a\":\"b\nc\"}") == JSONSourceLocation(offset: 9, line: 2, column: 8))
    }

    @Test func messagesSayWhatAndWhere() {
        struct Item: Decodable { let count: UInt8 }
        do {
            _ = try FastJSONDecoder().decode([Item].self, from: Data("[{\"count\":300}]".utf8))
            Issue.record("300 is no UInt8")
        } catch {
            #expect("\(error)".contains("Number 300 at [0].count is not representable as UInt8"))
        }
        do {
            _ = try FastJSONDecoder().decode([Item].self, from: Data("[\n'".utf8))
            Issue.record("malformed")
        } catch {
            #expect("\(error)".contains("unexpected character ''' (line 2, column 1)"))
        }
    }
}
