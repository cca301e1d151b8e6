#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The `Retry-After` field (RFC 9110 section 10.2.3).
public enum RetryAfter {
    /// The longest delay that is reported: a year. A server that asks for more means "never".
    static let limit: Double = 31_536_000

    /// How long the server asks to wait, as seconds or until a date; `nil` without the field or when it is neither.
    ///
    /// A date in the past gives zero. The server's own `Date` field, where there is one, is what its date is related
    /// to: clocks differ.
    public static func delay(in headers: HTTPHeaders, date: Date) -> Duration? {
        guard let text = headers[.retryAfter]?.trimmingOWS, !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ $0.isASCIIDigit }) {
            return .seconds(min(Double(text) ?? limit, limit))
        }
        guard let until = HTTPDate.date(from: String(text), now: date) else { return nil }
        let from = headers[.date].flatMap { HTTPDate.date(from: $0, now: date) } ?? date
        return .seconds(min(max(until.timeIntervalSince(from), 0), limit))
    }
}
