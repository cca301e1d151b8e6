#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates and times as RFC 3339 section 5.6 writes them, with the liberties of ISO 8601 that are common: no offset, which is
/// read as UTC, and offsets without colon or minutes.
enum ISO8601 {
    /// The point in time; nil if the text is not a date and time, or not a real one.
    static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8 { buffer in
            var reader = Reader(text: buffer)
            return reader.date()
        }
    }

    /// `1970-01-01T00:00:00Z`: whole seconds, rounded down, in UTC.
    ///
    /// Nil for years that four digits cannot write.
    static func text(from date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else { return nil }
        let total = Int(seconds)
        let days = total >= 0 ? total / 86_400 : -((86_399 - total) / 86_400)
        let time = total - days * 86_400
        let day = civil(fromDays: days)
        return [
            padded(day.year, 4), "-", padded(day.month, 2), "-", padded(day.day, 2), "T",
            padded(time / 3600, 2), ":", padded(time / 60 % 60, 2), ":", padded(time % 60, 2), "Z",
        ].joined()
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar, counting years from March so that leap days come last.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension ISO8601 {
    private struct Reader {
        let text: UnsafeBufferPointer<UInt8>
        var position = 0

        init(text: UnsafeBufferPointer<UInt8>) {
            self.text = text
        }

        mutating func date() -> Date? {
            guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
                skip("T") || skip("t"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
                let second = number(2)
            else { return nil }
            guard (1...12).contains(month), (1...ISO8601.dayCount(year: year, month: month)).contains(day) else {
                return nil
            }
            // Second 60 is a leap second (RFC 3339 section 5.7); like POSIX time it is the second after.
            guard hour < 24, minute < 60, second <= 60 else { return nil }
            guard let fraction = fraction(), let offset = offset(), position == text.count else { return nil }
            let days = ISO8601.days(year: year, month: month, day: day)
            let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
            return Date(timeIntervalSince1970: Double(seconds) + fraction)
        }

        private mutating func number(_ width: Int) -> Int? {
            guard position + width <= text.count else { return nil }
            var number = 0
            for _ in 0..<width {
                let digit = text[position] &- ASCII.zero
                if digit > 9 { return nil }
                number = number * 10 + Int(digit)
                position += 1
            }
            return number
        }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, UInt32(text[position]) == character.value else { return false }
            position += 1
            return true
        }

        /// Digits after a point or a comma; 0 if there are none; nil if there is nothing after it.
        private mutating func fraction() -> Double? {
            guard skip(".") || skip(",") else { return 0 }
            let start = position
            var digits: UInt64 = 0
            var scale = 1.0
            while position < text.count, text[position] &- ASCII.zero <= 9 {
                // More digits than a Double's seconds can tell apart are skipped.
                if position - start < 15 {
                    digits = digits * 10 + UInt64(text[position] - ASCII.zero)
                    scale *= 10
                }
                position += 1
            }
            return position == start ? nil : Double(digits) / scale
        }

        /// Seconds east of Greenwich; nil if there is something else.
        private mutating func offset() -> Int? {
            if position == text.count || skip("Z") || skip("z") { return 0 }
            let isWest: Bool
            if skip("+") { isWest = false } else if skip("-") { isWest = true } else { return nil }
            guard let hours = number(2), hours < 24 else { return nil }
            var minutes = 0
            if position < text.count {
                _ = skip(":")
                guard let given = number(2), given < 60 else { return nil }
                minutes = given
            }
            let offset = hours * 3600 + minutes * 60
            return isWest ? -offset : offset
        }
    }
}
