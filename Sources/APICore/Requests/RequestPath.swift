#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The path of a request, appended to the base URL. It can never change the scheme, host or port, or climb out of the
/// base.
///
/// Every interpolated value becomes one segment: slashes, question marks and dots in it lose their meaning.
///
/// ```swift
/// var path: RequestPath { "repos/\(owner)/files/\(name)" }     // name "a/b c" gives repos/…/files/a%2Fb%20c
/// var path: RequestPath { "search?kind=\(kind)" }              // the query is joined with the parameters
/// ```
///
/// The literal parts are URL text: what may not stand there is percent-encoded, escapes stay as they are. A `.` or
/// `..` segment, a fragment, a control character, or a value that is empty where a segment should be, is refused when
/// the request is built.
///
/// Unlike reference resolution (RFC 3986 section 5), which would drop `/v1` from `https://host/v1` and let `//other`
/// take over the host, a path is appended, with exactly one slash at the seam.
public struct RequestPath: Sendable, Hashable {
    /// The encoded path, without a query.
    public let encoded: String
    /// The encoded query of a literal with a question mark.
    public let query: String?
    /// What is wrong with it, if anything.
    let problem: InvalidRequest.PathProblem?

    private init(encoded: String, query: String?, problem: InvalidRequest.PathProblem?) {
        self.encoded = encoded
        self.query = query
        self.problem = problem
    }

    /// A path given as URL text, which may bring a query.
    public init(_ text: some StringProtocol) {
        self.init(stringInterpolation: StringInterpolation(literal: String(text)))
    }

    /// A path of type `String`: a question mark in it is refused, since it may come from a value.
    init(plain text: String) {
        let path = RequestPath(text)
        self.init(
            encoded: path.encoded, query: nil, problem: path.query == nil ? path.problem : .containsQuery)
    }

    /// The values, each percent-encoded as one segment.
    public init(segments: [String]) {
        var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: segments.count)
        for (index, segment) in segments.enumerated() {
            if index > 0 { interpolation.appendLiteral("/") }
            interpolation.appendInterpolation(segment)
        }
        self.init(stringInterpolation: interpolation)
    }
}

extension RequestPath: ExpressibleByStringInterpolation {
    /// A literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// A literal with values.
    public init(stringInterpolation interpolation: StringInterpolation) {
        var problem = interpolation.problem
        if problem == nil { problem = interpolation.segmentProblem }
        self.init(encoded: interpolation.path, query: interpolation.query, problem: problem)
    }

    /// Collects the pieces of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = ""
        fileprivate var query: String?
        fileprivate var problem: InvalidRequest.PathProblem?
        /// Segment by segment: how many literal characters and how many values it has.
        private var literalLengths = [0]
        private var valueCounts = [0]

        /// Starts with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {
            path.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        fileprivate init(literal: String) {
            appendLiteral(literal)
        }

        /// Adds URL text.
        public mutating func appendLiteral(_ literal: String) {
            guard !literal.isEmpty else { return }
            if literal.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { problem = .controlCharacter }
            if literal.utf8.contains(UInt8(ascii: "#")) { problem = problem ?? .containsFragment }
            var rest = literal[...]
            if query == nil, let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
                appendPathLiteral(rest[..<mark])
                rest = rest[rest.utf8.index(after: mark)...]
                query = ""
            }
            if query != nil {
                query? += PercentEncoding.encodeKeepingEscapes(rest, allowed: .query)
            } else {
                appendPathLiteral(rest)
            }
        }

        private mutating func appendPathLiteral(_ literal: Substring) {
            if path.isEmpty, literal.contains("://") { problem = problem ?? .absoluteURL }
            for (index, segment) in literal.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    literalLengths.append(0)
                    valueCounts.append(0)
                }
                literalLengths[literalLengths.count - 1] += segment.utf8.count
            }
            path += PercentEncoding.encodeKeepingEscapes(literal, allowed: .path)
        }

        private mutating func appendValue(_ text: String) {
            guard query == nil else {
                query? += PercentEncoding.encode(text)
                return
            }
            valueCounts[valueCounts.count - 1] += 1
            switch text {
            case ".": path += "%2E"
            case "..": path += "%2E%2E"
            default: path += PercentEncoding.encode(text)
            }
        }

        /// A segment of dots is an error unless one value made it; so is a segment of values that are all empty.
        fileprivate var segmentProblem: InvalidRequest.PathProblem? {
            for (index, segment) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                let isOneValue = literalLengths[index] == 0 && valueCounts[index] == 1
                if DotSegment(segment) != nil, !isOneValue { return .dotSegment }
                if segment.isEmpty, valueCounts[index] > 0 { return .emptyValue }
            }
            return nil
        }

        /// Adds a value as one segment.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            appendValue(String(value))
        }

        /// Adds a value as one segment.
        public mutating func appendInterpolation(_ value: UUID) {
            appendValue(value.uuidString)
        }

        /// Adds the raw value as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            appendValue(String(value.rawValue))
        }

        /// Adds the raw value as one segment.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            appendValue(String(value.rawValue))
        }

        /// Adds text that is encoded already: its slashes, escapes and question mark keep their meaning.
        public mutating func appendInterpolation(raw text: String) {
            appendLiteral(text)
        }

        /// Refused: a segment cannot be absent.
        @available(*, unavailable, message: "a path segment cannot be nil: unwrap the optional first")
        public mutating func appendInterpolation<Value>(_ value: Value?) {}

        /// Refused: the value has no text that would come back as itself.
        @available(
            *, unavailable,
            message: "a path segment needs a value with a lossless text: a String, a number, a UUID or a raw value"
        )
        public mutating func appendInterpolation<Value>(_ value: Value) {}
    }
}

extension RequestPath: CustomStringConvertible {
    /// The encoded path with its query.
    public var description: String { encoded + (query.map { "?" + $0 } ?? "") }
}

/// A type whose values are paths. Text, ``RequestPath`` and string enumerations are paths already.
public protocol RequestPathConvertible: Sendable {
    /// The value as a path.
    var requestPath: RequestPath { get }
}

extension RequestPath: RequestPathConvertible {
    /// Itself.
    public var requestPath: RequestPath { self }
}

extension String: RequestPathConvertible {
    /// The text as a path. A question mark is refused when the request is built: it may come from a value.
    public var requestPath: RequestPath { RequestPath(plain: self) }
}

extension RequestPathConvertible where Self: RawRepresentable, RawValue == String {
    /// The raw value as a path.
    public var requestPath: RequestPath { RequestPath(rawValue) }
}
