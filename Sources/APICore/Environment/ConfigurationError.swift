/// Why an environment could not be loaded: which file, which key, and what is wrong. It never holds a value that could
/// be a secret.
public struct ConfigurationError: Error, Sendable, Hashable {
    /// The file, or `nil` when the problem is in a variable.
    public let file: String?
    /// The key, its levels joined by dots: `headers.Authorization`; or the name of a variable.
    public let key: String?
    /// What is wrong.
    public let problem: Problem

    /// What is wrong.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Problem: Sendable, Hashable {
        /// There is no such file; the places that were looked at.
        case fileNotFound(searched: [String])
        /// The file exists and cannot be read.
        case unreadableFile(String)
        /// The file is not JSON.
        case malformedJSON(String)
        /// The key is not one that is known; the ones that are.
        case unknownKey(known: [String])
        /// The key must be there.
        case missingKey
        /// The value is of another kind.
        case wrongType(expected: String, found: String)
        /// The URL cannot be used.
        case invalidURL(InvalidRequest.Reason)
        /// The name of a header field is not a token, or its value holds a control character.
        case invalidHeader
        /// A `${VARIABLE}` that is not set.
        case missingVariable(String)
        /// A `${` without its `}`.
        case unterminatedVariable
        /// The text is not a duration.
        case invalidDuration
        /// The value is none of those that make sense here.
        case notAllowed(allowed: String)
    }

    /// Makes the error.
    public init(file: String?, key: String?, _ problem: Problem) {
        self.file = file
        self.key = key
        self.problem = problem
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// File, key, and what is wrong with it.
    public var description: String {
        [file, key, problem.description].compactMap { $0 }.joined(separator: ": ")
    }
}

extension ConfigurationError.Problem: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .fileNotFound(let searched): "there is no such file; looked at \(searched.joined(separator: ", "))"
        case .unreadableFile(let reason): "the file cannot be read: \(reason)"
        case .malformedJSON(let reason): "the file is not valid JSON: \(reason)"
        case .unknownKey(let known): "unknown key; known are \(known.joined(separator: ", "))"
        case .missingKey: "the key is missing"
        case .wrongType(let expected, let found): "expected \(expected), found \(found)"
        case .invalidURL(let reason): "\(reason)"
        case .invalidHeader: "not a header field: the name must be a token, the value without control characters"
        case .missingVariable(let name): "the environment variable \(name) is not set"
        case .unterminatedVariable: "a ${ has no closing }"
        case .invalidDuration: "not a duration: write seconds as a number, or a text such as \"250ms\", \"30s\", \"2m\""
        case .notAllowed(let allowed): "the value must be \(allowed)"
        }
    }
}
