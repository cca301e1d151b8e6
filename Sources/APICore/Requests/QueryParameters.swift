#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Parameters of a request, for the query or, when they say so, for the body.
///
/// A literal takes values, variables, optionals, arrays and nested dictionaries as they come; what is `nil` is left out:
///
/// ```swift
/// var parameters: QueryParameters { ["q": text, "page": page, "tags": ["a", "b"], "raw": true, "since": date] }
/// var parameters: QueryParameters { QueryParameters(["grant_type": "password"], in: .body(.form)) }
/// ```
///
/// The order of a literal is kept; that of a dictionary is alphabetical, so that URLs are the same every time.
/// Names and values are percent-encoded except for the unreserved characters of RFC 3986 section 2.3, so a plus sign,
/// an ampersand or a space arrives as itself.
public struct QueryParameters: Sendable, Hashable {
    /// Where the parameters go.
    public enum Destination: Sendable, Hashable {
        /// Behind the question mark.
        case query
        /// Into the body, with the matching content type unless the request sets one.
        case body(BodyFormat)
    }

    /// How parameters are written in a body.
    public enum BodyFormat: Sendable, Hashable {
        /// `application/x-www-form-urlencoded`.
        case form
        /// `application/json`, an object.
        case json
    }

    /// The parameters in order.
    public private(set) var members: [QueryValue.Member]
    /// Where they go.
    public var destination: Destination
    /// How they are written; `nil` takes the client's style.
    public var style: ParameterStyle?

    /// No parameters.
    public init() {
        self.init(members: [])
    }

    init(members: [QueryValue.Member], destination: Destination = .query, style: ParameterStyle? = nil) {
        self.members = members
        self.destination = destination
        self.style = style
    }

    /// Parameters with a destination or style of their own.
    ///
    /// ```swift
    /// QueryParameters(["ids": ids], style: ParameterStyle(arrays: .comma))
    /// ```
    public init(_ parameters: QueryParameters, in destination: Destination = .query, style: ParameterStyle? = nil) {
        self.init(members: parameters.members, destination: destination, style: style ?? parameters.style)
    }

    /// The pairs of a dictionary, sorted by name.
    public init<Value: QueryValueConvertible>(
        _ dictionary: [String: Value], in destination: Destination = .query, style: ParameterStyle? = nil
    ) {
        self.init(
            members: dictionary.sorted { $0.key < $1.key }.map { QueryValue.Member($0.key, $0.value.queryValue) },
            destination: destination, style: style)
    }

    /// Items as they are, in their order.
    public init(_ items: [URLQueryItem]) {
        self.init(members: items.map { QueryValue.Member($0.name, .string($0.value ?? "")) })
    }

    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }

    /// Adds a parameter behind the others; `nil` adds nothing.
    public mutating func append(_ name: String, _ value: (any QueryValueConvertible)?) {
        guard let value = value?.queryValue, value != .absent else { return }
        members.append(QueryValue.Member(name, value))
    }

    /// These parameters with others behind them.
    public func appending(_ other: QueryParameters) -> QueryParameters {
        var result = self
        result.members += other.members
        return result
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// The pairs in the order they are written; `nil` leaves one out, and a name may be repeated.
    public init(dictionaryLiteral elements: (String, (any QueryValueConvertible)?)...) {
        self.init(members: elements.map { QueryValue.Member($0.0, $0.1?.queryValue ?? .absent) })
    }
}
