/// One encode: its options, and how values are written.
final class EncodingSession {
    let options: FastJSONEncoder
    let tables: EncodingKeyTables
    let isPretty: Bool
    let sortsKeys: Bool
    let escapesSlashes: Bool
    let userInfo: [CodingUserInfoKey: Any]
    /// False once the encode has ended: containers kept by user code must not touch the tables any more.
    private(set) var isOpen = true
    /// Every text with containers of its own, to be taken apart at the end.
    private var texts: [EncodingText] = []

    init(options: FastJSONEncoder, tables: EncodingKeyTables) {
        self.options = options
        self.tables = tables
        isPretty = options.outputFormatting.contains(.prettyPrinted)
        sortsKeys = options.outputFormatting.contains(.sortedKeys)
        escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
        userInfo = options.userInfo
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
        return try body(text.buffer.bytes)
    }

    func makeText(capacity: Int) -> EncodingText {
        let text = EncodingText(capacity: capacity)
        texts.append(text)
        return text
    }

    /// Ends the encode and breaks the cycles between texts and the nodes inserted into them.
    func finish() {
        isOpen = false
        for text in texts { text.insertions.removeAll() }
        texts.removeAll()
    }
}

/// A stretch of text that is written from start to end, with places where others go.
final class EncodingText {
    let buffer: JSONTextBuffer
    /// Where the members of the objects that are open start, innermost last.
    var memberStarts: [Int] = []
    /// Nodes with a text of their own and where it goes, in order.
    var insertions: [(offset: Int, node: EncodingNode)] = []
    /// The node that may write: the innermost one.
    var active: ObjectIdentifier?

    init(capacity: Int) {
        buffer = JSONTextBuffer(capacity: capacity)
    }
}
