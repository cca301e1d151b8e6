#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX shell, credentials replaced.
    ///
    /// ```swift
    /// print(try client.httpRequest(for: CreatePost(post: post)).curlCommand())
    /// // curl -X POST 'https://api.example.com/posts' -H 'Authorization: <redacted>' --data-raw '{"title":"Hello"}'
    /// ```
    ///
    /// - Parameter names: Which header fields, query items, and fields of JSON and form bodies are replaced by
    ///   `<redacted>`; `nil` shows everything, secrets too.
    public func curlCommand(redacting names: SensitiveNames? = .standard) -> String {
        let hidden = names.map { $0.union(context.sensitiveNames) }
        let target = hidden.map { url.redacted($0) } ?? url.string
        var words = ["curl"]
        switch method {
        case .get where body.isNone: break
        case .head: words.append("--head")
        default: words += ["-X", method.rawValue.shellQuoted]
        }
        // Brackets and braces in a URL are curl's patterns unless it is told otherwise.
        if target.utf8.contains(where: { [UInt8(ascii: "["), UInt8(ascii: "{")].contains($0) }) {
            words.append("--globoff")
        }
        words.append(target.shellQuoted)
        for field in headers {
            let isSecret = hidden?.containsHeader(field.name) ?? false
            let value = isSecret ? SensitiveNames.placeholder : field.value
            // A name with a colon and no value means to leave the field out; with a semicolon, to send it empty.
            words += ["-H", (value.isEmpty ? "\(field.name);" : "\(field.name): \(value)").shellQuoted]
        }
        switch body.content {
        case .none: break
        case .bytes(let data):
            if let text = String(validating: data, as: UTF8.self), !data.contains(0) {
                let type = headers[.contentType].flatMap { MediaType($0) }
                let shown = hidden.map { BodyText.redacting(text, mediaType: type, names: $0) } ?? text
                words += ["--data-raw", shown.shellQuoted]
            } else {
                words += ["--data-binary", "@-", "# \(data.count) bytes of binary data on standard input"]
            }
        case .file(let path): words += ["--data-binary", "@\(path)".shellQuoted]
        case .stream: words += ["--data-binary", "@-", "# a stream on standard input"]
        }
        return words.joined(separator: " ")
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    fileprivate var shellQuoted: String {
        let plain = utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        if plain, !isEmpty { return self }
        var quoted = "'"
        for scalar in unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }
}
