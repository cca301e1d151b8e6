/// One encode: its options, and how values are written.
final class EncodingSession {
    let options: FastJSONEncoder
    let tables: EncodingKeyTables
    let isPretty: Bool
    let sortsKeys: Bool
    let escapesSlashes: Bool
    let kinds: TypeKindCache
    /// Every text with containers of its own, to be taken apart at the end.
    private var texts: [EncodingText] = []
    /// Nested containers by parent and name: asking for one again continues it. A nested node keeps its parent, so the
    /// identifiers are not used again.
    private var nestedNodes: [ObjectIdentifier: [String: EncodingNode]] = [:]

    init(options: FastJSONEncoder, tables: EncodingKeyTables) {
        self.options = options
        self.tables = tables
        isPretty = options.outputFormatting.contains(.prettyPrinted)
        sortsKeys = options.outputFormatting.contains(.sortedKeys)
        escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
        kinds = tables.kinds
    }

    func withEncoded<T: Encodable, Result>(
        _ value: T, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let text = makeText(capacity: 1024)
        let root = EncodingNode(session: self, text: text, parent: nil, key: nil, level: 0)
        try root.encodeContents(value)
        if root.kind == .nothing {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
        }
        root.finish()
        return try withExtendedLifetime(text) { try body(text.buffer.bytes) }
    }

    func makeText(capacity: Int) -> EncodingText {
        let text = EncodingText(capacity: capacity)
        texts.append(text)
        return text
    }

    /// The nested container that a node has under a name.
    func nestedNode(of parent: EncodingNode, named name: String) -> EncodingNode? {
        nestedNodes[ObjectIdentifier(parent)]?[name]
    }

    func setNestedNode(_ node: EncodingNode, of parent: EncodingNode, named name: String) {
        nestedNodes[ObjectIdentifier(parent), default: [:]][name] = node
    }

    /// Ends the encode and breaks the cycles between texts and the nodes inserted into them.
    func finish() {
        for text in texts {
            text.active = nil
            text.insertions.removeAll()
        }
        texts.removeAll()
        nestedNodes.removeAll()
    }
}

/// A stretch of text that is written from start to end, with places where others go.
final class EncodingText {
    let buffer: JSONTextBuffer
    /// Where the members of the objects that are open start, innermost last, if they are to be sorted.
    var memberStarts: [Int] = []
    /// Nodes with a text of their own and where it goes, in order.
    var insertions: [(offset: Int, node: EncodingNode)] = []
    /// The node that may write: the innermost one. Nil once the encode has ended: nodes kept by user code must not touch
    /// what the session shares with others any more.
    var active: ObjectIdentifier?

    init(capacity: Int) {
        buffer = JSONTextBuffer(capacity: capacity)
    }

    deinit {
        buffer.deallocate()
    }
}
