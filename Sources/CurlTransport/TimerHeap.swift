/// The deadlines of what is under way, the nearest first: a binary heap whose elements know where they are, so that a
/// request that ends takes its deadline out instead of leaving it behind.
///
/// Almost every deadline is later than those before it (the same limit counted from a later time), so that an insertion
/// seldom moves anything.
struct TimerHeap<Element: AnyObject> {
    private struct Entry {
        var time: UInt64
        let element: Element
    }

    private var entries: [Entry] = []
    private let setPosition: (Element, Int) -> Void
    private let position: (Element) -> Int

    /// Makes an empty heap.
    ///
    /// - Parameters:
    ///   - position: Where an element is, -1 for not in the heap.
    ///   - setPosition: Notes where it is.
    init(position: @escaping (Element) -> Int, setPosition: @escaping (Element, Int) -> Void) {
        self.position = position
        self.setPosition = setPosition
    }

    /// The nearest deadline.
    var first: UInt64? { entries.first?.time }

    var count: Int { entries.count }

    /// Adds an element, or gives it another time.
    mutating func set(_ element: Element, to time: UInt64) {
        let index = position(element)
        guard index < 0 else {
            let earlier = time < entries[index].time
            entries[index].time = time
            if earlier { siftUp(index) } else { siftDown(index) }
            return
        }
        entries.append(Entry(time: time, element: element))
        setPosition(element, entries.count - 1)
        siftUp(entries.count - 1)
    }

    /// Takes an element out; nothing when it is not in.
    mutating func remove(_ element: Element) {
        let index = position(element)
        guard index >= 0 else { return }
        setPosition(element, -1)
        guard let last = entries.popLast(), index < entries.count else { return }
        entries[index] = last
        setPosition(last.element, index)
        siftUp(index)
        siftDown(position(last.element))
    }

    /// Takes out the element with the nearest deadline, if it is not later than `now`.
    mutating func popDue(_ now: UInt64) -> Element? {
        guard let first = entries.first, first.time <= now else { return nil }
        let element = first.element
        remove(element)
        return element
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index].time < entries[parent].time else { return }
            swap(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in 2 * index + 1...2 * index + 2 where child < entries.count {
                if entries[child].time < entries[least].time { least = child }
            }
            guard least != index else { return }
            swap(index, least)
            index = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        entries.swapAt(left, right)
        setPosition(entries[left].element, left)
        setPosition(entries[right].element, right)
    }
}
