import Testing

@testable import DiskCache

@Suite struct RecencyListTests {
    @Test func oldestGoesFirstAndUseMakesNewest() {
        var list = RecencyList<String, Int>()
        for (index, key) in ["a", "b", "c", "d"].enumerated() { list.set(key, to: index, cost: 10) }
        #expect(list.use("a") == 0)
        #expect(list.peek("b") == 1)
        list.set("c", to: 22, cost: 5)
        #expect(list.keysOldestFirst == ["b", "d", "a", "c"])
        #expect(list.totalCost == 35)
        #expect(list.removeOldest()?.key == "b")
        #expect(list.remove("a") == 0)
        #expect(list.keysOldestFirst == ["d", "c"])
        #expect(list.totalCost == 15)
    }

    /// Against a plain array, with a fixed seed.
    @Test func behavesLikeAPlainList() {
        var random = SplitMix64(state: 7)
        var list = RecencyList<Int, Int>()
        var model: [(key: Int, element: Int, cost: Int)] = []
        for step in 0..<5000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                list.set(key, to: step, cost: key)
                model.removeAll { $0.key == key }
                model.append((key, step, key))
            case 2:
                let found = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
                if let found { model.append(found) }
                #expect(list.use(key) == found?.element)
            case 3:
                #expect(list.remove(key) == model.first { $0.key == key }?.element)
                model.removeAll { $0.key == key }
            default:
                #expect(list.removeOldest()?.element == (model.isEmpty ? nil : model.removeFirst().element))
            }
            #expect(list.keysOldestFirst == model.map(\.key))
            #expect(list.totalCost == model.map(\.cost).reduce(0, +))
        }
    }
}
