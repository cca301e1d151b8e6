#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cuts newline-delimited JSON (NDJSON, JSON Lines) into its records, however the bytes arrive.
///
/// Lines end with LF or CR LF. Lines with nothing but white space are skipped, the last line need not have an end, and
/// a byte order mark at the start is dropped.
public struct JSONLinesParser: Sendable {
    /// The most bytes a record may have.
    public let maximumRecordSize: Int
    private var lines = LineSplitter(endings: .lineFeed)
    private var isAtStart = true

    /// Makes a parser.
    ///
    /// - Parameter maximumRecordSize: The most bytes a record may have, so that a server cannot fill the memory.
    public init(maximumRecordSize: Int = 16 << 20) {
        self.maximumRecordSize = maximumRecordSize
    }

    /// Reads more of the stream.
    ///
    /// - Returns: The records that are complete now, without their line ends.
    /// - Throws: ``BodyTooLarge`` when a record exceeds ``maximumRecordSize``.
    public mutating func parse(_ bytes: Data) throws(BodyTooLarge) -> [Data] {
        var records: [Data] = []
        lines.append(bytes)
        while let line = lines.next() {
            guard line.count <= maximumRecordSize else { throw tooLarge }
            if let record = record(of: line) { records.append(record) }
        }
        guard lines.pendingCount <= maximumRecordSize else { throw tooLarge }
        return records
    }

    /// Tells that no more bytes come.
    ///
    /// - Returns: The last record, if it had no line end.
    public mutating func finish() -> Data? {
        lines.finish().flatMap { record(of: $0) }
    }

    private var tooLarge: BodyTooLarge {
        BodyTooLarge(limit: maximumRecordSize, reason: "one line of the stream is longer")
    }

    private mutating func record(of line: ArraySlice<UInt8>) -> Data? {
        var line = line
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard line.contains(where: { !$0.isJSONWhitespace }) else { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return Data(line)
    }
}
