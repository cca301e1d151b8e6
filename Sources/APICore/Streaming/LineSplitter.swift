#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cuts bytes into lines, however they arrive.
struct LineSplitter: Sendable {
    /// What ends a line.
    enum Endings: Sendable {
        /// LF alone. A CR before it stays part of the line.
        case lineFeed
        /// LF, CR, or CR LF, as in event streams.
        case carriageReturnOrLineFeed
    }

    private let endings: Endings
    private var buffer: [UInt8] = []
    /// Where the current line starts.
    private var start = 0
    /// Up to where no line end was found.
    private var scanned = 0
    /// The line before ended with CR: a LF right after it belongs to that end.
    private var skipsLineFeed = false

    init(endings: Endings) {
        self.endings = endings
    }

    /// Bytes of the line that is not complete yet; to be asked when ``next()`` gave `nil`.
    var pendingCount: Int { buffer.count - start }

    /// Takes more bytes. Lines given out before are no longer needed.
    mutating func append(_ bytes: Data) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer += bytes
    }

    /// The next complete line without its end.
    mutating func next() -> ArraySlice<UInt8>? {
        if skipsLineFeed, start < buffer.count {
            skipsLineFeed = false
            if buffer[start] == UInt8(ascii: "\n") {
                start += 1
                scanned = max(scanned, start)
            }
        }
        guard let end = indexOfLineEnd() else {
            scanned = buffer.count
            return nil
        }
        let line = buffer[start..<end]
        skipsLineFeed = buffer[end] == UInt8(ascii: "\r")
        start = end + 1
        scanned = start
        return line
    }

    /// What is left when no more bytes come: a last line without an end, or `nil`.
    mutating func finish() -> ArraySlice<UInt8>? {
        if let line = next() { return line }
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return buffer[start...]
    }

    private func indexOfLineEnd() -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = scanned
            switch endings {
            case .lineFeed:
                while index < bytes.count {
                    if bytes[index] == UInt8(ascii: "\n") { return index }
                    index += 1
                }
            case .carriageReturnOrLineFeed:
                while index < bytes.count {
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return index }
                    index += 1
                }
            }
            return nil
        }
    }
}
