#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Dates in header fields (RFC 9110 section 5.6.7): written as IMF-fixdate, read in all three forms.
///
/// ```swift
/// HTTPDate.string(from: date)                                    // "Sun, 06 Nov 1994 08:49:37 GMT"
/// HTTPDate.date(from: "Sunday, 06-Nov-94 08:49:37 GMT")
/// ```
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date as IMF-fixdate, its fraction of a second cut off. Years outside 0 to 9999 are clamped: the format
    /// has four digits.
    public static func string(from date: Date) -> String {
        // -62167219200 is 0000-01-01, 253402300799 is 9999-12-31T23:59:59.
        let clamped = min(max(date.timeIntervalSince1970.rounded(.down), -62_167_219_200), 253_402_300_799)
        let seconds = clamped.isNaN ? 0 : Int(clamped)
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        let time = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(fromDay: day)
        let weekday = ((day % 7) + 11) % 7
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let digits = "\(year)"
        let fourDigits = String(repeating: "0", count: 4 - digits.utf8.count) + digits
        return "\(days[weekday]), \(two(dayOfMonth)) \(months[month - 1]) \(fourDigits) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Reads IMF-fixdate, RFC 850 and asctime dates; anything else is `nil`.
    ///
    /// The day's name is not checked against the date (recipients need not, and real servers err). A two-digit
    /// year that would lie more than 50 years ahead is in the past century (RFC 9110 section 5.6.7).
    ///
    /// - Parameters:
    ///   - text: The field value; spaces around it are ignored.
    ///   - now: The date that two-digit years are related to.
    public static func date(from text: String, now: Date = Date()) -> Date? {
        var parser = DateParser(Array(text.trimmingOWS.utf8))
        return parser.imfFixdate() ?? parser.rfc850(currentYear: year(of: now)) ?? parser.asctime()
    }

    private static func year(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970
        guard seconds.isFinite, abs(seconds) < 1e12 else { return 1970 }
        return civil(fromDay: Int((seconds / 86_400).rounded(.down))).year
    }

    /// The Gregorian date of a day number since 1970-01-01, by counting in 400-year eras that start on 1 March.
    private static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The day number since 1970-01-01 of a Gregorian date, the inverse of ``civil(fromDay:)``.
    fileprivate static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Reads the three forms; every attempt starts from the beginning.
    private struct DateParser {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// `Sun, 06 Nov 1994 08:49:37 GMT`
        mutating func imfFixdate() -> Date? {
            position = 0
            guard letters(in: 3...3) != nil, literal(", "), let day = number(digits: 2), literal(" "),
                let month = month(), literal(" "), let year = number(digits: 4), literal(" "),
                let time = timeOfDay(), literal(" GMT"), position == bytes.count
            else { return nil }
            return date(year, month, day, time)
        }

        /// `Sunday, 06-Nov-94 08:49:37 GMT`
        mutating func rfc850(currentYear: Int) -> Date? {
            position = 0
            guard letters(in: 6...9) != nil, literal(", "), let day = number(digits: 2), literal("-"),
                let month = month(), literal("-"), let twoDigits = number(digits: 2), literal(" "),
                let time = timeOfDay(), literal(" GMT"), position == bytes.count
            else { return nil }
            var year = currentYear / 100 * 100 + twoDigits
            if year > currentYear + 50 { year -= 100 }
            return date(year, month, day, time)
        }

        /// `Sun Nov  6 08:49:37 1994`
        mutating func asctime() -> Date? {
            position = 0
            guard letters(in: 3...3) != nil, literal(" "), let month = month(), literal(" ") else { return nil }
            let day = literal(" ") ? number(digits: 1) : number(digits: 2)
            guard let day, literal(" "), let time = timeOfDay(), literal(" "), let year = number(digits: 4),
                position == bytes.count
            else { return nil }
            return date(year, month, day, time)
        }

        private func date(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Date? {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            guard day >= 1, day <= lengths[month - 1] else { return nil }
            return Date(
                timeIntervalSince1970: Double(dayNumber(year: year, month: month, day: day) * 86_400 + time))
        }

        private mutating func timeOfDay() -> Int? {
            guard let hour = number(digits: 2), hour < 24, literal(":"), let minute = number(digits: 2), minute < 60,
                literal(":"), let second = number(digits: 2), second <= 60
            else { return nil }
            return hour * 3600 + minute * 60 + min(second, 59)  // A leap second counts as the one before it.
        }

        private mutating func month() -> Int? {
            guard let name = letters(in: 3...3),
                let index = months.firstIndex(where: {
                    $0.equalsIgnoringASCIICase(String(decoding: name, as: UTF8.self))
                })
            else { return nil }
            return index + 1
        }

        private mutating func letters(in count: ClosedRange<Int>) -> ArraySlice<UInt8>? {
            let run = bytes[position...].prefix { $0.isASCIILetter }
            guard count.contains(run.count) else { return nil }
            position = run.endIndex
            return run
        }

        private mutating func number(digits: Int) -> Int? {
            let run = bytes[position...].prefix(digits)
            guard run.count == digits, run.allSatisfy({ $0.isASCIIDigit }) else { return nil }
            position = run.endIndex
            return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        private mutating func literal(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { buffer in
                // Dates are case-sensitive, but nothing else can be meant by `gmt`.
                guard bytes[position...].starts(with: buffer, by: { $0.asciiLowercased == $1.asciiLowercased }) else {
                    return false
                }
                position += buffer.count
                return true
            }
        }
    }
}
