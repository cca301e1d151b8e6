#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A JSON number with all the digits it was written with (RFC 8259 section 6).
///
/// Numbers are equal if their values are, whatever their notation: 1, 1.0 and 10e-1.
public struct JSONNumber: Sendable, CustomStringConvertible {
    /// The number as JSON writes it.
    public let description: String

    /// A whole number.
    public init(_ value: some FixedWidthInteger) {
        description = String(value)
    }

    /// The shortest number that gives the value back; nil for infinities and not-a-number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let text = value.description
        description = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A decimal number; nil for not-a-number.
    public init?(_ value: Decimal) {
        guard !value.isNaN else { return nil }
        description = value.description
    }

    /// A number in the notation of JSON; nil if the text is something else.
    public init?(_ text: String) {
        guard let number = try? FastJSONDecoder().decode(JSONNumber.self, from: Array(text.utf8)) else { return nil }
        self = number
    }

    /// The text is a number by the grammar.
    init(validated text: String) {
        description = text
    }

    /// The number as an integer type, if it is whole and fits: 1.0 and 1e2 are whole.
    public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        withDigits { $0.integer?.exactly(type) }
    }

    /// The nearest `Double`; infinity beyond its range.
    public var double: Double { Double(description) ?? .nan }

    /// The number as a `Decimal`, if it is within its range; digits beyond its 38 are dropped.
    public var decimal: Decimal? { Decimal(string: description) }

    private func withDigits<Result>(_ body: (DecimalDigits) -> Result) -> Result {
        var text = description
        return text.withUTF8 { body(DecimalDigits($0)) }
    }
}

extension JSONNumber: Hashable {
    /// Whether the values are equal.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.description == right.description || left.canonical == right.canonical
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(canonical)
    }

    /// Sign, digits without zeros at either end, and the power of ten of the last one.
    private struct Canonical: Hashable {
        var isNegative: Bool
        var digits: [UInt8]
        var exponent: Int
    }

    private var canonical: Canonical {
        withDigits { number in
            guard let exponent = number.exponent, !number.isZero else {
                // Zero, or an exponent beyond any sense: such numbers are equal if they are written alike.
                return Canonical(isNegative: false, digits: number.isZero ? [] : Array(description.utf8), exponent: 0)
            }
            let digits = number.significantDigits
            return Canonical(isNegative: number.isNegative, digits: digits, exponent: exponent)
        }
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension JSONNumber: Codable {
    /// Decodes a number.
    public init(from decoder: any Decoder) throws {
        if let exact = decoder as? ValueDecoder {
            self = try withExtendedLifetime(exact) { try exact.reader.number(at: exact.index, depth: exact.depth) }
            return
        }
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Decimal.self), let number = JSONNumber(value) {
            self = number
        } else if let number = JSONNumber(try container.decode(Double.self)) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The number is not finite.")
        }
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        if let exact = encoder as? ValueEncoder {
            try exact.node.beginScalar(self)
            exact.node.buffer.append(plain: description)
            return
        }
        var container = encoder.singleValueContainer()
        if let value = integer(Int64.self) {
            try container.encode(value)
        } else if let value = integer(UInt64.self) {
            try container.encode(value)
        } else if let value = decimal {
            try container.encode(value)
        } else {
            try container.encode(double)
        }
    }
}

extension DocumentReader {
    func number(at index: Int, depth: Int) throws -> JSONNumber {
        let entry = state.pointee.entries[index]
        guard entry.kind == Token.integer || entry.kind == Token.real else {
            throw mismatchOrNull(JSONNumber.self, at: index, depth: depth, element: nil)
        }
        return JSONNumber(validated: String(decoding: text(of: entry), as: UTF8.self))
    }
}
