/// Whether the standard library keeps strings of up to 15 ASCII bytes in the string itself in the way this module builds
/// them: the bytes from the first on, and 0xE0 plus their number in the last byte.
///
/// Building them directly is a third faster than `String(unsafeUninitializedCapacity:)`. It is done only after the bits of
/// real strings of every length have been found to be the expected ones.
enum SmallStringLayout {
    static let isKnown: Bool = {
        #if (arch(x86_64) || arch(arm64)) && _endian(little)
        guard MemoryLayout<String>.size == 16 else { return false }
        let alphabet = Array("q7 Z~0aM_/.@x-K".utf8)
        return (0...15).allSatisfy { length in
            let bytes = alphabet[..<length]
            let real = unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
            let padded = Array(bytes) + [UInt8](repeating: 0, count: 16 - length)
            let expected = padded.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { Self.bits($0, length) } ?? (0, 0)
            }
            return real == expected
        }
        #else
        return false
        #endif
    }()

    /// The bits of the string of `length` ASCII bytes, at most 15; 16 bytes can be read.
    @inline(__always) static func bits(_ start: BytePointer, _ length: Int) -> (UInt64, UInt64) {
        var low = start.word()
        var high: UInt64 = 0
        if length < 8 {
            low &= (1 &<< UInt64(length &* 8)) &- 1
        } else {
            high = (start + 8).word() & ((1 &<< UInt64((length &- 8) &* 8)) &- 1)
        }
        return (low, high | (0xE0 | UInt64(length)) &<< 56)
    }
}

extension DocumentReader {
    /// The string at a tape index.
    @inline(__always)
    func string(at index: Int, depth: Int, element: @autoclosure () -> Int) throws -> String {
        let entry = state.pointee.entries[index]
        if entry.kind == Token.asciiString { return asciiString(entry) }
        if entry.isString { return uncommonString(entry) }
        throw mismatchOrNull(String.self, at: index, depth: depth, element: element())
    }

    /// The string or name that an entry holds.
    func string(_ entry: TapeEntry) -> String {
        entry.kind == Token.asciiString ? asciiString(entry) : uncommonString(entry)
    }

    @inline(__always)
    private func asciiString(_ entry: TapeEntry) -> String {
        let start = BytePointer(state.pointee.bytes) + entry.offset
        let length = entry.length
        #if (arch(x86_64) || arch(arm64)) && _endian(little)
        if length <= 15 && state.pointee.canBuildSmallStrings {
            return unsafeBitCast(SmallStringLayout.bits(start, length), to: String.self)
        }
        #endif
        return Self.copyString(start, length)
    }

    /// A string of bytes that are known to be UTF-8.
    @inline(never)
    private static func copyString(_ start: BytePointer, _ length: Int) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            if let target = buffer.baseAddress { target.initialize(from: start, count: length) }
            return length
        }
    }

    @inline(never)
    private func uncommonString(_ entry: TapeEntry) -> String {
        let start = BytePointer(state.pointee.bytes) + entry.offset
        if entry.kind == Token.escapedString { return Self.unescape(start, entry.length) }
        return Self.copyString(start, entry.length)
    }

    /// Resolves escapes, which the tokenizer has checked. The result is never longer than the source.
    private static func unescape(_ start: BytePointer, _ length: Int) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            let end = start + length
            var source = start
            var count = 0
            while source < end {
                let byte = source.pointee
                if byte != ASCII.backslash {
                    buffer[count] = byte
                    count += 1
                    source += 1
                    continue
                }
                let escape = source[1]
                source += 2
                switch escape {
                case 0x62: buffer[count] = 0x08
                case 0x66: buffer[count] = 0x0C
                case 0x6E: buffer[count] = ASCII.lineFeed
                case 0x72: buffer[count] = ASCII.carriageReturn
                case 0x74: buffer[count] = ASCII.tab
                case 0x75:
                    for byte in UTF8.encode(scalar(at: &source)) ?? UTF8.encodedReplacementCharacter {
                        buffer[count] = byte
                        count += 1
                    }
                    continue
                default: buffer[count] = escape
                }
                count += 1
            }
            return count
        }
    }

    /// The scalar that one or two `\u` escapes spell; `source` follows the first `\u`.
    private static func scalar(at source: inout BytePointer) -> Unicode.Scalar {
        let high = StringScanner.codeUnit(at: source) ?? 0xFFFD
        source += 4
        if high & 0xFC00 != 0xD800 { return Unicode.Scalar(high) ?? "\u{FFFD}" }
        let low = StringScanner.codeUnit(at: source + 2) ?? 0xDC00
        source += 6
        return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
    }
}
