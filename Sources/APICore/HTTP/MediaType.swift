/// A media type with its parameters (RFC 9110 section 8.3.1).
///
/// ```swift
/// let type = MediaType("application/problem+json; charset=utf-8")
/// type?.essence          // "application/problem+json"
/// type?.isJSON           // true
/// type?["charset"]       // "utf-8"
/// ```
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// Type and subtype in lower case: `text/html`.
    public let essence: String
    /// The parameters in order; names in lower case, quoted values without their quotes.
    public let parameters: [Parameter]

    /// One parameter of a media type.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value, without quotes and escapes.
        public let value: String
    }

    /// Reads a field value; `nil` when it has no `type/subtype`. Malformed parameters are skipped.
    public init?(_ text: some StringProtocol) {
        let members = text.splitHTTPList(separator: UInt8(ascii: ";"))
        guard let first = members.first else { return nil }
        let parts = first.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isHTTPToken, parts[1].isHTTPToken else { return nil }
        essence = first.lowercased()
        parameters = members.dropFirst().compactMap { member in
            let pair = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            let name = pair[0].trimmingOWS.lowercased()
            guard name.isHTTPToken else { return nil }
            return Parameter(name: name, value: pair[1].trimmingOWS.unquotedHTTPString)
        }
    }

    /// The value of the first parameter of that name, compared without case.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// Whether the content is JSON: `application/json`, `text/json` or any type with the `+json` suffix (RFC 6839).
    public var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// The essence with its parameters.
    public var description: String {
        parameters.reduce(essence) { $0 + "; \($1.name)=" + ($1.value.isHTTPToken ? $1.value : "\"\($1.value)\"") }
    }
}

extension StringProtocol {
    /// The content of a `quoted-string` (RFC 9110 section 5.6.4), or the text itself when it is not quoted.
    var unquotedHTTPString: String {
        let text = Substring(self)
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") else {
            return String(self)
        }
        var result = ""
        var escaped = false
        for character in unicodeScalars.dropFirst().dropLast() {
            if !escaped, character == "\\" {
                escaped = true
            } else {
                result.unicodeScalars.append(character)
                escaped = false
            }
        }
        return result
    }
}
