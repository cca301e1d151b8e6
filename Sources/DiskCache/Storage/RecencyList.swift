/// A dictionary that knows in which order its elements were last used and what they cost together.
///
/// A doubly linked list threaded through an array, so that every operation takes constant time and no object is
/// allocated per element.
struct RecencyList<Key: Hashable, Element> {
    fileprivate struct Node {
        var key: Key
        var element: Element?
        var cost: Int
        var newer: Int
        var older: Int
    }

    private static var none: Int { -1 }

    private var nodes: [Node] = []
    private var positions: [Key: Int] = [:]
    private var free: [Int] = []
    private var newest = Self.none
    private var oldest = Self.none

    /// The sum of the costs of all elements.
    private(set) var totalCost = 0

    var count: Int { positions.count }

    func contains(_ key: Key) -> Bool { positions[key] != nil }

    /// An element, leaving the order as it is.
    func peek(_ key: Key) -> Element? {
        guard let position = positions[key] else { return nil }
        return nodes[position].element
    }

    /// An element, which becomes the most recently used.
    mutating func use(_ key: Key) -> Element? {
        guard let position = positions[key] else { return nil }
        if position != newest {
            unlink(position)
            linkNewest(position)
        }
        return nodes[position].element
    }

    /// Adds or replaces an element, which becomes the most recently used, and returns the one it replaces.
    @discardableResult
    mutating func set(_ key: Key, to element: Element, cost: Int) -> Element? {
        if let position = positions[key] {
            let previous = nodes[position].element
            totalCost += cost - nodes[position].cost
            nodes[position].element = element
            nodes[position].cost = cost
            unlink(position)
            linkNewest(position)
            return previous
        }
        let node = Node(key: key, element: element, cost: cost, newer: Self.none, older: Self.none)
        let position: Int
        if let reused = free.popLast() {
            position = reused
            nodes[position] = node
        } else {
            position = nodes.count
            nodes.append(node)
        }
        positions[key] = position
        totalCost += cost
        linkNewest(position)
        return nil
    }

    /// Changes an element where it stands in the order.
    mutating func update(_ key: Key, _ change: (inout Element) -> Void) {
        guard let position = positions[key], var element = nodes[position].element.take() else { return }
        change(&element)
        nodes[position].element = element
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Element? {
        guard let position = positions.removeValue(forKey: key) else { return nil }
        unlink(position)
        totalCost -= nodes[position].cost
        free.append(position)
        return nodes[position].element.take()
    }

    /// Removes and returns the least recently used element.
    mutating func removeOldest() -> (key: Key, element: Element, cost: Int)? {
        guard oldest != Self.none else { return nil }
        let (key, cost) = (nodes[oldest].key, nodes[oldest].cost)
        guard let element = remove(key) else { return nil }
        return (key, element, cost)
    }

    mutating func removeAll() {
        self = RecencyList()
    }

    /// All keys, the least recently used first.
    var keysOldestFirst: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        var position = oldest
        while position != Self.none {
            keys.append(nodes[position].key)
            position = nodes[position].newer
        }
        return keys
    }

    private mutating func unlink(_ position: Int) {
        let (newer, older) = (nodes[position].newer, nodes[position].older)
        if newer == Self.none { newest = older } else { nodes[newer].older = older }
        if older == Self.none { oldest = newer } else { nodes[older].newer = newer }
    }

    private mutating func linkNewest(_ position: Int) {
        nodes[position].newer = Self.none
        nodes[position].older = newest
        if newest == Self.none { oldest = position } else { nodes[newest].newer = position }
        newest = position
    }
}

extension RecencyList: Sendable where Key: Sendable, Element: Sendable {}
extension RecencyList.Node: Sendable where Key: Sendable, Element: Sendable {}
