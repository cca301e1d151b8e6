#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Bodies as logs show them: text, cut to a length, the values of sensitive fields replaced.
enum BodyText {
    /// The start of a body. Content that is not text is described.
    static func text(of body: Data, mediaType: MediaType?, limit: Int, names: SensitiveNames) -> String {
        guard !body.isEmpty else { return "(empty)" }
        var bytes = [UInt8](body.prefix(max(limit, 0)))
        // Do not cut a character in two: at most three bytes of one can stand at the end.
        if bytes.count < body.count {
            for _ in 0..<3 where String(validating: bytes, as: UTF8.self) == nil && !bytes.isEmpty {
                bytes.removeLast()
            }
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            return "(\(body.count) bytes" + (mediaType.map { " of \($0.essence)" } ?? "") + ")"
        }
        var line = ""
        for scalar in redacting(text, mediaType: mediaType, names: names).unicodeScalars {
            line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return line + (bytes.count < body.count ? "… (\(body.count) bytes)" : "")
    }

    /// Replaces the values of sensitive fields, in forms by their pairs, else by what looks like JSON.
    static func redacting(_ text: String, mediaType: MediaType?, names: SensitiveNames) -> String {
        guard mediaType?.essence == "application/x-www-form-urlencoded" else {
            return BodyExcerpt.redactingJSONFields(text, names: names)
        }
        return text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "="), names.containsField(PercentEncoding.decode(pair[..<equals]))
            else { return String(pair) }
            return pair[...equals] + SensitiveNames.placeholder
        }.joined(separator: "&")
    }
}
