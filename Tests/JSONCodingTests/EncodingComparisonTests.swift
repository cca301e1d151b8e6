import Foundation
import Testing

@testable import JSONCoding

/// What the encoder writes, with sorted keys, is what Foundation's writes.
@Suite struct EncodingComparisonTests {
    struct Everything: Codable, Equatable {
        enum Level: String, Codable { case low, high }
        enum Shape: Codable, Equatable { case circle(radius: Double), square(Double), empty }

        var intValue = -42
        var smallest = Int64.min
        var largest = UInt64.max
        var tiny: Int8 = -128
        var huge = Int128.max
        var flag = true
        var text = "quote \" slash / back \\ tab \t null \u{0} bell \u{7} é 🚀 \u{7F} \u{2028}"
        var ratio = 0.1
        var single: Float = 0.1
        var half: Float16 = 1.5
        var missing: Int?
        var present: Int? = 3
        var dates = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_700_000_000.75)]
        var early = Date(timeIntervalSince1970: -0.5)
        var data = Data([0, 1, 2, 250])
        var url = URL(string: "https://example.com/a/b?c=d")
        var decimal = Decimal(string: "1234567890.12345678901234567890")
        var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var level = Level.high
        var shapes = [Shape.circle(radius: 2), .square(1.5), .empty]
        var emptyList: [Int] = []
        var emptyMap: [String: Int] = [:]
        var strings = ["a", "b/c", "\""]
        var ints = [1, -2, 3]
        var doubles = [1.0, 2.5, 1e20, 1e-7, -0.0, 9_007_199_254_740_992, 123_456_789.125]
        var floats: [Float] = [1, 16_777_216, 1.5e10, 3.4e38]
        var bytes: [UInt8] = [1, 2, 3]
        var nested = [[1, 2], [], [3]]
        var optionals: [Int?] = [1, nil, 3]
        var counts = ["snake_key": 1, "camelKey": 2, "\"": 3]
        var numbered = [1: "one", 10: "ten"]
        var byLevel: [Level: Int] = [.low: 1]
    }

    static let formats: [(JSONEncoder.OutputFormatting, FastJSONEncoder.OutputFormatting)] = [
        ([.sortedKeys], [.sortedKeys]), ([.sortedKeys, .prettyPrinted], [.sortedKeys, .prettyPrinted]),
        ([.sortedKeys, .withoutEscapingSlashes], [.sortedKeys, .withoutEscapingSlashes]),
    ]

    private func expectSameEncoding<T: Encodable>(
        _ value: T, sourceLocation: SourceLocation = #_sourceLocation,
        _ configure: (JSONEncoder, inout FastJSONEncoder) -> Void = { _, _ in }
    ) {
        for (foundationFormat, fastFormat) in Self.formats {
            let foundation = JSONEncoder()
            var fast = FastJSONEncoder()
            configure(foundation, &fast)
            foundation.outputFormatting = foundationFormat
            fast.outputFormatting = fastFormat
            let expected = Self.outcome { String(decoding: try foundation.encode(value), as: UTF8.self) }
            let result = Self.outcome { String(decoding: try fast.encode(value), as: UTF8.self) }
            #expect(result == expected, sourceLocation: sourceLocation)
        }
    }

    private static func outcome(_ attempt: () throws -> String) -> String {
        do {
            return try attempt()
        } catch let EncodingError.invalidValue(_, context) {
            return "invalidValue at "
                + context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        } catch {
            return "\(error)"
        }
    }

    @Test func everything() {
        expectSameEncoding(Everything())
        expectSameEncoding([Everything(), Everything()]) { foundation, fast in
            foundation.keyEncodingStrategy = .convertToSnakeCase
            fast.keyEncodingStrategy = .convertToSnakeCase
            foundation.dateEncodingStrategy = .iso8601
            fast.dateEncodingStrategy = .iso8601
        }
        expectSameEncoding(["k": Everything()]) { foundation, fast in
            foundation.keyEncodingStrategy = .custom(CoderOptions.upperCased)
            fast.keyEncodingStrategy = .custom(CoderOptions.upperCased)
            foundation.dateEncodingStrategy = .millisecondsSince1970
            fast.dateEncodingStrategy = .millisecondsSince1970
            foundation.dataEncodingStrategy = .deferredToData
            fast.dataEncodingStrategy = .deferredToData
        }
        expectSameEncoding(Everything()) { foundation, fast in
            foundation.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(date.timeIntervalSince1970)
            }
            fast.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(date.timeIntervalSince1970)
            }
            foundation.dataEncodingStrategy = .custom { _, _ in }
            fast.dataEncodingStrategy = .custom { _, _ in }
        }
    }

    @Test func topLevelFragments() {
        expectSameEncoding(1)
        expectSameEncoding("x")
        expectSameEncoding(Int?.none)
        expectSameEncoding(true)
        expectSameEncoding(1.5)
        expectSameEncoding(Date(timeIntervalSince1970: 5))
        expectSameEncoding([String: Int]())
        expectSameEncoding([Int]())
        struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
        expectSameEncoding(Nothing())
        expectSameEncoding([Nothing()])
        expectSameEncoding(["a": Nothing()])
    }

    @Test func floatsWithoutNumbers() {
        struct Holder: Encodable { var values: [[Double]]; var single: Float? }
        for number in [Double.infinity, -.infinity, .nan] {
            expectSameEncoding(number)
            expectSameEncoding([number])
            expectSameEncoding(["a": number])
            expectSameEncoding(["a": [Holder(values: [[1], [number]], single: nil)]])
            expectSameEncoding(Holder(values: [], single: Float(number)))
            expectSameEncoding(Holder(values: [[number]], single: Float(number))) { foundation, fast in
                foundation.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
                fast.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            }
        }
    }

    @Test func floatingPointDigits() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { expectSameEncodingOnce(number) }
            let small = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            if small.isFinite { expectSameEncodingOnce(small) }
            expectSameEncodingOnce(Double(Int64(bitPattern: random.next()) >> Int64(random.next() % 60)))
            expectSameEncodingOnce(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
            expectSameEncodingOnce(random.next() >> (random.next() % 64))
        }
        for exponent in 0...19 {
            let power = (0..<exponent).reduce(UInt64(1)) { power, _ in power * 10 }
            expectSameEncodingOnce(power)
            expectSameEncodingOnce(power - 1)
            expectSameEncodingOnce(Double(power))
        }
        expectSameEncodingOnce(UInt64.max)
        expectSameEncodingOnce(Int64.min)
        expectSameEncodingOnce(Int128.min)
    }

    private func expectSameEncodingOnce<T: Encodable>(_ value: T) {
        let expected = Self.outcome { String(decoding: try JSONEncoder().encode(value), as: UTF8.self) }
        let result = Self.outcome { String(decoding: try FastJSONEncoder().encode(value), as: UTF8.self) }
        #expect(result == expected)
    }

    @Test func membersComeInTheOrderOfEncoding() throws {
        struct Ordered: Encodable { var zebra = 1, apple = 2, mango = 3 }
        let text = String(decoding: try FastJSONEncoder().encode(Ordered()), as: UTF8.self)
        #expect(text == #"{"zebra":1,"apple":2,"mango":3}"#)
    }
}

/// The same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
