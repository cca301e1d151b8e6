#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A short, printable piece of a body for error messages.
///
/// The values of JSON fields with sensitive names are replaced. Binary content is described, not shown.
enum BodyExcerpt {
    /// At most this many bytes are shown.
    static let limit = 256

    /// The start of the body, or the surroundings of a byte in it.
    static func text(of body: Data, around offset: Int? = nil, mediaType: MediaType? = nil) -> String {
        guard !body.isEmpty else { return "(empty)" }
        let bytes = [UInt8](body.prefix(max(limit, (offset ?? 0) + limit)))
        var start = 0
        if let offset, offset > limit / 2, body.count > limit {
            start = min(offset - limit / 2, max(bytes.count - limit, 0))
        }
        var end = min(start + limit, bytes.count)
        // Do not cut a character in two.
        while start < end, bytes[start] & 0xC0 == 0x80 { start += 1 }
        while end > start, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let slice = bytes[start..<end]
        guard !slice.contains(0), let text = String(validating: slice, as: UTF8.self) else {
            return "(\(body.count) bytes" + (mediaType.map { " of \($0.essence)" } ?? "") + ")"
        }
        var line = ""
        for scalar in redactingJSONFields(text).unicodeScalars {
            line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return (start > 0 ? "…" : "") + line + (end < body.count ? "…" : "")
    }

    /// Replaces the values of sensitive JSON fields in a text that may be cut off anywhere.
    static func redactingJSONFields(_ text: String, names: SensitiveNames = .standard) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "\"") {
            let keyStart = rest.index(after: open)
            guard let close = stringEnd(rest, from: keyStart) else { break }
            var index = rest.index(after: close)
            while index < rest.endIndex, rest[index].isWhitespace { index = rest.index(after: index) }
            guard index < rest.endIndex, rest[index] == ":", names.containsField(rest[keyStart..<close]) else {
                result += rest[...close]
                rest = rest[rest.index(after: close)...]
                continue
            }
            let valueEnd = endOfValue(rest, from: rest.index(after: index))
            result += rest[...index] + "\"" + SensitiveNames.placeholder + "\""
            rest = rest[valueEnd...]
        }
        return result + rest
    }

    private static func stringEnd(_ text: Substring, from start: Substring.Index) -> Substring.Index? {
        var index = start
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(after: index)
                if index == text.endIndex { return nil }
            } else if text[index] == "\"" {
                return index
            }
            index = text.index(after: index)
        }
        return nil
    }

    /// The end of a JSON value: of a string its closing quote, of an object or array its closing bracket, else the
    /// next delimiter. A value that is cut off ends with the text.
    private static func endOfValue(_ text: Substring, from start: Substring.Index) -> Substring.Index {
        var index = start
        var depth = 0
        while index < text.endIndex {
            switch text[index] {
            case "\"":
                guard let close = stringEnd(text, from: text.index(after: index)) else { return text.endIndex }
                index = close
                if depth == 0 { return text.index(after: index) }
            case "{", "[": depth += 1
            case "}", "]":
                if depth <= 0 { return index }
                depth -= 1
                if depth == 0 { return text.index(after: index) }
            case "," where depth == 0: return index
            default: break
            }
            index = text.index(after: index)
        }
        return text.endIndex
    }
}
