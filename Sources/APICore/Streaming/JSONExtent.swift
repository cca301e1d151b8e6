/// Follows a JSON text by its brackets and quotes alone, to tell whether it can be whole. Every byte is looked at once.
struct JSONExtent: Sendable {
    private var isStarted = false
    /// A number, `true`, `false` or `null`: nothing in them says where they end.
    private var isBare = false
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var endsInWhitespace = false

    /// Whether there was anything but white space.
    var isEmpty: Bool { !isStarted }

    /// Objects, arrays and strings must be closed; anything else must be followed by white space (RFC 7464 section
    /// 2.4), because `12` may be the start of `123`.
    var isComplete: Bool {
        isStarted && depth <= 0 && !isInString && (!isBare || endsInWhitespace)
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            endsInWhitespace = byte.isJSONWhitespace
            if isInString {
                readInString(byte)
            } else if !endsInWhitespace {
                readOutsideString(byte)
            }
        }
    }

    private mutating func readInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }

    private mutating func readOutsideString(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: if !isStarted { isBare = true }
        }
        isStarted = true
    }
}

extension UInt8 {
    /// Space, tab, LF or CR (RFC 8259 section 2).
    var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}
