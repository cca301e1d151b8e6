import Foundation
import Testing

@testable import JSONCoding

/// Random and mutated input: nothing may crash, and what is accepted must be JSON.
@Suite struct FuzzTests {
    struct Target: Codable {
        struct Inner: Codable { var values: [Double]?, names: [String]?, map: [String: Int]?, more: [Inner]? }
        var id: Int?, text: String?, inner: Inner?, list: [Inner]?, date: Date?, data: Data?, url: URL?,
            decimal: Decimal?
    }

    static let seeds = [
        #"{"id":1,"text":"a\u00e9\ud83d\ude80b","inner":{"values":[1.5,-2e10,0],"names":["x","yé"],"map":{"k":1}},"list":[]}"#,
        #"[{"id":-9223372036854775808,"date":1e9,"data":"aGk=","url":"http://a/b","decimal":1.25,"inner":{"more":[{},{"more":[]}]}}]"#,
        "[[[[1,2],[3]],[]],{\"a\":{\"b\":null}},true,false,\"\\\\\\\"\"]", "  123.456e-7  ", "\"\u{10FFFF}\"",
    ]

    private func tryEverything(_ bytes: [UInt8]) {
        let decoders = [FastJSONDecoder(), .snakeCaseConverting]
        for decoder in decoders {
            _ = try? decoder.decode(Target.self, from: bytes)
            _ = try? decoder.decode([Target].self, from: bytes)
            _ = try? decoder.decode([String: Target].self, from: bytes)
            _ = try? decoder.decode([Int].self, from: bytes)
            _ = try? decoder.decode([String].self, from: bytes)
            _ = try? decoder.decode(Double.self, from: bytes)
            if let value = try? decoder.decode(JSONValue.self, from: bytes) {
                // Foundation agrees that it is JSON, and it survives a round trip.
                #expect(
                    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
                        || hasBigNumbers(bytes))
                #expect((try? decoder.decode(JSONValue.self, from: FastJSONEncoder().encode(value))) == value)
            }
        }
    }

    /// Foundation refuses numbers beyond the range of its types even in untyped trees.
    private func hasBigNumbers(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 | 0x20 == UInt8(ascii: "e") } || bytes.count > 30
    }

    @Test(arguments: 0..<6)
    func mutatedDocuments(seed: Int) {
        var random = SeededGenerator(seed: UInt64(100 + seed))
        let interesting: [UInt8] =
            Array(#"{}[]":,\u0123456789eE+-. tfn/"#.utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<150 {
            var bytes = Array(Self.seeds[Int(random.next() % UInt64(Self.seeds.count))].utf8)
            for _ in 0...random.next() % 4 {
                let place = Int(random.next() % UInt64(max(1, bytes.count)))
                switch random.next() % 5 {
                case 0 where !bytes.isEmpty: bytes[place] = interesting[Int(random.next() % UInt64(interesting.count))]
                case 1:
                    bytes.insert(
                        interesting[Int(random.next() % UInt64(interesting.count))], at: min(place, bytes.count))
                case 2 where !bytes.isEmpty: bytes.remove(at: place)
                case 3: bytes.removeSubrange(min(place, bytes.count)...)
                default:
                    if !bytes.isEmpty {
                        let end = min(bytes.count, place + Int(random.next() % 20))
                        bytes.insert(contentsOf: bytes[place..<end], at: place)
                    }
                }
            }
            tryEverything(bytes)
        }
    }

    @Test func randomBytes() {
        var random = SeededGenerator(seed: 77)
        let alphabet = Array(#"{}[]":,\u01e-.tfn "#.utf8)
        for _ in 0..<300 {
            let count = Int(random.next() % 40)
            tryEverything((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            tryEverything((0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        }
    }

    @Test func everyPrefix() {
        for seed in Self.seeds {
            let bytes = Array(seed.utf8)
            for count in 0..<bytes.count { tryEverything(Array(bytes[..<count])) }
        }
    }

    /// Many different names must not make the tables grow without end, nor lose any name.
    @Test func moreNamesThanAreRemembered() throws {
        struct One: Decodable, Equatable { var wanted: Int, alsoWanted: Int? }
        for round in 0..<20 {
            let names = (0..<200).map { "\"name_\(round)_\($0)\":0" }.joined(separator: ",")
            let json = "{\(names),\"wanted\":\(round),\"also_wanted\":2}"
            let decoded = try FastJSONDecoder.snakeCaseConverting.decode(One.self, from: Data(json.utf8))
            #expect(decoded == One(wanted: round, alsoWanted: 2))
        }
    }

    @Test func largeDocuments() throws {
        // More tokens than the tape starts with, and frames deeper than the stack starts with.
        let numbers = (0..<20_000).map(String.init).joined(separator: ",")
        #expect(try FastJSONDecoder().decode([Int].self, from: Data("[\(numbers)]".utf8)).count == 20_000)
        #expect(
            try FastJSONDecoder().decode([[Int]].self, from: Data("[[\(numbers)],[],[\(numbers)]]".utf8)).map(\.count)
                == [20_000, 0, 20_000])
        let deep = String(repeating: "[{\"a\":", count: 200) + "1" + String(repeating: "}]", count: 200)
        #expect(throws: Never.self) { try FastJSONDecoder().decode(JSONValue.self, from: Data(deep.utf8)) }
        let text = String(repeating: "é\n", count: 100_000)
        let encoded = try FastJSONEncoder().encode([text])
        #expect(try FastJSONDecoder().decode([String].self, from: encoded) == [text])
    }
}
