/// Bytes of JSON text being written: one pointer, which costs nothing to copy. The owner calls `deallocate()`.
struct JSONTextBuffer {
    private struct Storage {
        var bytes: UnsafeMutablePointer<UInt8>
        var count: Int
        var capacity: Int
    }

    private let storage: UnsafeMutablePointer<Storage>

    init(capacity: Int = 512) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(bytes: .allocate(capacity: capacity), count: 0, capacity: capacity))
    }

    func deallocate() {
        storage.pointee.bytes.deallocate()
        storage.deallocate()
    }

    var count: Int { storage.pointee.count }

    /// The text so far; valid until the next change.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage.pointee.bytes, count: storage.pointee.count)
    }

    /// Drops what was written after `count` bytes.
    func truncate(to count: Int) {
        storage.pointee.count = min(count, storage.pointee.count)
    }

    /// Replaces what was written after `start` bytes.
    func replace(from start: Int, with bytes: [UInt8]) {
        truncate(to: start)
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Room for `extra` more bytes; what is written there counts after `advance(by:)`.
    @inline(__always)
    private func room(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if storage.pointee.capacity &- storage.pointee.count < extra { grow(extra) }
        return storage.pointee.bytes + storage.pointee.count
    }

    @inline(__always)
    private func advance(by count: Int) {
        storage.pointee.count &+= count
    }

    @inline(never)
    private func grow(_ extra: Int) {
        let capacity = max(storage.pointee.capacity * 2, storage.pointee.count + extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.initialize(from: storage.pointee.bytes, count: storage.pointee.count)
        storage.pointee.bytes.deallocate()
        storage.pointee.bytes = larger
        storage.pointee.capacity = capacity
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        room(1).pointee = byte
        advance(by: 1)
    }

    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        room(bytes.count).update(from: start, count: bytes.count)
        advance(by: bytes.count)
    }

    func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Text that needs no escapes and no quotes: a number.
    func append(plain text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// A line feed and two spaces per level.
    func appendLine(level: Int) {
        let count = 1 + 2 * level
        let start = room(count)
        start.pointee = ASCII.lineFeed
        (start + 1).update(repeating: ASCII.space, count: count - 1)
        advance(by: count)
    }

    @inline(__always)
    func append<Integer: FixedWidthInteger>(_ number: Integer) {
        if Integer.bitWidth > 64 {
            append(plain: String(number))
            return
        }
        appendDigits(UInt64(number.magnitude), isNegative: number < 0)
    }

    @inline(never)
    private func appendDigits(_ magnitude: UInt64, isNegative: Bool) {
        // A sign and 20 digits at most, written from the last one on.
        let start = room(21)
        let length = Self.digitCount(magnitude) &+ (isNegative ? 1 : 0)
        var rest = magnitude
        var position = start + length
        repeat {
            position -= 1
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            position.pointee = ASCII.zero &+ UInt8(truncatingIfNeeded: remainder)
            rest = quotient
        } while rest != 0
        if isNegative { start.pointee = ASCII.minus }
        advance(by: length)
    }

    private static func digitCount(_ number: UInt64) -> Int {
        var count = 1
        var rest = number
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        return count &+ (rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
    }
}

extension JSONTextBuffer {
    /// A string in quotes, with what RFC 8259 section 7 asks to be escaped, and slashes if wanted.
    @inline(__always)
    func append(quoted text: String, escapingSlashes: Bool) {
        var text = text
        text.withUTF8 { appendQuoted($0, escapingSlashes: escapingSlashes) }
    }

    private func appendQuoted(_ utf8: UnsafeBufferPointer<UInt8>, escapingSlashes: Bool) {
        append(ASCII.quote)
        if let start = utf8.baseAddress {
            var unwritten = start
            var position = start
            let end = start + utf8.count
            while true {
                position = Self.firstSpecialByte(from: position, to: end, escapingSlashes: escapingSlashes)
                append(UnsafeBufferPointer(start: unwritten, count: position - unwritten))
                if position == end { break }
                appendEscape(position.pointee)
                position += 1
                unwritten = position
            }
        }
        append(ASCII.quote)
    }

    /// The first byte that must be escaped; `end` if there is none.
    @inline(__always)
    private static func firstSpecialByte(
        from start: BytePointer, to end: BytePointer, escapingSlashes: Bool
    ) -> BytePointer {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let slash = escapingSlashes ? ones &* UInt64(ASCII.slash) : ones &* UInt64(ASCII.quote)
        var position = start
        while end - position >= 8 {
            let word = position.word()
            let quotes = (word ^ (ones &* 0x22)) &- ones
            let backslashes = (word ^ (ones &* 0x5C)) &- ones
            let slashes = (word ^ slash) &- ones
            let controls = word &- (ones &* 0x20)
            // Bytes with the high bit set are no ASCII character, whatever the subtractions left in it.
            let special = (quotes | backslashes | slashes | controls) & ~word & highBits
            if special != 0 { return position + (special.trailingZeroBitCount &>> 3) }
            position += 8
        }
        while position < end {
            let byte = position.pointee
            if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash
                || (byte == ASCII.slash && escapingSlashes)
            {
                return position
            }
            position += 1
        }
        return end
    }

    private func appendEscape(_ byte: UInt8) {
        append(ASCII.backslash)
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case ASCII.lineFeed: append(UInt8(ascii: "n"))
        case ASCII.carriageReturn: append(UInt8(ascii: "r"))
        case ASCII.tab: append(UInt8(ascii: "t"))
        case 0..<ASCII.space:
            append("u00")
            append(ASCII.zero + byte >> 4)
            let low = byte & 0xF
            append(low < 10 ? ASCII.zero + low : UInt8(ascii: "a") + low - 10)
        default: append(byte)
        }
    }
}
