/// The character classes of RFC 9110 section 5 that decide what may be sent.
extension UInt8 {
    /// `tchar` of RFC 9110 section 5.6.2.
    var isHTTPTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether the byte may stand in a field value: visible ASCII, space, tab and `obs-text` (section 5.5).
    ///
    /// Every other control character is refused, not only CR, LF and NUL: none of them has a meaning there, and
    /// some servers treat them as line ends.
    var isHTTPFieldValueByte: Bool {
        self == 0x09 || (self >= 0x20 && self != 0x7F)
    }

    /// The lower-case form of an ASCII letter; any other byte unchanged.
    var asciiLowercased: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    /// Whether the byte is one of `0` to `9`.
    var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// Whether the byte is an ASCII letter.
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit, or `nil`.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension StringProtocol {
    /// Whether the text is a non-empty token (RFC 9110 section 5.6.2).
    var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy { $0.isHTTPTokenByte }
    }

    /// Whether the text can be a field value (RFC 9110 section 5.5): no line break, NUL or other control character.
    var isHTTPFieldValue: Bool {
        utf8.allSatisfy { $0.isHTTPFieldValueByte }
    }

    /// The text without the spaces and tabs (`OWS`) around it.
    var trimmingOWS: Substring {
        var slice = Substring(self)
        while let first = slice.utf8.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.utf8.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return slice
    }

    /// Whether both texts are equal when ASCII letters are compared without case. Other characters compare by bytes.
    func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        let left = utf8
        let right = other.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
    }
}
