#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The types of Foundation that JSON has its own form for.
extension DocumentReader {
    func date(at index: Int, depth: Int) throws -> Date {
        if isNull(at: index) { throw mismatchOrNull(Date.self, at: index, depth: depth, element: nil) }
        switch session.options.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try double(at: index, depth: depth, element: noted(depth)))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try double(at: index, depth: depth, element: noted(depth)))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try double(at: index, depth: depth, element: noted(depth)) / 1000)
        case .iso8601:
            let text = try string(at: index, depth: depth, element: noted(depth))
            guard let date = ISO8601.date(from: text) else {
                throw corrupted("Expected date string to be ISO8601-formatted.", at: index, depth: depth)
            }
            return date
        case .custom(let decode):
            return try decode(ValueDecoder(session: session, index: index, depth: depth))
        }
    }

    func data(at index: Int, depth: Int) throws -> Data {
        if isNull(at: index) { throw mismatchOrNull(Data.self, at: index, depth: depth, element: nil) }
        switch session.options.data {
        case .deferredToData:
            return try Data(from: ValueDecoder(session: session, index: index, depth: depth))
        case .base64:
            guard let data = Data(base64Encoded: try string(at: index, depth: depth, element: noted(depth))) else {
                throw corrupted("Encountered Data is not valid Base64.", at: index, depth: depth)
            }
            return data
        case .custom(let decode):
            return try decode(ValueDecoder(session: session, index: index, depth: depth))
        }
    }

    func url(at index: Int, depth: Int) throws -> URL {
        if isNull(at: index) { throw mismatchOrNull(URL.self, at: index, depth: depth, element: nil) }
        guard let url = URL(string: try string(at: index, depth: depth, element: noted(depth))) else {
            throw corrupted("Invalid URL string.", at: index, depth: depth)
        }
        return url
    }

    func decimal(at index: Int, depth: Int) throws -> Decimal {
        let entry = state.pointee.entries[index]
        guard entry.kind == Token.integer || entry.kind == Token.real else {
            throw mismatchOrNull(Decimal.self, at: index, depth: depth, element: nil)
        }
        guard let decimal = Decimal(string: String(decoding: text(of: entry), as: UTF8.self)) else {
            throw notRepresentable(Decimal.self, at: index, depth: depth, element: nil)
        }
        return decimal
    }
}
