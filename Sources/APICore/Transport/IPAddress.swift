/// An IP address as a connection uses it, with the classes that matter for deciding where a service may connect.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four bytes for IPv4, sixteen for IPv6, in network order.
    public let bytes: [UInt8]

    /// Makes an address from its bytes; `nil` when there are not 4 or 16.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads dotted-decimal IPv4 or any form of IPv6 (RFC 4291 section 2.2), with or without brackets. The lax IPv4
    /// forms of `inet_aton` (octal, hexadecimal, fewer parts) are not addresses here.
    public init?(_ text: some StringProtocol) {
        var text = text[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        if let four = IPAddress.parseIPv4(text) {
            bytes = four
        } else if let sixteen = IPAddress.parseIPv6(text) {
            bytes = sixteen
        } else {
            return nil
        }
    }

    /// Whether it is an IPv4 address.
    public var isIPv4: Bool { bytes.count == 4 }

    /// Whether the address belongs to the public internet: none of the special-purpose blocks of the IANA registries
    /// (RFC 6890), and no IPv6 form that carries such an IPv4 address inside.
    public var isPubliclyRoutable: Bool {
        if isIPv4 { return !IPAddress.specialIPv4.contains { $0.contains(bytes) } }
        if let inner = embeddedIPv4 { return inner.isPubliclyRoutable }
        // Only 2000::/3 is handed out as global unicast (RFC 4291 section 2.4).
        return bytes[0] & 0xE0 == 0x20 && !IPAddress.specialIPv6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address an IPv6 one stands for: mapped (`::ffff:0:0/96`), compatible (`::/96`), translated
    /// (`64:ff9b::/96`, RFC 6052, and `::ffff:0:0:0/96`, RFC 7915) or 6to4 (`2002::/16`, RFC 3056).
    public var embeddedIPv4: IPAddress? {
        guard bytes.count == 16 else { return nil }
        let head = Array(bytes[0..<12])
        let zeros = [UInt8](repeating: 0, count: 10)
        let forms: [[UInt8]] = [
            zeros + [0xFF, 0xFF],
            [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
        ]
        if forms.contains(head) { return IPAddress(bytes: bytes[12..<16]) }
        // `::` and `::1` are not IPv4-compatible addresses.
        if head == zeros + [0, 0], bytes[12...14] != [0, 0, 0] { return IPAddress(bytes: bytes[12..<16]) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPAddress(bytes: bytes[2..<6]) }
        return nil
    }

    /// The usual text form; IPv6 as RFC 5952 section 4 wants it.
    public var description: String {
        if isIPv4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(best.count, 1) { best = start..<end }
            start = max(end, start + 1)
        }
        func text(_ range: some Sequence<UInt16>) -> String {
            range.map { String($0, radix: 16) }.joined(separator: ":")
        }
        if best.isEmpty { return text(groups) }
        return text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
    }

    /// A block of addresses.
    private struct Block: Sendable {
        let prefix: [UInt8]
        let length: Int

        init(_ prefix: [UInt8], _ length: Int) {
            self.prefix = prefix
            self.length = length
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            for (index, byte) in prefix.enumerated() {
                let bits = min(max(length - index * 8, 0), 8)
                let mask = bits == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
                if bytes[index] & mask != byte & mask { return false }
            }
            return true
        }
    }

    private static let specialIPv4: [Block] = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 31, 196], 24),
        Block([192, 52, 193], 24), Block([192, 88, 99], 24), Block([192, 168], 16), Block([192, 175, 48], 24),
        Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24), Block([224], 4), Block([240], 4),
    ]

    private static let specialIPv6: [Block] = [
        Block([0x20, 0x01, 0, 0], 23),  // IETF protocol assignments, Teredo, ORCHID
        Block([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        Block([0x3F, 0xFF, 0x00], 20),  // documentation (RFC 9637)
        Block([0x26, 0x20, 0x00, 0x4F, 0x80, 0x00], 48),  // AS112
    ]

    private static func parseIPv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            // A leading zero means octal to some parsers: refused, so that no two readers disagree.
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ $0.isASCIIDigit }),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"), let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseIPv6(_ text: some StringProtocol) -> [UInt8]? {
        func groups(_ half: some StringProtocol, mayEndInIPv4: Bool) -> [UInt8]? {
            if half.isEmpty { return [] }
            var bytes: [UInt8] = []
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index == parts.count - 1, mayEndInIPv4, let four = parseIPv4(part) {
                    bytes += four
                } else {
                    guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.hexDigitValue != nil }),
                        let group = UInt16(part, radix: 16)
                    else { return nil }
                    bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
                }
            }
            return bytes
        }
        guard let gap = text.utf8.firstRange(of: "::".utf8) else {
            guard let bytes = groups(text, mayEndInIPv4: true), bytes.count == 16 else { return nil }
            return bytes
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInIPv4: false),
            let tail = groups(text[gap.upperBound...], mayEndInIPv4: true), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }
}
