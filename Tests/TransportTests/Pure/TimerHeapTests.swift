import Testing

@testable import CurlTransport

/// The heap of deadlines, against sorting.
struct TimerHeapTests {
    final class Item {
        let name: Int
        var position = -1
        init(_ name: Int) { self.name = name }
    }

    private func make() -> TimerHeap<Item> {
        TimerHeap(position: { $0.position }, setPosition: { $0.position = $1 })
    }

    @Test func popsWhatIsDueInOrder() {
        var heap = make()
        let items = [30, 10, 20].map { Item($0) }
        for item in items { heap.set(item, to: UInt64(item.name)) }
        #expect(heap.first == 10)
        let popped = [5, 25, 25, 25].map { (now: UInt64) in heap.popDue(now)?.name }
        #expect(popped == [nil, 10, 20, nil])
        #expect(heap.count == 1)
        #expect(items.map(\.position) == [0, -1, -1])
    }

    @Test func agreesWithSorting() {
        var generator = SeededRandom(seed: 1)
        var heap = make()
        let items = (0..<200).map { Item($0) }
        var times: [Int: UInt64] = [:]
        for _ in 0..<20_000 {
            let item = items[Int.random(in: 0..<items.count, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0...1:
                let time = UInt64.random(in: 0..<1000, using: &generator)
                heap.set(item, to: time)
                times[item.name] = time
            case 2:
                heap.remove(item)
                times[item.name] = nil
            default:
                if let due = heap.popDue(UInt64.random(in: 0..<1000, using: &generator)) {
                    #expect(times[due.name] == times.values.min())
                    times[due.name] = nil
                }
            }
            #expect(heap.first == times.values.min())
            #expect(heap.count == times.count)
        }
    }
}
