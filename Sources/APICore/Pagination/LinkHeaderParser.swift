/// Reads the value of a `Link` field by the algorithm of RFC 8288, appendix B.2 and B.3.
struct LinkHeaderParser: Sendable {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func links() -> [WebLink] {
        var links: [WebLink] = []
        while true {
            skip { $0.isOWS || $0 == UInt8(ascii: ",") }
            guard current == UInt8(ascii: "<") else {
                // Not a link: to the next comma. Appendix B.2 would give up; the links behind it are worth having.
                guard current != nil else { return links }
                skip { $0 != UInt8(ascii: ",") }
                continue
            }
            index += 1
            let start = index
            skip { $0 != UInt8(ascii: ">") }
            guard current != nil else { return links }
            let target = text(start..<index).trimmingOWS
            index += 1
            links += link(String(target), parameters())
        }
    }

    private func link(_ target: String, _ parameters: [WebLink.Parameter]) -> [WebLink] {
        // Only the first `rel` counts, and a link without one says nothing (section 3.3).
        guard let relation = parameters.first(where: { $0.name == "rel" }) else { return [] }
        let relations = relation.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { name in
            // Registered names compare without case, URIs as they are.
            name.utf8.contains(UInt8(ascii: ":")) ? String(name) : name.lowercased()
        }
        var seen: Set<String> = []
        var others: [WebLink.Parameter] = []
        for parameter in parameters where parameter.name != "rel" {
            // The first of a name counts; `title*` comes before `title` (section 3.4.1).
            if parameter.name.hasSuffix("*") {
                let name = String(parameter.name.dropLast())
                guard let value = ExtendedValue.decode(parameter.value), seen.insert(name + "*").inserted else {
                    continue
                }
                others.removeAll { $0.name == name }
                others.append(WebLink.Parameter(name: name, value: value))
                seen.insert(name)
            } else if seen.insert(parameter.name).inserted {
                others.append(parameter)
            }
        }
        return [WebLink(target: target, relations: relations, parameters: others)]
    }

    /// The parameters behind a target, up to the comma that ends the link.
    private mutating func parameters() -> [WebLink.Parameter] {
        var parameters: [WebLink.Parameter] = []
        while true {
            skip(\.isOWS)
            guard current == UInt8(ascii: ";") else {
                skip { $0 != UInt8(ascii: ",") }
                return parameters
            }
            index += 1
            skip(\.isOWS)
            let start = index
            skip { !$0.isOWS && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            let name = text(start..<index).lowercased()
            skip(\.isOWS)
            var value = ""
            if current == UInt8(ascii: "=") {
                index += 1
                skip(\.isOWS)
                value = current == UInt8(ascii: "\"") ? quotedString() : token()
            }
            if !name.isEmpty { parameters.append(WebLink.Parameter(name: name, value: value)) }
        }
    }

    private mutating func quotedString() -> String {
        index += 1
        var result: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += 1
            if byte == UInt8(ascii: "\\") {
                guard let escaped = current else { break }
                result.append(escaped)
                index += 1
            } else {
                result.append(byte)
            }
        }
        index = min(index + 1, bytes.count)
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func token() -> String {
        let start = index
        skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        return String(text(start..<index).trimmingOWS)
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while let byte = current, condition(byte) { index += 1 }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

/// Parameter values with a character encoding (RFC 8187 section 3.2): `UTF-8'en'%e2%82%ac`.
enum ExtendedValue {
    /// The text, or `nil` when it is malformed or in an encoding other than UTF-8.
    static func decode(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].equalsIgnoringASCIICase("UTF-8") else { return nil }
        var result: [UInt8] = []
        var rest = Array(parts[2].utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return String(validating: result, as: UTF8.self)
    }
}

extension UInt8 {
    /// A space or a tab.
    fileprivate var isOWS: Bool { self == 0x20 || self == 0x09 }
}
