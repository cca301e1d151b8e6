import Foundation
import Testing

@testable import JSONCoding

/// Documents by hand where decoders tend to differ. Foundation's decoder is the judge.
@Suite struct DecodingComparisonTests {
    struct Scalars: Decodable {
        var int: Int?, int8: Int8?, uint: UInt?, uint64: UInt64?, double: Double?, float: Float?
        var bool: Bool?, string: String?
    }
    struct Required<Value: Decodable>: Decodable { let value: Value }
    struct Pair: Decodable { let first: Required<Int>, second: [Required<String>] }
    enum Shape: Decodable { case circle(radius: Double), square(Double), empty }
    enum Level: String, Decodable { case low, high }
    enum Rank: Int, Decodable { case one = 1, two = 2 }

    @Test(arguments: [
        #"{"value":1}"#, #"{"value":1.0}"#, #"{"value":1e1}"#, #"{"value":1.5}"#, #"{"value":300}"#, #"{"value":-1}"#,
        #"{"value":-0}"#, #"{"value":-0.0}"#, #"{"value":null}"#, #"{"value":"1"}"#, #"{"value":true}"#,
        #"{"value":false}"#, #"{"value":[]}"#, #"{"value":{}}"#, #"{}"#, #"[]"#, "null", "1", #""x""#,
        #"{"value":9223372036854775807}"#, #"{"value":9223372036854775808}"#, #"{"value":18446744073709551615}"#,
        #"{"value":18446744073709551616}"#, #"{"value":-9223372036854775808}"#, #"{"value":-9223372036854775809}"#,
        #"{"value":9007199254740993}"#, #"{"value":9007199254740993.0}"#, #"{"value":1e400}"#,
        #"{"value":0e-400}"#, #"{"value":0.1}"#, #"{"value":3.4028236e38}"#, #"{"value":1e39}"#, #"{"value":1e-46}"#,
        #"{"value":"inf"}"#, #"{"value":"nan"}"#, #"{"value":1,"value":2}"#, #"{"value":"a\u0041\n\ud83d\ude00é"}"#,
        #"{"val\u0075e":1}"#, #"{"Value":1}"#, #"{"value ":1}"#, #"{"value":"aGk="}"#, #"{"value":"aGk"}"#,
        #"{"value":"http://a/b?c#d"}"#, #"{"value":""}"#, #"{"value":[1,2]}"#, #"{"value":["a",null]}"#,
        #"{"value":[1,"x"]}"#, #"{"value":[null]}"#, #"{"value":{"a":1}}"#, #"{"value":{"a":"x"}}"#,
        #"{"value":{"a_b":1,"aB":2}}"#, #"{"value":{"1":1}}"#, #"{"value":"low"}"#, #"{"value":"none"}"#,
        #"{"value":{"circle":{"radius":2}}}"#, #"{"value":{"square":{"_0":2}}}"#, #"{"value":{"empty":{}}}"#,
        #"{"value":{"circle":{}}}"#, #"{"value":{"circle":{"radius":2},"empty":{}}}"#, #"{"value":{"other":{}}}"#,
        #"{"value":123456789012345678901234567890}"#, #"{"value":170141183460469231731687303715884105727}"#,
        #"{"value":1.7976931348623157e308}"#, #"{"value":5e-324}"#, #"{"value":2.2250738585072011e-308}"#,
        #"{"value":123456789.123456789123456789}"#, #"{"value":"1970-01-01T00:00:01Z"}"#, #"{"value":"1.5"}"#,
    ])
    func everyTypeOfValue(json: String) {
        for options in [
            CoderOptions.plain, .snakeCase, CoderOptions(keys: .plain, dates: .iso8601),
            CoderOptions(dates: .seconds, data: .deferred, convertsFloats: true), CoderOptions(dates: .milliseconds),
            CoderOptions(dates: .custom),
        ] {
            expectSameDecoding(Required<Int>.self, json, options)
            expectSameDecoding(Required<Int8>.self, json, options)
            expectSameDecoding(Required<UInt>.self, json, options)
            expectSameDecoding(Required<UInt64>.self, json, options)
            expectSameDecoding(Required<Int128>.self, json, options)
            expectSameDecoding(Required<Double>.self, json, options)
            expectSameDecoding(Required<Float>.self, json, options)
            expectSameDecoding(Required<Bool>.self, json, options)
            expectSameDecoding(Required<String>.self, json, options)
            expectSameDecoding(Required<String?>.self, json, options)
            expectSameDecoding(Required<Decimal>.self, json, options)
            expectSameDecoding(Required<Data>.self, json, options)
            expectSameDecoding(Required<URL>.self, json, options)
            expectSameDecoding(Required<UUID>.self, json, options)
            expectSameDecoding(Required<Float16>.self, json, options)
            expectSameDecoding(Required<[Int]>.self, json, options)
            expectSameDecoding(Required<[String]>.self, json, options)
            expectSameDecoding(Required<[String?]>.self, json, options)
            expectSameDecoding(Required<[Double]>.self, json, options)
            expectSameDecoding(Required<[Bool]>.self, json, options)
            expectSameDecoding(Required<[UInt8]>.self, json, options)
            expectSameDecoding(Required<[Required<Int>]>.self, json, options)
            expectSameDecoding(Required<Shape>.self, json, options)
            expectSameDecoding(Required<Level>.self, json, options)
            expectSameDecoding(Required<Rank>.self, json, options)
            expectSameDecoding(Required<Required<Int>>.self, json, options)
            expectSameDecoding(Pair.self, json, options)
        }
    }

