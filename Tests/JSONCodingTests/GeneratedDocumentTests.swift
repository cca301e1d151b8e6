import Foundation
import Testing

@testable import JSONCoding

/// Documents made up from a seed, decoded as types they often fit, by both decoders.
@Suite struct GeneratedDocumentTests {
    /// Values that are sometimes what a type asks for.
    struct Generator {
        var random: SeededGenerator

        mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

        mutating func pick<T>(_ options: [T]) -> T { options[below(options.count)] }

        mutating func space() -> String { pick(["", "", "", " ", "\n  ", "\t", "          \n"]) }

        mutating func string() -> String {
            let parts = [
                "a", "key", "é", "🚀", #"\n"#, #"\u0041"#, #"\ud83d\ude80"#, "long enough for the heap", #"\""#, "/",
                "-1",
            ]
            return "\"" + (0..<below(4)).map { _ in pick(parts) }.joined() + "\""
        }

        mutating func number() -> String {
            pick([
                "0", "-0", "1", "-1", "127", "128", "255", "256", "-128", "-129", "2147483647", "9007199254740993",
                "9223372036854775807", "9223372036854775808", "18446744073709551615", "1.0", "1.5", "-2.25", "1e2",
                "1E-2",
                "0.1", "123456.789012", "1e15", "1e16", "123456789012345678", "3.141592653589793238",
                "0.000001", "1e300", "-1e-300", "1.00000000000000000000",
                "\(below(1_000_000))", "\(below(1000)).\(below(100_000))",
                "-\(below(1000)).\(below(1_000_000_000))e\(below(20))",
            ])
        }

        mutating func scalar() -> String {
            switch below(8) {
            case 0: "null"
            case 1: pick(["true", "false"])
            case 2, 3, 4: number()
            default: string()
            }
        }

        mutating func value(_ depth: Int) -> String {
            if depth == 0 || below(3) == 0 { return scalar() }
            return below(2) == 0 ? array(depth) : object(depth)
        }

        mutating func array(_ depth: Int) -> String {
            let elements = (0..<below(4)).map { _ in space() + value(depth - 1) + space() }
            return "[" + elements.joined(separator: ",") + (elements.isEmpty ? space() : "") + "]"
        }

        mutating func object(_ depth: Int) -> String {
            let names = [
                "id", "name", "first_name", "firstName", "items", "child", "flag", "ratio", "x_", "_y", "other",
            ]
            let members = (0..<below(9)).map { _ in
                let name = pick(names)
                return space() + "\"\(name)\"" + space() + ":" + space() + member(name, depth) + space()
            }
            return "{" + members.joined(separator: ",") + "}"
        }

        private mutating func member(_ name: String, _ depth: Int) -> String {
            if below(5) == 0 { return value(depth - 1) }
            switch name {
            case "id": return number()
            case "name", "first_name", "firstName": return string()
            case "items":
                return "[" + (0..<below(3)).map { _ in object(max(1, depth - 1)) }.joined(separator: ",") + "]"
            case "child": return below(2) == 0 ? "null" : object(max(1, depth - 1))
            case "flag": return pick(["true", "false"])
            case "ratio": return number()
            default: return value(depth - 1)
            }
        }
    }

    final class Node: Decodable, CustomReflectable {
        let id: Int?
        let name: String?
        let firstName: String?
        let items: [Node]?
        let child: Node?
        let flag: Bool?
        let ratio: Double?

