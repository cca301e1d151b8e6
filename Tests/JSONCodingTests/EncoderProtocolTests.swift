import Foundation
import Testing

@testable import JSONCoding

/// Every way to use an `Encoder`, beside Foundation's.
@Suite struct EncoderProtocolTests {
    enum Keys: String, CodingKey { case a, b, c, list, inner }
    enum OtherKeys: String, CodingKey { case b, z }

    private func expectSame(_ value: some Encodable, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for pretty in [false, true] {
            let foundation = JSONEncoder()
            var fast = FastJSONEncoder()
            foundation.outputFormatting = pretty ? [.sortedKeys, .prettyPrinted] : .sortedKeys
            fast.outputFormatting = pretty ? [.sortedKeys, .prettyPrinted] : .sortedKeys
            let expected = String(decoding: try foundation.encode(value), as: UTF8.self)
            let result = String(decoding: try fast.encode(value), as: UTF8.self)
            #expect(result == expected, sourceLocation: sourceLocation)
            // Without sorting the members are the same.
            fast.outputFormatting = pretty ? .prettyPrinted : []
            let unsorted =
                try JSONSerialization.jsonObject(with: fast.encode(value), options: .fragmentsAllowed) as? NSObject
            let judge =
                try JSONSerialization.jsonObject(with: Data(expected.utf8), options: .fragmentsAllowed) as? NSObject
            #expect(unsorted == judge, sourceLocation: sourceLocation)
        }
    }

    struct Closure: Encodable {
        let body: @Sendable (any Encoder) throws -> Void
        init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    @Test func nestedContainersInTurns() throws {
        let value = Closure { encoder in
            var outer = encoder.container(keyedBy: Keys.self)
            var list = outer.nestedUnkeyedContainer(forKey: .list)
            try outer.encode(1, forKey: .a)
            var inner = outer.nestedContainer(keyedBy: OtherKeys.self, forKey: .inner)
            try list.encode("x")
            try inner.encode([1, 2], forKey: .z)
            var deep = list.nestedUnkeyedContainer()
            try outer.encode(["k": 1], forKey: .b)
            try list.encodeNil()
            try deep.encode(true)
            var object = list.nestedContainer(keyedBy: Keys.self)
            try deep.encode(2.5)
            try object.encode("late", forKey: .c)
            // The same container once more.
            var again = outer.nestedContainer(keyedBy: Keys.self, forKey: .inner)
            try again.encode(3, forKey: .a)
        }
        try expectSame(value)
        try expectSame([value, value])
        try expectSame(["k": value])
    }

    @Test func superEncoders() throws {
        try expectSame(
            Closure { encoder in
                var outer = encoder.container(keyedBy: Keys.self)
                try Closure { try 1.encode(to: $0) }.encode(to: outer.superEncoder())
                try Closure { try ["x": 2].encode(to: $0) }.encode(to: outer.superEncoder(forKey: .inner))
                try outer.encode(3, forKey: .a)
            })
        try expectSame(
            Closure { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                try [2, 3].encode(to: list.superEncoder())
                try "x".encode(to: list.superEncoder())
                try list.encode(list.count)
            })
    }

    class Animal: Encodable {
        var name = "Rex", b = 1
        enum CodingKeys: String, CodingKey { case name, b }
    }

