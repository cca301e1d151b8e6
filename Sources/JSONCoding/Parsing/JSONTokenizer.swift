/// Checks a whole text against RFC 8259 and writes its tokens on a tape, in one pass without recursion.
///
/// Strict: UTF-8 only, no comments, no trailing commas, no lone surrogates, nothing after the value. The one thing more
/// than the grammar that is let through is a byte order mark, which section 8.1 allows a parser to ignore; the caller
/// steps over it.
struct JSONTokenizer {
    /// Where and why a text is refused.
    struct Failure: Error {
        var reason: JSONSyntaxError.Reason
        /// Bytes of the text before the one that is wrong.
        var offset: Int
    }

    /// The first byte of the text, which zero bytes follow.
    let bytes: BytePointer
    /// Bytes of the text, at most `maximumByteCount`.
    let count: Int
    let maximumDepth: Int

    /// Offsets are kept in 32 bits.
    static let maximumByteCount = 1 << 32 - 1

    /// Writes the tokens from index 0 and returns the depth of the deepest container.
    func tokenize(onto tape: inout JSONTape, frames: inout TokenizerFrames) throws(Failure) -> Int {
        var entries = tape.entries
        var limit = tape.capacity &- 4
        var index = 0
        var members = 0
        var depth = 0
        var deepest = 0
        var inObject = false
        let end = bytes + count
        var position = Self.skipWhitespace(bytes)

        value: while true {
            if index > limit {
                tape.grow(keeping: index)
                entries = tape.entries
                limit = tape.capacity &- 4
            }
            let byte = position.pointee
            if byte == ASCII.quote {
                position = try scanString(at: position, into: entries + index)
                index &+= 1
            } else if byte == ASCII.openBrace || byte == ASCII.openBracket {
                if depth >= maximumDepth { throw failure(.tooDeep(limit: maximumDepth), position) }
                frames.push(start: index, memberCount: members, at: depth)
                depth &+= 1
                if depth > deepest { deepest = depth }
                members = 0
                inObject = byte == ASCII.openBrace
                let kind = inObject ? Token.object : Token.array
                entries[index] = TapeEntry(kind: kind, length: 0, offset: position - bytes)
                index &+= 1
                position = Self.skipWhitespace(position + 1)
                if inObject {
                    if position.pointee != ASCII.closeBrace {
                        position = try scanName(at: position, into: entries + index)
                        index &+= 1
                        continue value
                    }
                } else if position.pointee != ASCII.closeBracket {
                    continue value
                }
                // It has no members; the next lines count one and see the bracket.
                members = -1
            } else if byte == ASCII.minus || byte &- ASCII.zero <= 9 {
                guard let number = NumberScanner.scan(from: position) else {
                    throw failure(.invalidNumber, position)
                }
                let length = number.end - position
                if length > TapeEntry.maximumLength { throw tooLong(at: position) }
                let kind = number.isInteger ? Token.integer : Token.real
                entries[index] = TapeEntry(kind: kind, length: length, offset: position - bytes)
                index &+= 1
                position = number.end
            } else {
                position = try scanLiteral(at: position, into: entries + index)
                index &+= 1
            }

            // After a value: a comma, or the ends of containers.
            while true {
                members &+= 1
                if position.pointee <= ASCII.space { position = Self.skipWhitespace(position) }
                if depth == 0 {
                    if position == end { return deepest }
                    throw failure(.trailingContent, position)
                }
                let next = position.pointee
                if next == ASCII.comma && members > 0 {
                    position = Self.skipWhitespace(position + 1)
                    if !inObject { continue value }
                    if index > limit {
                        tape.grow(keeping: index)
                        entries = tape.entries
                        limit = tape.capacity &- 4
                    }
                    position = try scanName(at: position, into: entries + index)
                    index &+= 1
                    continue value
                }
                guard next == (inObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                    throw failure(.commaOrEndExpected, position)
                }
                if index > limit {
                    tape.grow(keeping: index)
                    entries = tape.entries
                    limit = tape.capacity &- 4
                }
                depth &-= 1
                let start = frames.start(at: depth)
                entries[index] = TapeEntry(kind: Token.end, length: members, offset: position - bytes)
                index &+= 1
                let span = index &- start
                if span > TapeEntry.maximumLength { throw tooLong(at: position) }
                entries[start].bits |= UInt64(truncatingIfNeeded: span) &<< 32
                members = frames.memberCount(at: depth)
                inObject = depth > 0 && entries[frames.start(at: depth &- 1)].kind == Token.object
                position += 1
            }
        }
    }

