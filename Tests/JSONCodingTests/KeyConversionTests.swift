import Foundation
import Testing

@testable import JSONCoding

/// Names are converted as Foundation converts them.
@Suite struct KeyConversionTests {
    static let names = [
        "", "_", "__", "a", "A", "abc", "a_b", "_a_b", "a_b_", "__a__b__", "one_two_three", "oneTwoThree", "URL",
        "my_URL",
        "my_url_property", "_my_url_", "item_2x", "2x_item", "a1_b2", "a__b", "A_B", "ABC_DEF", "first_Name", "a_bC",
        "é_à",
        "straße_ßa", "ключ_слово", "ΑΒ_γδ", "ǆ_ǆ", "a.b_c.d", "x-y_z-w", "with space_and more", "🚀_🚀", "i_ı_İ", "ﬁ_ﬁ",
        "a_\u{301}b", "myURLProperty", "myURL", "URLValue", "aBC", "aBCd", "ABc", "x1Y2", "_leadingUnder", "trailing_",
        "aÉb",
        "éÀ", "StraßeName", "ИмяКлюча", "A1B", "userID", "userIDs", "HTTPServer2Go", "ǅz", "a\u{301}B",
        "snake_caseMixed",
    ]

    @Test(arguments: names)
    func decoding(name: String) throws {
        // What Foundation makes of it is seen in the keys of a container.
        struct Spy: Decodable {
            let keys: [String]
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
            }
        }
        let data = try JSONEncoder().encode([name: 1])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let expected = try foundation.decode(Spy.self, from: data).keys
        #expect(try FastJSONDecoder.snakeCaseConverting.decode(Spy.self, from: data).keys == expected)
        #expect([SnakeCase.camelCase(from: name)] == expected)
    }

    @Test(arguments: names)
    func encoding(name: String) throws {
        struct Spy: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey(name))
            }
        }
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        let expected = String(decoding: try foundation.encode(Spy(name: name)), as: UTF8.self)
        let result = String(decoding: try FastJSONEncoder.snakeCaseConverting.encode(Spy(name: name)), as: UTF8.self)
        #expect(result == expected)
    }

    @Test func randomNames() throws {
        var random = SeededGenerator(seed: 21)
        let alphabet = Array("aabBcC__19ÉéßЖж.")
        for _ in 0..<400 {
            let name = String(
                (0..<random.next() % 12).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            try decoding(name: name)
            try encoding(name: name)
        }
    }

    @Test func namesOfDictionariesAreData() throws {
        struct Holder: Codable, Equatable { var someMap: [String: Int], nestedMaps: [String: [String: Int]] }
        let holder = Holder(someMap: ["camelCase": 1, "snake_case": 2], nestedMaps: ["outerKey": ["inner_key": 3]])
        let data = try FastJSONEncoder.snakeCaseConverting.encode(holder)
        #expect(try FastJSONDecoder.snakeCaseConverting.decode(Holder.self, from: data) == holder)
        #expect(String(decoding: data, as: UTF8.self).contains("\"some_map\""))
        #expect(String(decoding: data, as: UTF8.self).contains("\"inner_key\""))
    }

    /// A key table is asked for names in any order, with cases it has not met before in between.
    @Test func tablesLearnInAnyOrder() throws {
        enum Keys: String, CodingKey { case oneTwo, threeFour, fiveSix }
        struct Partial: Decodable, Equatable {
            let values: [Int?]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                let wanted = (decoder.userInfo[CodingUserInfoKey(rawValue: "keys")!] as? [Keys]) ?? []
                values = try wanted.map { try container.decodeIfPresent(Int.self, forKey: $0) }
            }
        }
        let json = Data(#"{"five_six":5,"one_two":1,"unknown":0,"three_four":3}"#.utf8)
        for (keys, expected) in [
            ([Keys.threeFour], [3]), ([.fiveSix, .threeFour], [5, 3]), ([.oneTwo, .fiveSix, .oneTwo], [1, 5, 1]),
        ] {
            var decoder = FastJSONDecoder.snakeCaseConverting
            decoder.userInfo[CodingUserInfoKey(rawValue: "keys")!] = keys
            for _ in 0..<3 {
                #expect(
                    try decoder.decode([Partial].self, from: Data("[".utf8) + json + Data("]".utf8)).first?.values
                        == expected)
            }
        }
    }

    @Test func casesWithTheSameNameAndOneCase() throws {
        enum Keys: CodingKey {
            case first, second
            var stringValue: String { "same" }
            init?(stringValue: String) { nil }
            var intValue: Int? { nil }
            init?(intValue: Int) { nil }
        }
        struct Both: Decodable {
            let values: [Int]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                values = [
                    try container.decode(Int.self, forKey: .first), try container.decode(Int.self, forKey: .second),
                ]
            }
        }
        #expect(try FastJSONDecoder().decode(Both.self, from: Data(#"{"same":7}"#.utf8)).values == [7, 7])
        struct Single: Codable, Equatable { var onlyOne: Int }
        #expect(
            try FastJSONDecoder.snakeCaseConverting.decode(Single.self, from: Data(#"{"x":0,"only_one":1}"#.utf8))
                == Single(onlyOne: 1))
        #expect(
            String(decoding: try FastJSONEncoder.snakeCaseConverting.encode(Single(onlyOne: 1)), as: UTF8.self)
                == #"{"only_one":1}"#)
    }
}
