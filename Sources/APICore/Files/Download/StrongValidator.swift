#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What tells for certain whether the server's copy is still the same, byte for byte (RFC 9110 section 8.8).
enum StrongValidator: Sendable, Hashable, Codable {
    /// An entity tag that is not weak.
    case etag(String)
    /// A date of change that lies well before the date of the answer.
    case lastModified(String)

    /// The validator of a response, or `nil` when it has none that is strong.
    init?(_ head: ResponseHead) {
        if let etag = head.headers[.etag] {
            // A weak tag, or a malformed one, does not promise equal bytes, and a date beside it is not better known.
            guard etag.utf8.count >= 2, etag.utf8.first == UInt8(ascii: "\""), etag.utf8.last == UInt8(ascii: "\"")
            else { return nil }
            self = .etag(etag)
            return
        }
        // Section 8.8.2.2: a copy that changed in the second of its date cannot be told apart; clocks differ.
        guard let text = head.headers[.lastModified], let changed = HTTPDate.date(from: text),
            let answered = head.headers[.date].flatMap({ HTTPDate.date(from: $0) }),
            answered.timeIntervalSince(changed) >= 60
        else { return nil }
        self = .lastModified(text)
    }

    /// The value for `If-Range` (section 13.1.5).
    var ifRange: String {
        switch self {
        case .etag(let text), .lastModified(let text): text
        }
    }

    /// Whether a partial response belongs to another copy. One that says nothing was made on the promise of
    /// `If-Range`.
    func isContradicted(by head: ResponseHead) -> Bool {
        switch self {
        case .etag(let tag): head.headers[.etag].map { $0 != tag } ?? false
        case .lastModified(let date): head.headers[.lastModified].map { $0 != date } ?? false
        }
    }
}
