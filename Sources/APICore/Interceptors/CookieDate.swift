#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads dates in cookies, which take many forms: the algorithm of RFC 6265bis section 5.1.1 looks for a time, a day, a
/// month and a year in any order.
enum CookieDate {
    static func parse(_ text: String) -> Date? {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: { isDelimiter($0) }) {
            if time == nil, let found = readTime(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = readMonth(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard var year, let month, let day, let (hour, minute, second) = time else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, hour < 24, minute < 60, second < 60 else { return nil }
        // The calendar is known to the dates of HTTP: the same date in their form.
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let name = months[month - 1]
        return HTTPDate.date(
            from: "Thu, \(two(day)) \(name) \(year) \(two(hour)):\(two(minute)):\(two(second)) GMT")
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func readTime(_ token: Substring.UTF8View.SubSequence) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func readMonth(_ token: Substring.UTF8View.SubSequence) -> Int? {
        guard token.count >= 3 else { return nil }
        let start = token.prefix(3).map { $0.asciiLowercased }
        return months.firstIndex { $0.lowercased().utf8.elementsEqual(start) }.map { $0 + 1 }
    }

    /// Digits at the start; anything but a digit may follow.
    private static func number(_ token: Substring.UTF8View.SubSequence, digits: ClosedRange<Int>) -> Int? {
        let run = token.prefix { $0.isASCIIDigit }
        guard digits.contains(run.count) else { return nil }
        return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
