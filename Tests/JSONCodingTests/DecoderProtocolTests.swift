import Foundation
import Testing

@testable import JSONCoding

/// Every way to use a `Decoder`, beside Foundation's.
@Suite struct DecoderProtocolTests {
    class Animal: Codable {
        var name: String
        enum CodingKeys: String, CodingKey { case name }
        init(name: String) { self.name = name }
    }

    /// Its superclass decodes from the same object.
    final class Dog: Animal, CustomReflectable {
        var tricks: Int
        enum CodingKeys: String, CodingKey { case tricks }
        required init(from decoder: any Decoder) throws {
            tricks = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .tricks)
            try super.init(from: decoder)
        }
        var customMirror: Mirror { Mirror(self, children: ["name": name, "tricks": tricks]) }
    }

    /// Its superclass decodes from a member.
    struct Cat: Decodable {
        var lives: Int
        var name: String
        enum CodingKeys: String, CodingKey { case lives, base }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lives = try container.decode(Int.self, forKey: .lives)
            name = try Animal(from: try container.superDecoder()).name
            name += try Animal(from: try container.superDecoder(forKey: .base)).name
        }
    }

    struct Flattened: Decodable {
        let summary: String
        enum Outer: String, CodingKey { case a, list, missing }
        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Outer.self)
            let inner = try outer.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            var parts = [inner.allKeys.map(\.stringValue).sorted().joined(separator: "+")]
            parts.append("\(outer.contains(.missing)) \(outer.contains(.a)) \(list.count ?? -1)")
            // Both containers are used in turns.
            for key in inner.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                parts.append("\(try inner.decodeNil(forKey: key))")
                if !list.isAtEnd {
                    var nested = try list.nestedUnkeyedContainer()
                    while !nested.isAtEnd {
                        if try nested.decodeNil() {
                            parts.append("null")
                        } else {
                            parts.append("\(try nested.decode(Int.self))")
                        }
                    }
                }
                parts.append("\((try? inner.decode(Int.self, forKey: key)) ?? -1)")
            }
            parts.append("\(list.currentIndex) \(list.isAtEnd)")
            if !list.isAtEnd {
                let rest = try list.superDecoder()
                parts.append(try rest.singleValueContainer().decode([Int].self).description)
            }
            summary = parts.joined(separator: " ")
        }
    }

    struct Ends: Decodable {
        let summary: String
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            var parts: [String] = []
            parts.append("\(try list.decodeIfPresent(Int.self) ?? -1)")
            parts.append("\(try list.decodeIfPresent(String.self) ?? "-")")
            parts.append("\(list.currentIndex) \(list.isAtEnd)")
            parts.append("\(try list.decodeIfPresent(Double.self) ?? -1)")
            parts.append("\(list.currentIndex) \(list.isAtEnd)")
            parts.append(Outcome { try list.decode(Int.self) }.description)
            parts.append(Outcome { try list.decode([Int].self) }.description)
            parts.append(Outcome { try list.decodeNil() }.description)
            parts.append(Outcome { try list.nestedUnkeyedContainer() }.description)
            parts.append(Outcome { try list.superDecoder() }.description)
            summary = parts.joined(separator: " ")
        }
    }

    /// Tries one type after another on every element.
    enum Mixed: Decodable {
        case int(Int), text(String), list([Mixed]), object([String: Mixed]), null
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Mixed].self) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: Mixed].self))
            }
        }
    }

    /// Reports the path it is decoded at.
    struct Located: Decodable {
        let path: String
        init(from decoder: any Decoder) throws {
            path = decoder.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: "/")
        }
    }

    struct PathHolder: Decodable {
        let firstItem: Located
        let otherItems: [Located]
        let byName: [String: Located]
    }

    @Test func classHierarchies() {
        expectSameDecoding(Dog.self, #"{"name":"Rex","tricks":3}"#)
        expectSameDecoding(Dog.self, #"{"tricks":3}"#)
        expectSameDecoding(Cat.self, #"{"lives":9,"super":{"name":"Tom"},"base":{"name":"Kit"}}"#)
        expectSameDecoding(Cat.self, #"{"lives":9,"super":{"name":"Tom"}}"#)
        expectSameDecoding(Cat.self, #"{"lives":9,"base":{"name":"Kit"}}"#)
        expectSameDecoding(Cat.self, #"{"lives":9,"super":null,"base":{"name":"Kit"}}"#)
    }

    @Test(arguments: [
        #"{"a":{"x":1,"y":null,"z":"s"},"list":[[1,null,2],[],[3],[4,5]]}"#, #"{"a":{},"list":[]}"#,
        #"{"list":[[1]],"a":{"k":2}}"#, #"{"list":[1],"a":{"k":2}}"#, #"{"list":1,"a":{"k":2}}"#,
        #"{"list":[[1]],"a":[]}"#,
        #"{"list":[["x"]],"a":{"k":2}}"#, #"{"list":[[1],["x"]],"a":{"k":2}}"#, #"{"list":null,"a":{"k":2}}"#,
    ])
    func nestedContainersInTurns(json: String) {
        expectSameDecoding(Flattened.self, json)
        expectSameDecoding([Flattened].self, "[\(json),\(json)]")
        expectSameDecoding(Flattened.self, json, .snakeCase)
    }

    @Test(arguments: ["[]", "[1]", "[null,null]", #"[1,"x"]"#, #"["x"]"#, "[1,2]", #"[1,"x",1.5,2]"#])
    func endsOfUnkeyedContainers(json: String) {
        expectSameDecoding(Ends.self, json)
        expectSameDecoding([Ends].self, "[\(json)]")
    }

    @Test func triedTypes() {
        expectSameDecoding([Mixed].self, #"[1,"a",[2,["b",null]],{"k":3},null,{"k":[{"k":1}]}]"#)
        expectSameDecoding([Mixed].self, #"[1,true]"#)
        expectSameDecoding([String: [Mixed]].self, #"{"k":[1,["x",true]]}"#)
    }

    @Test func pathsOfDecoders() {
        let json = #"{"first_item":1,"other_items":[1,{},[]],"by_name":{"key_one":null}}"#
        expectSameDecoding(PathHolder.self, json, .snakeCase)
        expectSameDecoding([PathHolder].self, "[\(json)]", .snakeCase)
        expectSameDecoding([Int: [PathHolder]].self, #"{"12":[\#(json)]}"#, .snakeCase)
    }

    @Test func integerKeysKeepTheirNumber() {
        struct Holder: Decodable { let map: [Int: [Located]] }
        expectSameDecoding(Holder.self, #"{"map":{"7":[1,2]}}"#)
    }

    @Test func manyKeysAndAnyOrder() {
        struct Wide: Decodable {
            var aaaaaaaaaaaaaaaaaaaaaaaaaaaa1: Int, aaaaaaaaaaaaaaaaaaaaaaaaaaaa2: Int, b: Int, ключ: Int, eight888: Int
            var sixteen161616161: Int?, seventeen17171717: Int?, é: Int?
        }
        expectSameDecoding(
            Wide.self,
            #"{"é":9,"ключ":4,"b":3,"unknown":{"b":1},"aaaaaaaaaaaaaaaaaaaaaaaaaaaa2":2,"eight888":8,"#
                + #""aaaaaaaaaaaaaaaaaaaaaaaaaaaa1":1,"seventeen17171717":17,"sixteen161616161":16}"#)
        // A decomposed é is the same key.
        expectSameDecoding(
            Wide.self,
            "{\"e\u{301}\":9,\"ключ\":4,\"b\":3,\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa2\":2,\"eight888\":8,"
                + "\"\\u0061aaaaaaaaaaaaaaaaaaaaaaaaaaa1\":1}")
    }

    @Test func firstOfRepeatedMembersCounts() {
        struct Three: Decodable { var one: Int, two: Int?, three: Int? }
        for json in [
            #"{"one":1,"one":2,"two":3,"two":4}"#, #"{"two":1,"one":2,"two":3,"one":4,"three":5}"#,
            #"{"three":1,"two":2,"one":3,"one":4,"two":5,"three":6}"#,
            #"{"x":0,"one":1,"x":1,"two":2,"one":3,"three":4}"#,
            #"{"one":1,"\u006fne":2}"#, #"{"\u006fne":2,"one":1}"#,
        ] {
            expectSameDecoding(Three.self, json)
            expectSameDecoding([Three].self, "[\(json),\(json)]")
        }
        struct Snake: Decodable { var oneTwo: Int, twoThree: Int? }
        for json in [
            #"{"one_two":1,"oneTwo":2}"#, #"{"oneTwo":1,"one_two":2}"#, #"{"two_three":1,"one__two":2,"one_two":3}"#,
        ] {
            expectSameDecoding(Snake.self, json, .snakeCase)
        }
    }
}
