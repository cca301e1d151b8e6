#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Conversions between `snake_case` and `camelCase`, by the rules of Foundation's JSON coders, so that types that work
/// with one work with the other.
enum SnakeCase {
    /// `one_two` becomes `oneTwo`. Underscores at both ends stay; a name with none inside is left as it is.
    static func camelCase(from name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        if words.count < 2 { return name }
        let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }

    /// `myURLProperty` becomes `my_url_property`: a word starts at a capital after a small letter, and at the last of
    /// several capitals before a small letter.
    static func snakeCase(from name: String) -> String {
        guard !name.isEmpty else { return name }
        var words: [Range<String.Index>] = []
        var wordStart = name.startIndex
        var searchStart = name.index(after: wordStart)

        while let capital = firstScalar(in: name[searchStart...], where: isUppercase) {
            words.append(wordStart..<capital.lowerBound)
            guard let small = firstScalar(in: name[capital.lowerBound...], where: isLowercase) else {
                wordStart = capital.lowerBound
                break
            }
            if small.lowerBound == name.index(after: capital.lowerBound) {
                wordStart = capital.lowerBound
            } else {
                let lastCapital = name.index(before: small.lowerBound)
                words.append(capital.lowerBound..<lastCapital)
                wordStart = lastCapital
            }
            searchStart = small.upperBound
        }
        words.append(wordStart..<name.endIndex)
        return words.map { name[$0].lowercased() }.joined(separator: "_")
    }

    private static func firstScalar(
        in text: Substring, where matches: (Unicode.Scalar) -> Bool
    ) -> Range<String.Index>? {
        guard let start = text.unicodeScalars.firstIndex(where: matches) else { return nil }
        return start..<text.unicodeScalars.index(after: start)
    }

    private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: true
        default: false
        }
    }

    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