    final class Dog: Animal {
        var tricks = 3
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: OtherKeys.self)
            try container.encode(tricks, forKey: .z)
            try container.encode(9, forKey: .b)
        }
    }

    @Test func classHierarchiesShareAnObject() throws {
        try expectSame(Dog())
        try expectSame([Dog(), Dog()])
        let text = String(decoding: try FastJSONEncoder().encode(Dog()), as: UTF8.self)
        #expect(text == #"{"name":"Rex","b":9,"z":3}"#)
    }

    @Test func keysWrittenTwiceHaveTheLastValue() throws {
        try expectSame(
            Closure { encoder in
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(1, forKey: .a)
                try container.encode("x\"}", forKey: .b)
                try container.encode([1, 2], forKey: .a)
                try container.encode("y", forKey: .b)
            })
        try expectSame(
            Closure { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey("q\"\\/é"))
                try container.encode(2, forKey: AnyKey("b"))
                try container.encode(3, forKey: AnyKey("q\"\\/é"))
            })
    }

    @Test func aFailedMemberLeavesNoTrace() throws {
        let value = Closure { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            try? container.encode(Double.nan, forKey: .b)
            try? container.encode([[1.0], [Double.infinity]], forKey: .c)
            try? container.encode(
                Closure { inner in
                    var nested = inner.container(keyedBy: Keys.self)
                    try nested.encode(1, forKey: .a)
                    var list = nested.nestedUnkeyedContainer(forKey: .list)
                    try list.encode(2)
                    throw CancellationError()
                }, forKey: .inner)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try? list.encode(Double.nan)
            try list.encode(2)
        }
        // Foundation's encoder crashes here: it continues the containers of the value that failed.
        let text = String(decoding: try FastJSONEncoder().encode([value]), as: UTF8.self)
        #expect(text == #"[{"a":1,"list":[2]}]"#)
    }

    @Test func singleValues() throws {
        try expectSame(
            Closure { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(["a": [1, 2]])
            })
        try expectSame(
            Closure { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(
                    Closure { inner in
                        var nested = inner.singleValueContainer()
                        try nested.encode(Optional(5))
                    })
            })
    }

    @Test func misuseThrowsAndDoesNotCrash() throws {
        func encode(_ value: some Encodable) throws -> String {
            String(decoding: try FastJSONEncoder().encode(value), as: UTF8.self)
        }
        #expect(throws: EncodingError.self) {
            try encode(
                Closure { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encode(2)
                })
        }
        #expect(throws: EncodingError.self) {
            try encode(
                Closure { encoder in
                    var list = encoder.unkeyedContainer()
                    try list.encode(1)
                    var container = encoder.container(keyedBy: Keys.self)
                    try container.encode(1, forKey: .a)
                })
        }
        #expect(throws: EncodingError.self) {
            try encode(
                Closure { encoder in
                    var outer = encoder.container(keyedBy: Keys.self)
                    nonisolated(unsafe) let parent = outer
                    try outer.encode(
                        Closure { _ in
                            var captured = parent
                            try captured.encode(1, forKey: .b)
                        }, forKey: .a)
                })
        }
    }

    @Test func lateUseThrows() throws {
        final class Kept: @unchecked Sendable {
            var encoder: (any Encoder)?
            var keyed: KeyedEncodingContainer<Keys>?
            var unkeyed: (any UnkeyedEncodingContainer)?
            var parent: (any Encoder)?
        }
        let kept = Kept()
        let value = Closure { encoder in
            kept.encoder = encoder
            var container = encoder.container(keyedBy: Keys.self)
            kept.unkeyed = container.nestedUnkeyedContainer(forKey: .list)
            kept.parent = container.superEncoder()
            kept.keyed = container
        }
        #expect(try FastJSONEncoder().encode([value, value]).count > 0)
        #expect(throws: EncodingError.self) { try kept.keyed?.encode(1, forKey: .a) }
        #expect(throws: EncodingError.self) { try kept.keyed?.encode([1], forKey: .a) }
        #expect(throws: EncodingError.self) { try kept.unkeyed?.encode(1) }
        #expect(throws: EncodingError.self) { try [1].encode(to: kept.encoder!) }
        #expect(throws: EncodingError.self) { try 1.encode(to: kept.encoder!) }
        #expect(throws: EncodingError.self) { try 1.encode(to: kept.parent!) }
        var late = kept.encoder!.container(keyedBy: Keys.self)
        #expect(throws: EncodingError.self) { try late.encode("x", forKey: .a) }
        var nested = late.nestedContainer(keyedBy: Keys.self, forKey: .b)
        #expect(throws: EncodingError.self) { try nested.encodeNil(forKey: .a) }
    }

    @Test func depthHasALimit() {
        indirect enum Chain: Encodable {
            case end, link(Chain)
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                if case .link(let next) = self { try list.encode(next) }
            }
        }
        var chain = Chain.end
        for _ in 0..<400 { chain = .link(chain) }
        #expect(throws: Never.self) { try FastJSONEncoder().encode(chain) }
        for _ in 0..<400 { chain = .link(chain) }
        #expect(throws: EncodingError.self) { try FastJSONEncoder().encode(chain) }
    }
}
