#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FastJSONDecoder {
    /// How names in the text become the keys of types.
    public enum KeyDecodingStrategy: Sendable {
        /// Names are the keys.
        case useDefaultKeys

        /// `first_name` becomes `firstName`: a letter after an underscore is capitalised and the underscore dropped,
        /// except at both ends. The rules are those of Foundation's strategy of the same name. Once a type has been
        /// decoded, this costs nothing per name.
        case convertFromSnakeCase

        /// The closure gets the path with the name as its last element and returns the key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are decoded.
    public enum DateDecodingStrategy: Sendable {
        /// `Date` decodes itself: seconds since 2001-01-01 00:00:00 UTC.
        case deferredToDate

        /// Seconds since 1970-01-01 00:00:00 UTC.
        case secondsSince1970

        /// Milliseconds since 1970-01-01 00:00:00 UTC.
        case millisecondsSince1970

        /// A string like `2024-05-17T08:30:00Z`, with or without fraction of a second and offset (RFC 3339, and ISO 8601
        /// where they differ: no offset means UTC, and `+0100` is an offset).
        case iso8601

        /// The closure decodes the date.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is decoded.
    public enum DataDecodingStrategy: Sendable {
        /// `Data` decodes itself, from an array of numbers.
        case deferredToData

        /// A string in Base64 (RFC 4648 section 4).
        case base64

        /// The closure decodes the data.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinities and not-a-number, which JSON has no numbers for, are decoded.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// A string where a floating-point number is expected is an error.
        case `throw`

        /// These strings stand for the values.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
