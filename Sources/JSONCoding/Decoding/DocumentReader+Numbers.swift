extension DocumentReader {
    /// The integer at a tape index.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type, at index: Int, depth: Int, element: @autoclosure () -> Int
    ) throws -> Integer {
        let entry = state.pointee.entries[index]
        // 18 digits fit 64 bits whatever they are.
        if entry.kind == Token.integer && entry.length <= 18 {
            var digits = BytePointer(state.pointee.bytes) + entry.offset
            let end = digits + entry.length
            let isNegative = digits.pointee == ASCII.minus
            if isNegative { digits += 1 }
            var magnitude: Int64 = 0
            while digits < end {
                magnitude = magnitude &* 10 &+ Int64(digits.pointee &- ASCII.zero)
                digits += 1
            }
            if let result = Integer(exactly: isNegative ? 0 &- magnitude : magnitude) { return result }
        }
        return try uncommonInteger(type, entry, at: index, depth: depth, element: element())
    }

    @inline(never)
    private func uncommonInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type, _ entry: TapeEntry, at index: Int, depth: Int, element: Int
    ) throws -> Integer {
        guard entry.kind == Token.integer || entry.kind == Token.real else {
            throw mismatchOrNull(type, at: index, depth: depth, element: element)
        }
        guard let number = DecimalDigits(text(of: entry)).integer, let result = number.exactly(type) else {
            throw notRepresentable(type, at: index, depth: depth, element: element)
        }
        return result
    }

    /// The number at a tape index, correctly rounded.
    @inline(__always)
    func double(at index: Int, depth: Int, element: @autoclosure () -> Int) throws -> Double {
        let entry = state.pointee.entries[index]
        if entry.kind == Token.integer || entry.kind == Token.real, let number = FloatParser.fastDouble(text(of: entry))
        {
            return number
        }
        return try uncommonFloat(Double.self, entry, at: index, depth: depth, element: element())
    }

    /// The number at a tape index, correctly rounded.
    @inline(__always)
    func float(at index: Int, depth: Int, element: @autoclosure () -> Int) throws -> Float {
        let entry = state.pointee.entries[index]
        if entry.kind == Token.integer || entry.kind == Token.real, let number = FloatParser.fastFloat(text(of: entry))
        {
            return number
        }
        return try uncommonFloat(Float.self, entry, at: index, depth: depth, element: element())
    }

    @inline(never)
    private func uncommonFloat<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type, _ entry: TapeEntry, at index: Int, depth: Int, element: Int
    ) throws -> Number {
        if entry.kind == Token.integer || entry.kind == Token.real {
            let text = text(of: entry)
            // A number too large for the type, or one that is not zero but would become it, is refused, not altered.
            guard let number = Number(String(decoding: text, as: UTF8.self)), number.isFinite,
                number != 0 || DecimalDigits(text).isZero
            else { throw notRepresentable(type, at: index, depth: depth, element: element) }
            return number
        }
        if entry.kind == Token.asciiString || entry.kind == Token.unicodeString,
            case .convertFromString(let positive, let negative, let nan) = session.options.floats
        {
            switch string(entry) {
            case positive: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: break
            }
        }
        throw mismatchOrNull(type, at: index, depth: depth, element: element)
    }

    /// The bytes of a number.
    @inline(__always)
    func text(of entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: BytePointer(state.pointee.bytes) + entry.offset, count: entry.length)
    }
}
