/// A value on the way from the root to the one being decoded.
struct PathNode {
    /// The value's tape index.
    var index: UInt32
    /// Its position, if its parent is an array; how its name becomes a key, if it is an object.
    var element: UInt32

    /// The name is converted to a key.
    static let convertedName = 0
    /// The name is the key, as in a dictionary.
    static let plainName = 1
    /// The name is the key, and its number the integer value.
    static let integerName = 2

    @inline(__always) init(index: Int, element: Int) {
        self.index = UInt32(truncatingIfNeeded: index)
        self.element = UInt32(truncatingIfNeeded: element)
    }
}

extension DocumentReader {
    /// The coding path of the value at a tape index.
    ///
    /// Paths are not kept while decoding; they are put together when somebody asks. The nodes are right as long as values
    /// are decoded in the usual order, inside one another; for a decoder or container used at another time the path is
    /// found by walking down from the root.
    func path(to index: Int, depth: Int) -> [any CodingKey] {
        guard let nodes = knownNodes(to: index, depth: depth) ?? searchedNodes(to: index) else { return [] }
        let entries = state.pointee.entries
        var path: [any CodingKey] = []
        var parent = 0
        for node in nodes {
            if entries[parent].kind == Token.object {
                let name = string(entries[Int(node.index) - 1])
                switch Int(node.element) {
                case PathNode.plainName: path.append(JSONKey(name))
                case PathNode.integerName: path.append(JSONKey(name, intValue: Int(name)))
                default: path.append(JSONKey(session.keys.key(for: name, path: path)))
                }
            } else {
                path.append(JSONKey(index: Int(node.element)))
            }
            parent = Int(node.index)
        }
        return path
    }

    private func knownNodes(to index: Int, depth: Int) -> [PathNode]? {
        if depth == 0 { return [] }
        let nodes = state.pointee.nodes
        let entries = state.pointee.entries
        guard depth < state.pointee.nodeCapacity, Int(nodes[depth].index) == index else { return nil }
        var parent = 0
        for level in 1...depth {
            // A child lies inside its parent, and the levels between are complete only if it is a direct child, which
            // holds when every level's start was recorded while its parent was the current one.
            let start = Int(nodes[level].index)
            guard entries[parent].isContainer, start > parent, start < parent + entries[parent].length else {
                return nil
            }
            parent = start
        }
        return (1...depth).map { nodes[$0] }
    }

    private func searchedNodes(to index: Int) -> [PathNode]? {
        let entries = state.pointee.entries
        var found: [PathNode] = []
        var parent = 0
        while parent != index {
            guard entries[parent].isContainer else { return nil }
            let isObject = entries[parent].kind == Token.object
            let end = parent + entries[parent].length - 1
            var child = parent + 1
            var element = 0
            while true {
                if isObject { child += 1 }
                guard child < end else { return nil }
                let next = entries.next(after: child)
                if index < next { break }
                child = next
                element += 1
            }
            found.append(PathNode(index: child, element: isObject ? PathNode.convertedName : element))
            parent = child
        }
        return found
    }
}
