/// A response's status code (RFC 9110 section 15).
///
/// Open: every registered code has a name, and any other code is a value too, never an error. An unknown code is
/// treated as the x00 of its class (RFC 9110 section 15), which the class properties do.
///
/// ```swift
/// if response.status == .notFound { … }
/// if response.status.isServerError { … }
/// ```
public struct HTTPStatusCode: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// The code as a number.
    public let rawValue: Int

    /// Makes a status from any number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes a status from any number.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes a status from a literal.
    public init(integerLiteral value: Int) {
        self.rawValue = value
    }

    /// 1xx: the final response is still to come.
    public var isInformational: Bool { 100..<200 ~= rawValue }
    /// 2xx.
    public var isSuccess: Bool { 200..<300 ~= rawValue }
    /// 3xx.
    public var isRedirection: Bool { 300..<400 ~= rawValue }
    /// 4xx.
    public var isClientError: Bool { 400..<500 ~= rawValue }
    /// 5xx.
    public var isServerError: Bool { 500..<600 ~= rawValue }
    /// 4xx or 5xx.
    public var isError: Bool { 400..<600 ~= rawValue }

    /// Whether a response of this status never has a body, whatever its header fields say (RFC 9112 section 6.3):
    /// 1xx, 204 and 304.
    public var hasNoBody: Bool { isInformational || self == .noContent || self == .notModified }

    /// The registered reason phrase, or an empty text for a code that is not registered.
    public var reasonPhrase: String { HTTPStatusCode.reasonPhrases[rawValue] ?? "" }

    /// Orders by number.
    public static func < (left: HTTPStatusCode, right: HTTPStatusCode) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension HTTPStatusCode: CustomStringConvertible {
    /// `404 Not Found`, or the number alone when the code is not registered.
    public var description: String {
        let phrase = reasonPhrase
        return phrase.isEmpty ? "\(rawValue)" : "\(rawValue) \(phrase)"
    }
}
