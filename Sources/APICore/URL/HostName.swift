/// Host names and address literals in the form that is sent (RFC 3986 section 3.2.2, RFC 5891).
enum HostName {
    /// The host in lower case and ASCII, or `nil` when it is none.
    ///
    /// International names are lower-cased, their ideographic full stops become dots, and each label is encoded by
    /// Punycode. The text is expected in normalisation form C, as keyboards give it: there is no Unicode table here.
    static func ascii(_ text: some StringProtocol) -> String? {
        if text.utf8.first == UInt8(ascii: "[") { return ipv6Literal(text) }
        if text.utf8.allSatisfy({ $0.isPlainHostByte }) { return checkedLabels(text.lowercased()) }
        guard !text.utf8.contains(UInt8(ascii: "%")) else { return nil }
        var mapped = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3002, 0xFF0E, 0xFF61: mapped.unicodeScalars.append(".")
            case 0x00AD, 0x200B...0x200D, 0x2060, 0xFEFF: continue  // Ignored by UTS 46.
            case 0x2000...0x206F, 0xFFF0...0xFFFF, 0xE000...0xF8FF: return nil
            default: mapped.unicodeScalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        var labels: [String] = []
        for label in mapped.split(separator: ".", omittingEmptySubsequences: false) {
            guard let encoded = Punycode.asciiLabel(label) else { return nil }
            labels.append(encoded)
        }
        let host = labels.joined(separator: ".")
        return host.utf8.allSatisfy { $0.isPlainHostByte } ? checkedLabels(host) : nil
    }

    /// RFC 1035 section 2.3.4: labels of 1 to 63 bytes, 253 in all; one dot at the end is allowed.
    private static func checkedLabels(_ host: String) -> String? {
        let name = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
        guard !name.isEmpty, name.utf8.count <= 253 else { return nil }
        var length = 0
        for byte in name.utf8 {
            if byte == UInt8(ascii: ".") {
                guard length > 0 else { return nil }
                length = 0
            } else {
                length += 1
                guard length <= 63 else { return nil }
            }
        }
        return length > 0 ? host : nil
    }

    /// `[` IPv6 address `]`. Zone identifiers are refused: they mean nothing outside this machine (RFC 9844).
    private static func ipv6Literal(_ text: some StringProtocol) -> String? {
        guard Substring(text).utf8.last == UInt8(ascii: "]") else { return nil }
        let address = text.dropFirst().dropLast()
        guard address.utf8.contains(UInt8(ascii: ":")), address.utf8.count <= 45,
            address.utf8.allSatisfy({ $0.hexDigitValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        else { return nil }
        return "[" + address.lowercased() + "]"
    }
}

extension UInt8 {
    /// Letters, digits, hyphen, dot and underscore: what host names are made of in practice. The other characters
    /// RFC 3986 allows in a registered name are not: no resolver takes them.
    fileprivate var isPlainHostByte: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_")
    }
}
