#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cuts a JSON text sequence (RFC 7464, `application/json-seq`) into its texts, however the bytes arrive.
///
/// Each text is preceded by a record separator (0x1E) and followed by a line feed. A text that was cut off ends at the
/// next separator and is given as ``Record/truncated(_:)``, so that the rest of the sequence is not lost with it.
public struct JSONSequenceParser: Sendable {
    /// A piece of the sequence.
    public enum Record: Sendable, Hashable {
        /// A complete text.
        case text(Data)
        /// A text that was cut off: bytes before the first separator, or a number, `true`, `false` or `null` without
        /// white space behind it (section 2.4).
        case truncated(Data)
    }

    /// The most bytes a text may have.
    public let maximumRecordSize: Int
    private var current: [UInt8] = []
    private var extent = JSONExtent()
    private var hasSeparator = false

    /// Makes a parser.
    ///
    /// - Parameter maximumRecordSize: The most bytes a text may have, so that a server cannot fill the memory.
    public init(maximumRecordSize: Int = 16 << 20) {
        self.maximumRecordSize = maximumRecordSize
    }

    /// Reads more of the sequence.
    ///
    /// - Returns: The texts that are complete now: those followed by a separator.
    /// - Throws: ``BodyTooLarge`` when a text exceeds ``maximumRecordSize``.
    public mutating func parse(_ bytes: Data) throws(BodyTooLarge) -> [Record] {
        var records: [Record] = []
        var rest = bytes[...]
        while let separator = rest.firstIndex(of: 0x1E) {
            try append(rest[..<separator])
            if let record = take() { records.append(record) }
            hasSeparator = true
            rest = rest[(separator + 1)...]
        }
        try append(rest)
        // A line feed ends a text only where the text is whole: a JSON text may hold line feeds. Strings, objects and
        // arrays say by themselves where they end, so a text is given out early when its last byte can be its end.
        if hasSeparator, current.last == UInt8(ascii: "\n"), extent.isComplete {
            if let record = take() { records.append(record) }
        }
        return records
    }

    /// Tells that no more bytes come.
    ///
    /// - Returns: The last text, if there is one.
    public mutating func finish() -> Record? {
        take()
    }

    private mutating func append(_ bytes: Data) throws(BodyTooLarge) {
        current += bytes
        extent.append(bytes)
        guard current.count <= maximumRecordSize else {
            throw BodyTooLarge(limit: maximumRecordSize, reason: "one text of the sequence is longer")
        }
    }

    private mutating func take() -> Record? {
        defer {
            current.removeAll(keepingCapacity: current.capacity < 1 << 16)
            extent = JSONExtent()
        }
        // Separators in a row are one (section 2.3): there is nothing between them.
        guard !extent.isEmpty else { return nil }
        let text = Data(current)
        guard hasSeparator, extent.isComplete else { return .truncated(text) }
        return .text(text)
    }
}
