/// A place in a JSON text.
public struct JSONSourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// Bytes before the place.
    public var offset: Int
    /// The line, counted from 1; lines end with a line feed.
    public var line: Int
    /// The column, counted from 1, in Unicode scalars.
    public var column: Int

    /// Creates a location from an offset in bytes and a line and column, both counted from 1.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }
}

/// Turns offsets into lines and columns. Remembers the last answer, so that asking for ever later places, as errors that
/// user code swallows do, reads the document once and not once per error.
struct JSONSourceLocator {
    private var known = JSONSourceLocation(offset: 0, line: 1, column: 1)

    /// The location of `offset` in the document that starts at `bytes`.
    mutating func location(of offset: Int, in bytes: BytePointer) -> JSONSourceLocation {
        if offset < known.offset { known = JSONSourceLocation(offset: 0, line: 1, column: 1) }
        var position = known
        while position.offset < offset {
            let byte = bytes[position.offset]
            if byte == ASCII.lineFeed {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
            position.offset += 1
        }
        known = position
        return position
    }
}