    /// Reads a string literal; `position` is its opening quote.
    @inline(__always)
    private func scanString(
        at position: BytePointer, into entry: UnsafeMutablePointer<TapeEntry>
    ) throws(Failure) -> BytePointer {
        let start = position + 1
        let end = StringScanner.firstSpecialByte(from: start)
        let length = end - start
        if end.pointee == ASCII.quote && length <= TapeEntry.maximumLength {
            entry.pointee = TapeEntry(kind: Token.asciiString, length: length, offset: start - bytes)
            return end + 1
        }
        return try scanUncommonString(from: start, into: entry)
    }

    @inline(never)
    private func scanUncommonString(
        from start: BytePointer, into entry: UnsafeMutablePointer<TapeEntry>
    ) throws(Failure) -> BytePointer {
        let literal: StringScanner.Literal
        do {
            literal = try StringScanner.scan(from: start)
        } catch {
            throw failure(error.reason, start + error.offset)
        }
        let length = literal.end - start
        if length > TapeEntry.maximumLength { throw tooLong(at: start) }
        let plainKind = literal.isASCII ? Token.asciiString : Token.unicodeString
        let kind = literal.hasEscapes ? Token.escapedString : plainKind
        entry.pointee = TapeEntry(kind: kind, length: length, offset: start - bytes)
        return literal.end + 1
    }

    /// Reads a name and its colon, and returns the first byte of the value.
    @inline(__always)
    private func scanName(
        at position: BytePointer, into entry: UnsafeMutablePointer<TapeEntry>
    ) throws(Failure) -> BytePointer {
        if position.pointee != ASCII.quote { throw failure(.nameExpected, position) }
        var next = try scanString(at: position, into: entry)
        if next.pointee != ASCII.colon {
            next = Self.skipWhitespace(next)
            if next.pointee != ASCII.colon { throw failure(.colonExpected, next) }
        }
        return Self.skipWhitespace(next + 1)
    }

    private func scanLiteral(
        at position: BytePointer, into entry: UnsafeMutablePointer<TapeEntry>
    ) throws(Failure) -> BytePointer {
        let word = position.halfWord()
        let kind: UInt64
        let length: Int
        if word == ASCII.trueWord {
            (kind, length) = (Token.true, 4)
        } else if word == ASCII.nullWord {
            (kind, length) = (Token.null, 4)
        } else if position.pointee == 0x66 && (position + 1).halfWord() == ASCII.alseWord {
            (kind, length) = (Token.false, 5)
        } else {
            throw failure(.unexpectedByte(position.pointee), position)
        }
        entry.pointee = TapeEntry(kind: kind, length: length, offset: position - bytes)
        return position + length
    }

    @inline(never)
    private func failure(_ reason: JSONSyntaxError.Reason, _ position: BytePointer) -> Failure {
        let offset = position - bytes
        return Failure(reason: offset >= count ? .unexpectedEnd : reason, offset: offset)
    }

    private func tooLong(at position: BytePointer) -> Failure {
        failure(.tooLarge(limit: TapeEntry.maximumLength), position)
    }

    /// Most often there is no white space, or one space after a colon or comma.
    @inline(__always) static func skipWhitespace(_ start: BytePointer) -> BytePointer {
        if start.pointee > ASCII.space { return start }
        if start.pointee == ASCII.space && start[1] > ASCII.space { return start + 1 }
        return skipLongWhitespace(start)
    }

    @inline(never) private static func skipLongWhitespace(_ start: BytePointer) -> BytePointer {
        var position = start
        while true {
            // Indentation is eight spaces at a time.
            while position.word() == 0x2020_2020_2020_2020 { position += 8 }
            switch position.pointee {
            case ASCII.space, ASCII.lineFeed, ASCII.carriageReturn, ASCII.tab: position += 1
            default: return position
            }
        }
    }
}

/// The containers that are open while a text is read: where each starts on the tape, and how many members its parent
/// had before it. The owner calls `deallocate()`.
struct TokenizerFrames {
    private var frames: UnsafeMutablePointer<(start: UInt32, memberCount: UInt32)>
    private var capacity = 64

    init() {
        frames = .allocate(capacity: capacity)
    }

    func deallocate() {
        frames.deallocate()
    }

    @inline(__always) mutating func push(start: Int, memberCount: Int, at depth: Int) {
        if depth >= capacity { grow() }
        frames[depth] = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: memberCount))
    }

    @inline(__always) func start(at depth: Int) -> Int { Int(frames[depth].start) }
    @inline(__always) func memberCount(at depth: Int) -> Int { Int(frames[depth].memberCount) }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<(start: UInt32, memberCount: UInt32)>.allocate(capacity: capacity * 2)
        larger.initialize(from: frames, count: capacity)
        frames.deallocate()
        frames = larger
        capacity *= 2
    }
}