        var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "id": id as Any, "name": name as Any, "firstName": firstName as Any, "items": items as Any,
                    "child": child as Any, "flag": flag as Any, "ratio": ratio as Any,
                ])
        }
    }

    struct Strict: Decodable {
        let name: String
        let id: UInt8
        let ratio: Float
        let items: [Strict]?
        let x_: Int?
        let _y: [String: Double]?
    }

    @Test(arguments: 0..<8)
    func bothDecodersAgree(seed: Int) {
        var generator = Generator(random: SeededGenerator(seed: UInt64(seed)))
        for _ in 0..<60 {
            let object = generator.object(4)
            let array = "[\(generator.object(3)),\(generator.object(3))]"
            for options in [CoderOptions.plain, .snakeCase, CoderOptions(keys: .upperCased)] {
                compare(Node.self, object, options)
                compare([Node].self, array, options)
                compare(Strict.self, object, options)
                compare([Strict].self, array, options)
            }
            expectEqualDecoding(JSONValue.self, object)
        }
    }

    /// Compares what was decoded member by member, in an order that is the same every time.
    private func compare<T: Decodable>(_ type: T.Type, _ json: String, _ options: CoderOptions) {
        let data = Data(json.utf8)
        let fast = Outcome { try Dump(options.fastDecoder.decode(type, from: data)) }
        let foundation = Outcome { try Dump(options.foundationDecoder.decode(type, from: data)) }
        #expect(fast == foundation, "\(type) from \(json) with \(options)")
    }

    private struct Dump: CustomDebugStringConvertible {
        var debugDescription = ""

        init(_ value: Any) {
            if let dictionary = value as? [String: Double] {
                debugDescription = "\(dictionary.sorted { $0.key < $1.key })"
                return
            }
            let children = Mirror(reflecting: value).children
            debugDescription =
                children.isEmpty
                ? "\(value)"
                : children.map { "\($0.label ?? ""):\(Dump($0.value).debugDescription)" }.joined(separator: ",")
        }
    }

    @Test func doublesAreCorrectlyRounded() throws {
        var random = SeededGenerator(seed: 5)
        func check(_ text: String) throws {
            // The standard library's parser is the judge.
            if let expected = Double(text), expected.isFinite, expected != 0 {
                #expect(
                    try FastJSONDecoder().decode(Double.self, from: Data(text.utf8)).bitPattern == expected.bitPattern,
                    "\(text)")
            }
            if let expected = Float(text), expected.isFinite, expected != 0 {
                #expect(
                    try FastJSONDecoder().decode(Float.self, from: Data(text.utf8)).bitPattern == expected.bitPattern,
                    "\(text)")
            }
        }
        for _ in 0..<1500 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { try check(number.description) }
            let digits = String(random.next() >> (random.next() % 60))
            let point = Int(random.next() % UInt64(digits.count + 1))
            let whole = digits.prefix(point)
            try check((whole.isEmpty ? "0" : String(whole)) + "." + digits.dropFirst(point) + "0")
            // Half way between two doubles, or floats, and next to it.
            let base = Double(random.next() >> 11) * 2 + 1
            try check("\(Int(base)).5")
            let single = Float(Int(random.next() >> 40)) + 0.5
            try check("\(single)")
            try check("\(Double(single) + Double(single.ulp) / 2)")
        }
        for text in [
            "9007199254740993", "9007199254740992.5", "9007199254740993.0", "0.5000000000000000001",
            "8589934592.5000000001",
            "9999999999999999999", "0.1000000000000000055", "5e-324", "2.4703282292062327e-324",
            "1.7976931348623158e308",
            "4503599627370496.5", "4503599627370497.5", "16777217", "16777217.0000001", "0.3333333333333333333",
            "1844674407370955161.5", "0.0000000000000000001", "9223372036854775807.5",
        ] {
            try check(text)
            try check("-" + text)
        }
        #expect(try FastJSONDecoder().decode(Double.self, from: Data("-0.0".utf8)).sign == .minus)
        #expect(try FastJSONDecoder().decode(Double.self, from: Data("-0".utf8)).sign == .minus)
    }

    @Test func integersAreExactOrRefused() throws {
        func decode<T: Decodable>(_ text: String, _ type: T.Type) -> T? {
            try? FastJSONDecoder().decode(type, from: Data(text.utf8))
        }
        #expect(decode("9007199254740993.0", Int.self) == 9_007_199_254_740_993)
        #expect(decode("9223372036854775807000e-3", Int.self) == .max)
        #expect(decode("0.5e1", Int.self) == 5)
        #expect(decode("1.0000000000000001", Int.self) == nil)
        #expect(decode("1e-400", Int.self) == nil)
        #expect(decode("1e400", Int.self) == nil)
        #expect(decode("0e999999999999999999999", Int.self) == 0)
        #expect(decode("1e999999999999999999999", Int.self) == nil)
        #expect(decode("1e-999999999999999999999", Int.self) == nil)
        #expect(decode("340282366920938463463374607431768211455", UInt128.self) == .max)
        #expect(decode("340282366920938463463374607431768211456", UInt128.self) == nil)
        #expect(decode("-170141183460469231731687303715884105728", Int128.self) == .min)
        #expect(decode("-1", UInt.self) == nil)
        #expect(decode("-0", UInt.self) == 0)
        #expect(decode("100000000000000000000", Decimal.self) == Decimal(string: "100000000000000000000"))
    }
}