    /// Dates at whose failure Foundation names the parent's path are compared without it.
    @Test(arguments: [
        #"{"value":1}"#, #"{"value":"x"}"#, #"{"value":null}"#, #"{"value":"1970-01-01T00:00:01+01:00"}"#, "{}",
    ])
    func dates(json: String) {
        for dates in [CoderOptions.Dates.deferred, .seconds, .milliseconds, .custom] {
            expectSameDecoding(Required<Date>.self, json, CoderOptions(dates: dates))
            expectSameDecoding(Required<Date?>.self, json, CoderOptions(dates: dates))
        }
    }

    @Test(arguments: [
        #"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"a":1,"a":"x"}"#, #"{"a":"x"}"#, #"{"7":1}"#, #"{"1":"x"}"#, #"{"low":1}"#,
        #"{"a":null}"#, "[]", "null",
        #"["a",1]"#, #"[1,2,3]"#, #"{"snake_case":1}"#, #"{"_x_y_":3}"#, #"{"snake_case":"x"}"#,
    ])
    func dictionaries(json: String) {
        for options in [CoderOptions.plain, .snakeCase, CoderOptions(keys: .upperCased)] {
            for text in [json, #"{"value":\#(json)}"#] {
                expectEqualDecoding([String: Int].self, text, options)
                expectEqualDecoding([Int: Int].self, text, options)
                expectEqualDecoding([String: [String: Int]].self, text, options)
                expectEqualDecoding([Int: String].self, text, options)
                expectEqualDecoding([String: [Int: Int]].self, text, options)
                expectEqualDecoding([Level: Int].self, text, options)
            }
        }
    }

    @Test func scalarsOfOptionals() {
        for json in [
            #"{"int":1,"int8":2,"uint":3,"uint64":4,"double":5.5,"float":6.5,"bool":true,"string":"x"}"#,
            #"{"string":"x","bool":false,"float":1,"double":2,"uint64":3,"uint":4,"int8":5,"int":6}"#,
            #"{"int":null,"string":null,"unknown":[{"a":[1,2,{"b":null}]}],"bool":null,"double":null}"#,
            #"{"x":{"int":1},"int":7,"y":"int","string":"z"}"#, #"{}"#, #"{"int":"x"}"#, #"{"double":"x"}"#,
        ] {
            expectSameDecoding(Scalars.self, json)
            expectSameDecoding([Scalars].self, "[\(json),\(json)]")
            expectSameDecoding([String: Scalars].self, #"{"k":\#(json)}"#)
        }
    }

    @Test(arguments: [1, 510, 511, 512, 513, 514])
    func depthLimit(depth: Int) {
        let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        expectSameDecoding(Bool.self, json)
    }
}
