import Foundation
import Testing

@testable import JSONCoding

@Suite struct PatchValueTests {
    struct Patch: Codable, Equatable {
        var name: PatchValue<String> = .absent
        var age: PatchValue<Int> = .absent
        var tags: PatchValue<[String]> = .absent
    }

    static let cases: [(Patch, String)] = [
        (Patch(), "{}"),
        (Patch(name: .null), #"{"name":null}"#),
        (Patch(name: .value("Ada"), age: .null, tags: .value(["a"])), #"{"age":null,"name":"Ada","tags":["a"]}"#),
    ]

    @Test(arguments: cases)
    func bothCodersKnowThreeStates(patch: Patch, json: String) throws {
        var fast = FastJSONEncoder()
        fast.outputFormatting = .sortedKeys
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        #expect(String(decoding: try fast.encode(patch), as: UTF8.self) == json)
        #expect(String(decoding: try foundation.encode(patch), as: UTF8.self) == json)
        #expect(try FastJSONDecoder().decode(Patch.self, from: Data(json.utf8)) == patch)
        #expect(try JSONDecoder().decode(Patch.self, from: Data(json.utf8)) == patch)
    }

    @Test func absentHasNoFormOutsideAnObject() {
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode([PatchValue<Int>.absent]) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([PatchValue<Int>.absent]) }
    }

    @Test func wrongTypesAreErrorsAtTheMember() {
        #expect(throws: DecodingError.self) {
            try FastJSONDecoder().decode(Patch.self, from: Data(#"{"age":"x"}"#.utf8))
        }
    }

    @Test func applying() {
        #expect(PatchValue<Int>.absent.applied(to: 1) == 1)
        #expect(PatchValue<Int>.null.applied(to: 1) == nil)
        #expect(PatchValue.value(2).applied(to: 1) == 2)
        #expect(PatchValue(Int?.none) == .null)
        #expect(PatchValue(3).map { $0 * 2 } == .value(6))
        #expect(PatchValue<Int>.absent.map(String.init) == .absent)
    }
}
