#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension QueryParameters {
    /// A name with its value, both decoded; a list of values where the style joins them with commas.
    private struct Pair {
        var name: String
        var values: [String]
    }

    /// The query in its encoded form, without a question mark.
    func queryEncoded(style fallback: ParameterStyle) -> String {
        pairs(style: style ?? fallback).map { pair in
            PercentEncoding.encode(pair.name) + "="
                + pair.values.map { PercentEncoding.encode($0) }.joined(separator: ",")
        }
        .joined(separator: "&")
    }

    /// The parameters as a form body: the serializer of the WHATWG URL standard, section 5.2.
    func formEncoded(style fallback: ParameterStyle) -> String {
        pairs(style: style ?? fallback).map { pair in
            PercentEncoding.formEncode(pair.name) + "="
                + pair.values.map { PercentEncoding.formEncode($0) }.joined(separator: "%2C")
        }
        .joined(separator: "&")
    }

    /// The parameters as an object for a JSON body.
    func jsonBody(encoder: any DataEncoder, style fallback: ParameterStyle) throws(NetworkError) -> HTTPBody {
        let style = style ?? fallback
        return try .json(JSONObject(members: members, dates: style.dates), encoder: encoder)
    }

    private func pairs(style: ParameterStyle) -> [Pair] {
        var result: [Pair] = []
        for member in members { QueryParameters.flatten(member.value, name: member.name, style: style, into: &result) }
        return result
    }

    private static func flatten(_ value: QueryValue, name: String, style: ParameterStyle, into pairs: inout [Pair]) {
        switch value {
        case .absent: break
        case .array(let values):
            let present = values.filter { $0 != .absent }
            if style.arrays == .comma {
                let texts = present.compactMap { $0.scalarText(style: style) }
                if !texts.isEmpty { pairs.append(Pair(name: name, values: texts)) }
                // What cannot be joined, a nested object or array, is written under its index.
                for (index, value) in present.enumerated() where value.scalarText(style: style) == nil {
                    flatten(value, name: "\(name)[\(index)]", style: style, into: &pairs)
                }
                return
            }
            for (index, value) in present.enumerated() {
                let element =
                    switch style.arrays {
                    case .brackets: name + "[]"
                    case .indexed: name + "[\(index)]"
                    case .repeated, .comma: name
                    }
                flatten(value, name: element, style: style, into: &pairs)
            }
        case .object(let members):
            for member in members {
                flatten(member.value, name: "\(name)[\(member.name)]", style: style, into: &pairs)
            }
        default:
            pairs.append(Pair(name: name, values: [value.scalarText(style: style) ?? ""]))
        }
    }
}

extension QueryValue {
    /// The text of a value that is neither list nor object nor absent.
    fileprivate func scalarText(style: ParameterStyle) -> String? {
        switch self {
        case .absent, .array, .object: nil
        case .string(let text): text
        case .integer(let number): String(number)
        case .unsigned(let number): String(number)
        case .double(let number): QueryValue.text(of: number)
        case .bool(let value):
            switch style.bools {
            case .literal: value ? "true" : "false"
            case .numeric: value ? "1" : "0"
            }
        case .date(let date): style.dates.text(of: date)
        }
    }
}

extension ParameterStyle.Dates {
    fileprivate func text(of date: Date) -> String {
        switch self {
        case .iso8601: date.formatted(.iso8601)
        case .secondsSince1970: ParameterStyle.Dates.whole(date.timeIntervalSince1970)
        case .millisecondsSince1970: ParameterStyle.Dates.whole(date.timeIntervalSince1970 * 1000)
        }
    }

    private static func whole(_ number: Double) -> String {
        Int64(exactly: number.rounded(.down)).map { String($0) } ?? QueryValue.text(of: number)
    }
}

extension PercentEncoding {
    /// The percent-encode set of forms, and a plus sign for a space.
    fileprivate static func formEncode(_ text: String) -> String {
        encode(text, allowed: .form).replacingEncodedSpaces
    }
}

extension String {
    fileprivate var replacingEncodedSpaces: String {
        split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }
}

/// Parameters as a JSON object. Names are kept as written: they are wire names already.
private struct JSONObject: Encodable {
    let members: [QueryValue.Member]
    let dates: ParameterStyle.Dates

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for member in members where member.value != .absent {
            try container.encode(JSONNode(value: member.value, dates: dates), forKey: Key(stringValue: member.name))
        }
    }
}

private struct JSONNode: Encodable {
    let value: QueryValue
    let dates: ParameterStyle.Dates

    func encode(to encoder: any Encoder) throws {
        if case .object(let members) = value {
            return try JSONObject(members: members, dates: dates).encode(to: encoder)
        }
        if case .array(let values) = value {
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(JSONNode(value: value, dates: dates)) }
            return
        }
        var container = encoder.singleValueContainer()
        switch value {
        case .absent: try container.encodeNil()
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .unsigned(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .bool(let value): try container.encode(value)
        case .date(let date):
            switch dates {
            case .iso8601: try container.encode(dates.text(of: date))
            case .secondsSince1970: try container.encode(date.timeIntervalSince1970.rounded(.down))
            case .millisecondsSince1970: try container.encode((date.timeIntervalSince1970 * 1000).rounded(.down))
            }
        case .array, .object: break
        }
    }
}
