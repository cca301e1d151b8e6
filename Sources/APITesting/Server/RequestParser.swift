internal import APICore

/// Reads HTTP/1.1 requests from bytes (RFC 9112): bytes in, events out, no I/O.
///
/// Tolerant where a stub may be: bare LF ends a line, any token is a method, any text a target. What it cannot make
/// sense of is a ``Event/failure(_:)``, after which it reads nothing more. The framing bytes of a chunked body are
/// reported too, so that a record can be byte for byte.
struct RequestParser {
    /// The start of a request: request line and header fields.
    struct Head: Sendable, Equatable {
        var method: String
        var target: String
        var version: HTTPVersion
        var headers: HTTPHeaders
        /// As it came, the empty line at the end included.
        var raw: [UInt8]

        /// Whether the client wants the connection kept (RFC 9112 section 9.3).
        var keepsAlive: Bool {
            let options = headers.list(for: .connection).map { $0.lowercased() }
            if options.contains("close") { return false }
            return version == .http1_0 ? options.contains("keep-alive") : true
        }

        /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1).
        var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }
    }

    enum Event: Equatable {
        case head(Head)
        /// Bytes of the body.
        case content(ArraySlice<UInt8>)
        /// Bytes that frame a chunked body: sizes, line ends, the trailer section.
        case framing(ArraySlice<UInt8>)
        /// The request is complete.
        case end(trailers: HTTPHeaders)
        case failure(String)
    }

    private enum State {
        case head
        case fixed(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers(HTTPHeaders)
        case failed
    }

    /// More than this in one head, one chunk-size line or one trailer section is refused.
    static let sectionLimit = 1 << 20

    private var state = State.head
    private var buffer: [UInt8] = []
    private var start = 0
    /// How far the search for the end of a line has come, so that a slow sender costs nothing extra.
    private var searched = 0
    private var sectionSize = 0

    /// Whether a request has begun and not ended.
    var isInsideRequest: Bool {
        if case .head = state { return start < buffer.count }
        return true
    }

    /// How many bytes wait to be read.
    var buffered: Int { buffer.count - start }

    /// Takes bytes in.
    mutating func feed(_ bytes: some Collection<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
            searched = 0
        } else if start > 64 * 1024, start > buffer.count / 2 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or `nil` when more bytes are needed.
    mutating func next() -> Event? {
        switch state {
        case .head: nextHead()
        case .fixed(let remaining): nextContent(remaining) { $0 > 0 ? .fixed(remaining: $0) : nil }
        case .chunk(let remaining): nextContent(remaining) { $0 > 0 ? .chunk(remaining: $0) : .chunkEnd }
        case .chunkSize: nextChunkSize()
        case .chunkEnd: nextChunkEnd()
        case .trailers(let trailers): nextTrailer(trailers)
        case .failed: nil
        }
    }

    private mutating func fail(_ reason: String) -> Event {
        state = .failed
        buffer = []
        start = 0
        searched = 0
        return .failure(reason)
    }

    private mutating func end(trailers: HTTPHeaders = [:]) -> Event {
        state = .head
        return .end(trailers: trailers)
    }

    private mutating func nextContent(_ remaining: Int, then: (Int) -> State?) -> Event? {
        guard remaining > 0 else { return end() }
        let available = min(remaining, buffer.count - start)
        guard available > 0 else { return nil }
        let slice = buffer[start..<start + available]
        start += available
        searched = start
        // A fixed body of which nothing remains ends with the next event.
        state = then(remaining - available) ?? .fixed(remaining: 0)
        return .content(slice)
    }

    /// The bytes up to and including the next LF, or `nil` when it has not come.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        var index = max(searched, start)
        while index < buffer.count {
            if buffer[index] == UInt8(ascii: "\n") {
                let line = buffer[start...index]
                start = index + 1
                searched = start
                return line
            }
            index += 1
        }
        searched = index
        return nil
    }

    private mutating func nextHead() -> Event? {
        // Empty lines before a request line are skipped (RFC 9112 section 2.2).
        while start < buffer.count, buffer[start] == UInt8(ascii: "\r") || buffer[start] == UInt8(ascii: "\n") {
            start += 1
        }
        guard let end = endOfHead() else {
            return buffer.count - start > RequestParser.sectionLimit ? fail("the head is too long") : nil
        }
        let raw = buffer[start..<end]
        start = end
        searched = end
        var lines = raw.split(separator: UInt8(ascii: "\n")).map { $0.withoutLineEnd }
        let requestLine = lines.removeFirst()
        let parts = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            return fail("not a request line: \(String(decoding: requestLine, as: UTF8.self).debugDescription)")
        }
        let version: HTTPVersion
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": version = .http1_1
        case "HTTP/1.0": version = .http1_0
        case let other: return fail("not a version of HTTP/1: \(other.debugDescription)")
        }
        var headers = HTTPHeaders()
        for line in lines where !line.isEmpty {
            guard let field = line.headerField else {
                return fail("not a header field: \(String(decoding: line, as: UTF8.self).debugDescription)")
            }
            headers.append(field)
        }
        let head = Head(
            method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
            version: version, headers: headers, raw: Array(raw))
        return startBody(of: head)
    }

    /// The position after the empty line, or `nil`. Searches each byte once.
    private mutating func endOfHead() -> Int? {
        var index = max(searched, start)
        while index < buffer.count {
            if buffer[index] == UInt8(ascii: "\n"), index > start {
                let previous = buffer[index - 1]
                if previous == UInt8(ascii: "\n") { return index + 1 }
                if previous == UInt8(ascii: "\r"), index - 2 >= start, buffer[index - 2] == UInt8(ascii: "\n") {
                    return index + 1
                }
            }
            index += 1
        }
        searched = index
        return nil
    }

    /// RFC 9112 section 6.3.
    private mutating func startBody(of head: Head) -> Event {
        let codings = head.headers.list(for: .transferEncoding).map { $0.lowercased() }
        if codings.last == "chunked" {
            state = .chunkSize
            return .head(head)
        }
        guard codings.isEmpty else { return fail("a transfer coding other than chunked: \(codings)") }
        let lengths = Set(head.headers.list(for: .contentLength))
        guard let text = lengths.first else {
            state = .fixed(remaining: 0)
            return .head(head)
        }
        guard lengths.count == 1, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(text) else {
            return fail("not a length: \(lengths.sorted())")
        }
        state = .fixed(remaining: length)
        return .head(head)
    }

    private mutating func nextChunkSize() -> Event? {
        guard let line = nextLine() else {
            return buffer.count - start > RequestParser.sectionLimit ? fail("the chunk size is too long") : nil
        }
        let digits = line.withoutLineEnd.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        let text = String(decoding: digits, as: UTF8.self)
        guard text.first != "+", text.first != "-", let size = Int(text, radix: 16) else {
            return fail("not a chunk size: \(text.debugDescription)")
        }
        sectionSize = 0
        state = size > 0 ? .chunk(remaining: size) : .trailers([:])
        return .framing(line)
    }

    private mutating func nextChunkEnd() -> Event? {
        guard let line = nextLine() else {
            return buffer.count - start > 1 ? fail("a chunk is longer than its size") : nil
        }
        guard line.withoutLineEnd.isEmpty else { return fail("a chunk is longer than its size") }
        state = .chunkSize
        return .framing(line)
    }

    private mutating func nextTrailer(_ trailers: HTTPHeaders) -> Event? {
        // An empty framing event would say nothing: the end of the section is told apart by the flag.
        if sectionSize < 0 {
            sectionSize = 0
            return end(trailers: trailers)
        }
        guard let line = nextLine() else {
            return buffer.count - start > RequestParser.sectionLimit ? fail("the trailers are too long") : nil
        }
        sectionSize += line.count
        guard sectionSize <= RequestParser.sectionLimit else { return fail("the trailers are too long") }
        let content = line.withoutLineEnd
        if content.isEmpty {
            sectionSize = -1
        } else {
            guard let field = content.headerField else {
                return fail("not a trailer field: \(String(decoding: content, as: UTF8.self).debugDescription)")
            }
            var trailers = trailers
            trailers.append(field)
            state = .trailers(trailers)
        }
        return .framing(line)
    }
}

extension ArraySlice<UInt8> {
    /// The line without LF or CR LF at its end.
    fileprivate var withoutLineEnd: ArraySlice<UInt8> {
        var line = self
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    /// `name: value` with the white space around the value removed (RFC 9112 section 5).
    fileprivate var headerField: HTTPHeader? {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), colon > startIndex else { return nil }
        var value = self[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return HTTPHeader(
            name: String(decoding: self[startIndex..<colon], as: UTF8.self),
            value: String(decoding: value, as: UTF8.self))
    }
}
