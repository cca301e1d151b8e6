/// Keeps secrets out of texts that end up in errors and logs.
enum SecretText {
    /// The text with whatever stands between `//` and `@` replaced.
    static func redactingUserInfo(_ text: String) -> String {
        guard let at = text.firstIndex(of: "@") else { return text }
        let start = text.utf8.firstRange(of: "//".utf8)?.upperBound ?? text.startIndex
        guard start <= at else { return text }
        return text[..<start] + SensitiveNames.placeholder + text[at...]
    }
}
