/// Percent-encoding (RFC 3986 section 2.1), over bytes of UTF-8.
enum PercentEncoding {
    /// Which bytes stand for themselves.
    struct AllowedBytes: Sendable {
        private let low: UInt64
        private let high: UInt64

        fileprivate init(_ characters: String) {
            var low: UInt64 = 0
            var high: UInt64 = 0
            for byte in characters.utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
            self.low = low
            self.high = high
        }

        @inline(__always) func contains(_ byte: UInt8) -> Bool {
            byte < 128 && ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 == 1
        }

        private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        private static let subDelimiters = "!$&'()*+,;="

        /// `unreserved` (section 2.3): what never needs encoding, in any place.
        static let unreserved = AllowedBytes(alphanumerics + "-._~")
        /// `pchar` and `/` (section 3.3), `%` aside.
        static let path = AllowedBytes(alphanumerics + "-._~/:@" + subDelimiters)
        /// `query` (section 3.4), `%` aside.
        static let query = AllowedBytes(alphanumerics + "-._~/:@?" + subDelimiters)
        /// What the form serializer of the WHATWG URL standard leaves alone (section 1.3), the space aside.
        static let form = AllowedBytes(alphanumerics + "*-._")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes every byte that is not in `allowed`.
    static func encode(_ text: some StringProtocol, allowed: AllowedBytes = .unreserved) -> String {
        if text.utf8.allSatisfy({ allowed.contains($0) }) { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 { append(byte, to: &bytes, allowed: allowed) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes what may not stand in a URL and leaves everything else, well-formed `%xx` included, as it is.
    ///
    /// For text the caller already wrote as a URL: it is never decoded and never encoded twice. Only a `%` that
    /// starts no escape is encoded.
    static func encodeKeepingEscapes(_ text: some StringProtocol, allowed: AllowedBytes) -> String {
        if text.utf8.allSatisfy({ allowed.contains($0) }) { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count * 3)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, source[index + 1].hexDigitValue != nil,
                source[index + 2].hexDigitValue != nil
            {
                bytes += source[index...(index + 2)]
                index += 3
            } else {
                append(source[index], to: &bytes, allowed: allowed)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes well-formed escapes; the rest stays. Bytes that are no UTF-8 become U+FFFD.
    static func decode(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = source[index + 1].hexDigitValue, let low = source[index + 2].hexDigitValue
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8], allowed: AllowedBytes) {
        if allowed.contains(byte) {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
