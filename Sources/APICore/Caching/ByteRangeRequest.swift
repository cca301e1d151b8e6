/// A request for one range of bytes (RFC 9110 section 14.1.2), as far as the cache answers such requests.
enum ByteRangeRequest: Equatable {
    /// `bytes=first-last`; without a last one, to the end.
    case from(Int, through: Int?)
    /// `bytes=-count`
    case last(Int)

    /// Reads a `Range` value; `nil` for other units, several ranges, and nonsense, all of which the server may answer.
    init?(_ value: String) {
        let text = value.trimmingOWS
        guard text.utf8.count > 6, text.prefix(6).equalsIgnoringASCIICase("bytes=") else { return nil }
        let range = text.dropFirst(6)
        guard let dash = range.firstIndex(of: "-") else { return nil }
        let (first, last) = (range[..<dash], range[range.index(after: dash)...])
        if first.isEmpty {
            guard let count = Self.number(last), count > 0 else { return nil }
            self = .last(count)
        } else {
            guard let start = Self.number(first) else { return nil }
            if last.isEmpty {
                self = .from(start, through: nil)
            } else {
                guard let end = Self.number(last), end >= start else { return nil }
                self = .from(start, through: end)
            }
        }
    }

    /// The bytes meant, of a body of a length; `nil` if there is none of them.
    func resolved(in length: Int) -> Range<Int>? {
        switch self {
        case .from(let start, let end):
            guard start < length else { return nil }
            return start..<min(length, (end ?? length - 1) + 1)
        case .last(let count):
            guard length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }

    private static func number(_ text: Substring) -> Int? {
        // 18 digits are more than any body has, and no sum overflows.
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }
}
