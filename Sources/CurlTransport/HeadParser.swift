internal import APICore

/// Makes a `ResponseHead` from the bytes of a head (RFC 9112 sections 4 and 5). Runs in the caller's task: the loop
/// thread only collects the bytes.
enum HeadParser {
    /// Reads a head that libcurl and ``HeadScan`` have let through; `nil` when it is none.
    static func parse(_ bytes: [UInt8], url: RequestURL?) -> ResponseHead? {
        bytes.withUnsafeBytes { buffer -> ResponseHead? in
            var position = 0
            guard let statusLine = nextLine(buffer, &position), let space = statusLine.firstIndex(of: 0x20),
                let version = version(statusLine[..<space])
            else { return nil }
            let digits = statusLine[(space + 1)...].prefix { $0 &- 0x30 < 10 }
            guard digits.count == 3 else { return nil }
            let status = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            return ResponseHead(
                status: HTTPStatusCode(status), headers: fields(buffer, &position), version: version, url: url)
        }
    }

    /// Reads field lines alone: trailers.
    static func fields(_ bytes: [UInt8]) -> HTTPHeaders {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            return fields(buffer, &position)
        }
    }

    private typealias Bytes = Slice<UnsafeRawBufferPointer>

    private static func fields(_ buffer: UnsafeRawBufferPointer, _ position: inout Int) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.reserveCapacity(12)
        var pending: (name: String, value: String)?
        while let line = nextLine(buffer, &position) {
            // RFC 9112 section 5.2: a line that starts with white space goes on with the one before.
            if let first = line.first, first == 0x20 || first == 0x09 {
                let more = trimmed(line)
                if !more.isEmpty { pending?.value += " " + String(decoding: more, as: UTF8.self) }
                continue
            }
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            if let (name, value) = pending { headers.append(value, for: HTTPHeaderKey(name)) }
            pending = (
                String(decoding: trimmed(line[..<colon]), as: UTF8.self),
                String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
            )
        }
        if let (name, value) = pending { headers.append(value, for: HTTPHeaderKey(name)) }
        return headers
    }

    private static func version(_ text: Bytes) -> HTTPVersion? {
        guard text.starts(with: "HTTP/".utf8) else { return nil }
        let numbers = text.dropFirst(5)
        guard let major = numbers.first, major &- 0x30 < 10 else { return nil }
        let minor = numbers.count > 2 ? numbers[numbers.startIndex + 2] : 0x30
        guard minor &- 0x30 < 10 else { return nil }
        return HTTPVersion(major: Int(major &- 0x30), minor: Int(minor &- 0x30))
    }

    /// The next line without its end; `nil` at the end and at an empty line.
    private static func nextLine(_ buffer: UnsafeRawBufferPointer, _ position: inout Int) -> Bytes? {
        guard position < buffer.count else { return nil }
        let rest = buffer[position...]
        let end = rest.firstIndex(of: 0x0A) ?? buffer.count
        position = end + 1
        var line = rest[..<end]
        if line.last == 0x0D { line = line.dropLast() }
        return line.isEmpty ? nil : line
    }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
        return bytes
    }
}
