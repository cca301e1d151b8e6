#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a query or form parameter.
public enum QueryValue: Sendable, Hashable {
    /// No value: the parameter is left out.
    case absent
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond `Int64`.
    case unsigned(UInt64)
    /// A number.
    case double(Double)
    /// A truth value, written by the style of the parameters.
    case bool(Bool)
    /// A date, written by the style of the parameters.
    case date(Date)
    /// Several values, written by the style of the parameters.
    case array([QueryValue])
    /// Named values: `filter[name]=value`.
    case object([Member])

    /// A named value in an object.
    public struct Member: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: QueryValue

        /// Makes a member.
        public init(_ name: String, _ value: QueryValue) {
            self.name = name
            self.value = value
        }
    }
}

extension QueryValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Several values.
    public init(arrayLiteral elements: (any QueryValueConvertible)?...) {
        self = .array(elements.map { $0?.queryValue ?? .absent })
    }
    /// Named values, in the order they are written.
    public init(dictionaryLiteral elements: (String, (any QueryValueConvertible)?)...) {
        self = .object(elements.map { Member($0.0, $0.1?.queryValue ?? .absent) })
    }
    /// No value.
    public init(nilLiteral: ()) { self = .absent }
}

/// A type whose values can stand in a query or form. Conform your own types by giving a ``QueryValue``.
public protocol QueryValueConvertible: Sendable {
    /// The value as a parameter.
    var queryValue: QueryValue { get }
}

extension QueryValue: QueryValueConvertible {
    /// Itself.
    public var queryValue: QueryValue { self }
}
extension String: QueryValueConvertible {
    /// The text.
    public var queryValue: QueryValue { .string(self) }
}
extension Substring: QueryValueConvertible {
    /// The text.
    public var queryValue: QueryValue { .string(String(self)) }
}
extension Character: QueryValueConvertible {
    /// The text.
    public var queryValue: QueryValue { .string(String(self)) }
}
extension Bool: QueryValueConvertible {
    /// The truth value.
    public var queryValue: QueryValue { .bool(self) }
}
extension Double: QueryValueConvertible {
    /// The number.
    public var queryValue: QueryValue { .double(self) }
}
extension Float: QueryValueConvertible {
    /// The number in the fewest digits that tell it apart from other `Float`s.
    public var queryValue: QueryValue { .string(QueryValue.text(of: self)) }
}
extension Date: QueryValueConvertible {
    /// The date.
    public var queryValue: QueryValue { .date(self) }
}
extension UUID: QueryValueConvertible {
    /// The text, in upper case.
    public var queryValue: QueryValue { .string(uuidString) }
}
extension URL: QueryValueConvertible {
    /// The URL as a whole.
    public var queryValue: QueryValue { .string(absoluteString) }
}
extension Decimal: QueryValueConvertible {
    /// All digits, with a decimal point.
    public var queryValue: QueryValue { .string(description) }
}
extension QueryValueConvertible where Self: FixedWidthInteger {
    /// The number.
    public var queryValue: QueryValue {
        if let value = Int64(exactly: self) { return .integer(value) }
        if let value = UInt64(exactly: self) { return .unsigned(value) }
        return .string(String(self))
    }
}
extension Int: QueryValueConvertible {}
extension Int8: QueryValueConvertible {}
extension Int16: QueryValueConvertible {}
extension Int32: QueryValueConvertible {}
extension Int64: QueryValueConvertible {}
extension UInt: QueryValueConvertible {}
extension UInt8: QueryValueConvertible {}
extension UInt16: QueryValueConvertible {}
extension UInt32: QueryValueConvertible {}
extension UInt64: QueryValueConvertible {}
extension Array: QueryValueConvertible where Element: QueryValueConvertible {
    /// The elements in order.
    public var queryValue: QueryValue { .array(map(\.queryValue)) }
}
extension Set: QueryValueConvertible where Element: QueryValueConvertible & Comparable {
    /// The elements, sorted.
    public var queryValue: QueryValue { .array(sorted().map(\.queryValue)) }
}
extension Optional: QueryValueConvertible where Wrapped: QueryValueConvertible {
    /// The value, or none.
    public var queryValue: QueryValue { self?.queryValue ?? .absent }
}
extension Dictionary: QueryValueConvertible where Key == String, Value: QueryValueConvertible {
    /// The pairs, sorted by name.
    public var queryValue: QueryValue {
        .object(sorted { $0.key < $1.key }.map { QueryValue.Member($0.key, $0.value.queryValue) })
    }
}
extension QueryValueConvertible where Self: RawRepresentable, RawValue: QueryValueConvertible {
    /// The raw value.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension QueryValue {
    /// A number without the `.0` of whole ones.
    static func text(of number: some BinaryFloatingPoint & CustomStringConvertible) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
