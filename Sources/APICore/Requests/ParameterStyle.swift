/// How parameters are written where HTTP leaves it open.
public struct ParameterStyle: Sendable, Hashable {
    /// How several values of one name are written.
    public enum Arrays: String, Sendable, Hashable, Codable {
        /// `tags[]=a&tags[]=b`, as Rails, PHP and Alamofire do. The default.
        case brackets
        /// `tags=a&tags=b`, as OpenAPI's exploded forms do.
        case repeated
        /// `tags[0]=a&tags[1]=b`.
        case indexed
        /// `tags=a,b`. A comma inside a value is encoded, so the two cannot be confused.
        case comma
    }

    /// How truth values are written.
    public enum Bools: String, Sendable, Hashable, Codable {
        /// `true` and `false`. The default.
        case literal
        /// `1` and `0`.
        case numeric
    }

    /// How dates are written.
    public enum Dates: String, Sendable, Hashable, Codable {
        /// `2026-12-01T08:30:00Z`, as RFC 3339 says. The default.
        case iso8601
        /// Whole seconds since 1970.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// Several values of one name.
    public var arrays: Arrays
    /// Truth values.
    public var bools: Bools
    /// Dates.
    public var dates: Dates

    /// Makes a style.
    public init(arrays: Arrays = .brackets, bools: Bools = .literal, dates: Dates = .iso8601) {
        self.arrays = arrays
        self.bools = bools
        self.dates = dates
    }

    /// Brackets, literal truth values, ISO 8601 dates.
    public static let `default` = ParameterStyle()
}
