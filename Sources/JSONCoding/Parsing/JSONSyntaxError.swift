/// Why a text is not JSON, and where.
///
/// `FastJSONDecoder` throws it inside `DecodingError.dataCorrupted`, as the context's `underlyingError`:
///
/// ```swift
/// do {
///     users = try FastJSONDecoder().decode([User].self, from: data)
/// } catch let error as DecodingError {
///     if let location = error.jsonLocation { print("line \(location.line), column \(location.column): \(error)") }
/// }
/// ```
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong (RFC 8259).
    public enum Reason: Sendable, Hashable {
        /// The text ends inside a value, or holds none.
        case unexpectedEnd
        /// A byte that cannot start a value.
        case unexpectedByte(UInt8)
        /// An object's name is missing: a name is a string in double quotes.
        case nameExpected
        /// A colon is missing after a name.
        case colonExpected
        /// A comma or the closing bracket is missing.
        case commaOrEndExpected
        /// Something follows the value.
        case trailingContent
        /// A number that breaks the grammar of section 6, such as `01`, `1.` or `+1`.
        case invalidNumber
        /// An escape that section 7 does not have.
        case invalidEscape
        /// Half of a UTF-16 surrogate pair, which stands for no character.
        case loneSurrogate
        /// A control character (U+0000 to U+001F) that is not escaped.
        case controlCharacter
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// Containers nested deeper than the limit.
        case tooDeep(limit: Int)
        /// A text, or one string in it, longer than the limit, in bytes.
        case tooLarge(limit: Int)
    }

    /// What is wrong.
    public var reason: Reason
    /// Where it is wrong.
    public var location: JSONSourceLocation

    /// Creates an error.
    public init(reason: Reason, location: JSONSourceLocation) {
        self.reason = reason
        self.location = location
    }

    /// What is wrong and where, in English.
    public var description: String { "\(reason.description) (\(location))" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// What is wrong, in English.
    public var description: String {
        switch self {
        case .unexpectedEnd: "unexpected end of the text"
        case .unexpectedByte(let byte):
            byte > 0x20 && byte < 0x7F
                ? "unexpected character '\(Character(Unicode.Scalar(byte)))'"
                : "unexpected byte 0x\(String(byte, radix: 16))"
        case .nameExpected: "expected a name in double quotes"
        case .colonExpected: "expected a colon after the name"
        case .commaOrEndExpected: "expected a comma or the end of the container"
        case .trailingContent: "unexpected content after the value"
        case .invalidNumber: "malformed number"
        case .invalidEscape: "malformed escape sequence"
        case .loneSurrogate: "half of a surrogate pair"
        case .controlCharacter: "control character that is not escaped"
        case .invalidUTF8: "malformed UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooLarge(let limit): "longer than \(limit) bytes"
        }
    }
}

/// Where in the text a well-formed value could not be decoded: the `underlyingError` of the `DecodingError`s thrown for
/// such values.
public struct JSONLocatedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where the value is.
    public var location: JSONSourceLocation

    /// Creates an error.
    public init(location: JSONSourceLocation) {
        self.location = location
    }

    /// Where the value is, in English.
    public var description: String { "at \(location)" }
}

extension DecodingError {
    /// Where in the JSON text the error is, if `FastJSONDecoder` threw it.
    public var jsonLocation: JSONSourceLocation? {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return nil
        }
        if let error = context.underlyingError as? JSONSyntaxError { return error.location }
        return (context.underlyingError as? JSONLocatedError)?.location
    }
}
