/// The value of a `Content-Range` field (RFC 9110 section 14.4).
struct ContentRange: Sendable, Hashable {
    /// The bytes that follow, or `nil` when none do (`bytes */1234`).
    let range: Range<Int>?
    /// Bytes altogether, or `nil` when the server does not know (`bytes 0-9/*`).
    let total: Int?

    /// Reads a value; `nil` when it is not in bytes, or makes no sense.
    init?(_ text: String) {
        let parts = text.trimmingOWS.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].equalsIgnoringASCIICase("bytes") else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] == "*" {
            total = nil
        } else {
            guard let number = Int(digits: halves[1]) else { return nil }
            total = number
        }
        if halves[0] == "*" {
            guard total != nil else { return nil }
            range = nil
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]), first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        range = first..<(last + 1)
    }
}

extension Int {
    /// The longest resource there can be: an exabyte, far from where sums overflow.
    static let maximumLength = 1 << 60

    /// A length or an offset in digits only: no sign, no space; `nil` when it is larger than any resource.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), number <= .maximumLength
        else { return nil }
        self = number
    }
}
