import Foundation
import Testing

@testable import JSONCoding

/// Decoders and containers that are kept after the decode they belong to. Run these with the address sanitizer.
@Suite struct LateUseTests {
    enum Keys: String, CodingKey { case id, name, list, inner }

    final class Keeper: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<Keys>
        var unkeyed: any UnkeyedDecodingContainer
        let single: any SingleValueDecodingContainer
        let nested: KeyedDecodingContainer<Keys>
        let parent: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try decoder.container(keyedBy: Keys.self)
            unkeyed = try keyed.nestedUnkeyedContainer(forKey: .list)
            single = try decoder.singleValueContainer()
            nested = try keyed.nestedContainer(keyedBy: Keys.self, forKey: .inner)
            parent = try keyed.superDecoder(forKey: .inner)
        }
    }

    static func json(_ id: Int) -> Data {
        Data(
            #"{"id":\#(id),"name":"name of \#(id), long enough to be on the heap","list":[1,2,\#(id)],"inner":{"id":\#(id * 2)}}"#
                .utf8)
    }

    private func check(_ keeper: Keeper, _ id: Int) throws {
        #expect(try keeper.keyed.decode(Int.self, forKey: .id) == id)
        #expect(try keeper.keyed.decode(String.self, forKey: .name) == "name of \(id), long enough to be on the heap")
        #expect(try keeper.nested.decode(Int.self, forKey: .id) == id * 2)
        #expect(try keeper.unkeyed.decode(Int.self) == 1)
        #expect(try keeper.unkeyed.decode(Int.self) == 2)
        #expect(try keeper.unkeyed.decode(Int.self) == id)
        #expect(try keeper.single.decode([String: JSONValue].self)["id"]?.intValue == id)
        // New containers from an old decoder, also after what made them has gone.
        let late = try keeper.decoder.container(keyedBy: Keys.self)
        #expect(try late.decode([Int].self, forKey: .list) == [1, 2, id])
        #expect(try keeper.parent.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("id")) == id * 2)
        #expect(keeper.parent.codingPath.last?.stringValue == "inner")
        #expect(throws: DecodingError.self) { try late.decode(Int.self, forKey: .name) }
    }

    @Test func keptPartsStayValid() throws {
        let decoder = FastJSONDecoder()
        let keepers = try (0..<50).map { try decoder.decode(Keeper.self, from: Self.json($0)) }
        // Other decodes take their turns with pooled memory.
        for id in 0..<50 { _ = try decoder.decode(JSONValue.self, from: Self.json(id + 1000)) }
        for (id, keeper) in keepers.enumerated() { try check(keeper, id) }
    }

    @Test func containersOutliveTheirDecoder() throws {
        var containers: [KeyedDecodingContainer<Keys>] = []
        for id in 0..<20 {
            let keeper = try FastJSONDecoder().decode(Keeper.self, from: Self.json(id))
            containers.append(try keeper.decoder.container(keyedBy: Keys.self))
            containers.append(keeper.keyed)
        }
        for (index, container) in containers.enumerated() {
            #expect(try container.decode(Int.self, forKey: .id) == index / 2)
        }
    }

    @Test func partsOfArrayElementsStayValid() throws {
        let array = Data(
            ("[" + (0..<30).map { String(decoding: Self.json($0), as: UTF8.self) }.joined(separator: ",") + "]").utf8)
        let keepers = try FastJSONDecoder().decode([Keeper].self, from: array)
        for _ in 0..<5 { _ = try FastJSONDecoder().decode([JSONValue].self, from: array) }
        for (id, keeper) in keepers.enumerated() {
            try check(keeper, id)
            #expect(keeper.parent.codingPath.first?.intValue == id)
        }
    }

    @Test func keptAfterAFailedDecode() throws {
        final class Box { var keyed: KeyedDecodingContainer<Keys>?, decoder: (any Decoder)? }
        struct Failing: Decodable {
            static let key = CodingUserInfoKey(rawValue: "box")
            init(from decoder: any Decoder) throws {
                let holder = decoder.userInfo[CodingUserInfoKey(rawValue: "box")!] as? Holder
                holder?.box.keyed = try decoder.container(keyedBy: Keys.self)
                holder?.box.decoder = decoder
                throw CancellationError()
            }
            struct Holder: @unchecked Sendable { let box: Box }
        }
        let box = Box()
        var decoder = FastJSONDecoder()
        decoder.userInfo[CodingUserInfoKey(rawValue: "box")!] = Failing.Holder(box: box)
        #expect(throws: CancellationError.self) { try decoder.decode(Failing.self, from: Self.json(7)) }
        for id in 0..<10 { _ = try decoder.decode(JSONValue.self, from: Self.json(id)) }
        #expect(try box.keyed?.decode(Int.self, forKey: .id) == 7)
        #expect(try box.decoder?.container(keyedBy: Keys.self).decode(Int.self, forKey: .id) == 7)
    }

    @Test func decodersDecodeInsideDecodes() throws {
        struct Embedded: Decodable, Equatable {
            let depth: Int
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                depth = text == "end" ? 0 : try FastJSONDecoder().decode(Embedded.self, from: Data(text.utf8)).depth + 1
            }
        }
        var json = "\"end\""
        for _ in 0..<8 { json = String(decoding: try FastJSONEncoder().encode(json), as: UTF8.self) }
        #expect(try FastJSONDecoder().decode(Embedded.self, from: Data(json.utf8)).depth == 8)
    }

    @Test func oneDecoderOnManyThreads() async throws {
        let decoder = FastJSONDecoder.snakeCaseConverting
        let encoder = FastJSONEncoder.snakeCaseConverting
        struct Item: Codable, Equatable { var itemId: Int, itemName: String, otherItems: [Int]?, innerItem: [Item] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<100 {
                        let leaf = Item(itemId: round, itemName: "leaf \(task)", otherItems: nil, innerItem: [])
                        let item = Item(itemId: task, itemName: "n", otherItems: [1, 2], innerItem: [leaf, leaf])
                        let data = try encoder.encode([item, leaf])
                        #expect(try decoder.decode([Item].self, from: data) == [item, leaf])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
