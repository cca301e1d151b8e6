/// Looks at the lines of a response's heads as libcurl passes them on: which kind a line is, what it says about the
/// body, and whether it breaks a limit or a rule that libcurl does not check. Pure.
struct HeadScan: Sendable {
    struct Limits: Sendable {
        var bytes: Int
        var count: Int
    }

    enum Line: Sendable, Equatable {
        /// The first line of a head, interim or final.
        case statusLine
        case field
        /// The empty line after an interim (1xx) head.
        case interimEnd
        /// The empty line after the final head.
        case end
        /// A field after the body.
        case trailer
        /// The empty line after the trailers.
        case ignored
        case failure(String)
    }

    /// The status of the latest head.
    private(set) var status = 0
    /// Whether the latest head came over HTTP/2 or later.
    private(set) var isMultiplexed = false
    /// The length of the body, if the head names one.
    private(set) var contentLength: Int?
    /// The codings of the body, outermost last.
    private(set) var contentEncoding: String?

    private var hasTransferEncoding = false
    /// Whether the head of the final answer has ended.
    private(set) var isComplete = false
    private var isInside = false
    private var bytes = 0
    private var count = 0

    mutating func take(_ line: UnsafeRawBufferPointer, limits: Limits) -> Line {
        bytes += line.count
        count += 1
        if bytes > limits.bytes { return .failure("the header fields are longer than \(limits.bytes) bytes") }
        if count > limits.count { return .failure("there are more than \(limits.count) header fields") }
        let content = HeadScan.withoutLineEnd(line)
        if isComplete { return content.isEmpty ? .ignored : .trailer }
        if content.isEmpty { return headEnds() }
        guard isInside else { return statusLine(content) }
        return field(content) ?? .field
    }

    private mutating func statusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Line {
        // libcurl has checked the form: `HTTP/` version, space, three digits.
        guard let space = line.firstIndex(of: 0x20), line.starts(with: "HTTP/".utf8) else {
            return .failure("the answer does not start with a status line")
        }
        let digits = line[line.index(after: space)...].prefix { $0 &- 0x30 < 10 }
        guard digits.count == 3 else { return .failure("the status is not a number of three digits") }
        status = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        guard status >= 100 else { return .failure("the status is not a number of three digits") }
        isMultiplexed = (line.dropFirst(5).first ?? 0x31) >= 0x32
        isInside = true
        contentLength = nil
        contentEncoding = nil
        hasTransferEncoding = false
        return .statusLine
    }

    private mutating func headEnds() -> Line {
        isInside = false
        // 101 ends HTTP on the connection. Nobody asked for that.
        if status == 101 { return .failure("the server switched to another protocol") }
        if status < 200 { return .interimEnd }
        isComplete = true
        // RFC 9112 section 6.3: this may be an attempt at response splitting, and ought to be an error.
        if hasTransferEncoding, contentLength != nil {
            return .failure("both Content-Length and Transfer-Encoding say where the body ends")
        }
        return .end
    }

    private mutating func field(_ line: Slice<UnsafeRawBufferPointer>) -> Line? {
        // Most fields are none of ours: one look at the first letter.
        guard let first = line.first, first | 0x20 == 0x63 || first | 0x20 == 0x74,
            let colon = line.firstIndex(of: 0x3A)
        else { return nil }
        let name = line[..<colon]
        let value = line[line.index(after: colon)...]
        if HeadScan.equals(name, "content-length") { return length(value) }
        if HeadScan.equals(name, "content-encoding") {
            let text = String(decoding: value, as: UTF8.self)
            contentEncoding = contentEncoding.map { $0 + "," + text } ?? text
        } else if HeadScan.equals(name, "transfer-encoding") {
            hasTransferEncoding = true
        }
        return nil
    }

    /// RFC 9110 section 8.6: a list of equal numbers counts as one, anything else is an error.
    private mutating func length(_ value: Slice<UnsafeRawBufferPointer>) -> Line? {
        for part in value.split(separator: 0x2C, omittingEmptySubsequences: false) {
            var digits = part
            while let first = digits.first, first == 0x20 || first == 0x09 { digits = digits.dropFirst() }
            while let last = digits.last, last == 0x20 || last == 0x09 { digits = digits.dropLast() }
            var number = 0
            for byte in digits {
                let (product, overflow) = number.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(Int(byte &- 0x30))
                guard byte &- 0x30 < 10, !overflow, !carry else {
                    return .failure("Content-Length is not a number")
                }
                number = sum
            }
            guard !digits.isEmpty else { return .failure("Content-Length is not a number") }
            if let contentLength, contentLength != number {
                return .failure("there are different values of Content-Length")
            }
            contentLength = number
        }
        return nil
    }

    private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var slice = line[...]
        if slice.last == 0x0A { slice = slice.dropLast() }
        if slice.last == 0x0D { slice = slice.dropLast() }
        return slice
    }

    private static func equals(_ name: Slice<UnsafeRawBufferPointer>, _ expected: StaticString) -> Bool {
        expected.withUTF8Buffer { expected in
            name.count == expected.count && zip(name, expected).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }
}
