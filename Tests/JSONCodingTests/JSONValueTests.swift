import Foundation
import Testing

@testable import JSONCoding

@Suite struct JSONValueTests {
    private func decode(_ json: String) throws -> JSONValue {
        try FastJSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test func keepsDigitsAndOrder() throws {
        let json = #"{"z":1.10,"a":[123456789012345678901234567890,-0.0,1e-7,null,true,false,"x/\"é"],"m":{},"e":[]}"#
        #expect(try decode(json).description == json)
    }

    @Test func equalityIsThatOfValues() throws {
        #expect(try decode(#"{"a":1,"b":[2]}"#) == decode(#"{"b":[2.0],"a":10e-1}"#))
        #expect(try decode(#"{"a":1,"b":[2]}"#).hashValue == decode(#"{"b":[2.0],"a":10e-1}"#).hashValue)
        #expect(try decode("[1,2]") != decode("[2,1]"))
        #expect(try decode("1") != decode("-1"))
        #expect(try decode("0") == decode("-0.00e9"))
        #expect(try decode("100") == decode("1e2"))
        #expect(try decode("100") != decode("1e3"))
        #expect(try decode("9007199254740993") != decode("9007199254740992"))
    }

    @Test func access() throws {
        let value = try decode(#"{"a":{"b":[1,2.5,"x",true,null]},"big":18446744073709551615}"#)
        #expect(value["a"]?["b"]?[0]?.intValue == 1)
        #expect(value["a"]?["b"]?[1]?.doubleValue == 2.5)
        #expect(value["a"]?["b"]?[1]?.intValue == nil)
        #expect(value["a"]?["b"]?[2]?.stringValue == "x")
        #expect(value["a"]?["b"]?[3]?.boolValue == true)
        #expect(value["a"]?["b"]?[4]?.isNull == true)
        #expect(value["a"]?["b"]?[5] == nil)
        #expect(value["a"]?["b"]?[-1] == nil)
        #expect(value["c"] == nil)
        #expect(value["big"]?.intValue == nil)
        #expect(value["big"]?.numberValue?.integer(UInt64.self) == .max)
        #expect(value["big"]?.numberValue?.decimal == Decimal(UInt64.max))
        #expect(value.objectValue?.names == ["a", "big"])
    }

    @Test func literals() throws {
        let value: JSONValue = ["name": "Ada", "tags": ["a", 1, 2.5, nil, true], "age": 36, "name": "Eve"]
        #expect(value.description == #"{"name":"Eve","tags":["a",1,2.5,null,true],"age":36}"#)
    }

    @Test func worksWithFoundationsCoders() throws {
        let json = #"{"a":[1,-2,2.5,18446744073709551615,null,true,"x",{}],"b":{"snake_case":0.1}}"#
        let viaFoundation = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        #expect(try viaFoundation == decode(json))
        let encoded = try JSONEncoder().encode(decode(json))
        #expect(try FastJSONDecoder().decode(JSONValue.self, from: encoded) == decode(json))
    }

    @Test func numbersFromIntegers() {
        let count: UInt64 = .max
        #expect(JSONValue.number(5) == 5)
        #expect(JSONValue.number(count).numberValue?.integer(UInt64.self) == .max)
    }

    @Test func namesAreData() throws {
        let json = #"{"first_name":{"last_name":1}}"#
        let value = try FastJSONDecoder.snakeCaseConverting.decode(JSONValue.self, from: Data(json.utf8))
        #expect(value.description == json)
        let text = try FastJSONEncoder.snakeCaseConverting.encode(["camelCase": ["innerCase": 1] as JSONValue])
        #expect(String(decoding: text, as: UTF8.self) == #"{"camelCase":{"innerCase":1}}"#)
    }

    @Test func firstOfRepeatedNamesCounts() throws {
        #expect(try decode(#"{"a":1,"a":2}"#).description == #"{"a":1}"#)
    }

    @Test func decodingTypesFromAValue() throws {
        struct Point: Decodable, Equatable { let x: Int, y: Int }
        let value: JSONValue = ["x": 1, "y": 2]
        #expect(try value.decode(Point.self) == Point(x: 1, y: 2))
        #expect(throws: DecodingError.self) { try (["x": 1] as JSONValue).decode(Point.self) }
    }

    @Test func numbers() {
        #expect(JSONNumber("1.50")?.description == "1.50")
        #expect(JSONNumber(" 7 ")?.description == "7")
        #expect(JSONNumber("+1") == nil)
        #expect(JSONNumber("0x1") == nil)
        #expect(JSONNumber("1 2") == nil)
        #expect(JSONNumber("\"1\"") == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(2.0)?.description == "2")
        #expect(JSONNumber("1e400")?.double == .infinity)
        #expect(JSONNumber("1e99999999999999999999") == JSONNumber("1e99999999999999999999"))
        #expect(JSONNumber("170141183460469231731687303715884105728")?.integer(UInt128.self) == 1 << 127)
        #expect(JSONNumber("-170141183460469231731687303715884105728")?.integer(Int128.self) == .min)
        #expect(JSONNumber("-170141183460469231731687303715884105729")?.integer(Int128.self) == nil)
    }

    @Test func objectsCanBeChanged() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = nil
        object["b"] = JSONValue.null
        #expect(JSONValue.object(object).description == #"{"b":null,"c":3}"#)
        #expect(object.count == 2)
        #expect(Array(object.map(\.name)) == ["b", "c"])
    }
}
