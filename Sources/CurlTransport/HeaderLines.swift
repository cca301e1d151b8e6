internal import APICore
internal import CCurl

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A request's header fields in the form libcurl wants: a linked list of C strings.
///
/// Text and nodes live in two allocations that are used again for the next request; `curl_slist_append` would make two
/// for every field. The text is checked while it is copied, so that no caller, interceptor or server can put a line
/// break into a request (RFC 9110 section 5.5).
final class HeaderLines {
    private var text: [CChar] = []
    /// Where each line starts in `text`.
    private var starts: [Int] = []
    private var nodes: UnsafeMutablePointer<curl_slist>?
    private var nodeCapacity = 0
    private(set) var resolve: UnsafeMutablePointer<curl_slist>?
    /// The text does not move once its pointers are out.
    private var textCopy: UnsafeMutablePointer<CChar>?
    private var textCapacity = 0

    /// The list, valid until the next ``build(_:settings:upload:)``; `nil` for no line.
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    /// Whether the request asks for a range, whose bytes must not be decoded.
    private(set) var hasRange = false

    deinit {
        nodes?.deallocate()
        textCopy?.deallocate()
        curl_slist_free_all(resolve)
    }

    /// Writes the fields of a request.
    ///
    /// - Throws: ``NetworkError/invalidRequest(_:)`` for a field that must not be sent.
    func build(_ request: HTTPRequest, settings: CurlSettings, upload: UploadBody?) throws(NetworkError) {
        text.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        hasRange = false
        guard request.method.isValid, request.method != .connect else {
            throw .invalidRequest(InvalidRequest(.invalidMethod(request.method.rawValue)))
        }
        var accepts: String?
        var hasContentType = false
        for field in request.headers.fields {
            switch FieldRole(field.name) {
            case .plain: break
            case .range: hasRange = true
            case .acceptEncoding:
                accepts = accepts.map { $0 + ", " + field.value } ?? field.value
                continue
            case .contentType: hasContentType = true
            case .contentLength:
                try check(contentLength: field.value, upload)
                continue
            case .reserved(let reason):
                throw .invalidRequest(InvalidRequest(.reservedHeader(name: field.name.rawValue, reason: reason)))
            }
            try append(field.name, field.value)
        }
        if let upload {
            if !hasContentType {
                // libcurl would call it a form.
                if let type = request.body.contentType {
                    try append(.contentType, type)
                } else {
                    appendLine("Content-Type:")
                }
            }
            // A server that does not know it would cost a second of waiting (RFC 9110 section 10.1.1).
            appendLine("Expect:")
            if upload.hasTrailers {
                appendLine("Transfer-Encoding: chunked")
                try append(.trailer, upload.trailerNames.map(\.rawValue).joined(separator: ", "))
            }
        }
        try appendAcceptEncoding(accepts, settings)
        link()
    }

    private func appendAcceptEncoding(_ given: String?, _ settings: CurlSettings) throws(NetworkError) {
        // libcurl writes its own list for a request that may be decoded and says nothing.
        guard let given else { return }
        let isDefault = given == HTTPHeader.defaultAcceptEncoding.value
        if hasRange, isDefault { return appendLine("Accept-Encoding: identity") }
        if isDefault, settings.decodesContent, !settings.library.decodes("br") {
            return appendLine("Accept-Encoding: " + settings.acceptEncoding)
        }
        try append(.acceptEncoding, given)
    }

    private func check(contentLength: String, _ upload: UploadBody?) throws(NetworkError) {
        let length = upload.map { $0.length } ?? 0
        guard let length else { return }
        guard Int(contentLength) == length else {
            throw .invalidRequest(InvalidRequest(.contentLengthMismatch(header: contentLength, body: length)))
        }
    }

    private func append(_ name: HTTPHeaderKey, _ value: String) throws(NetworkError) {
        guard name.isValid else { throw .invalidRequest(InvalidRequest(.invalidHeaderName(name.rawValue))) }
        starts.append(text.count)
        for byte in name.rawValue.utf8 { text.append(CChar(bitPattern: byte)) }
        // `Name;` is libcurl's way to write an empty value; `Name:` would remove the field.
        var isEmpty = true
        let separator = text.count
        text.append(CChar(bitPattern: UInt8(ascii: ":")))
        text.append(CChar(bitPattern: UInt8(ascii: " ")))
        for byte in value.utf8 {
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else {
                throw .invalidRequest(InvalidRequest(.invalidHeaderValue(name: name.rawValue)))
            }
            if byte > 0x20 { isEmpty = false }
            text.append(CChar(bitPattern: byte))
        }
        if isEmpty {
            text.removeSubrange(separator...)
            text.append(CChar(bitPattern: UInt8(ascii: ";")))
        }
        text.append(0)
    }

    private func appendLine(_ line: String) {
        starts.append(text.count)
        for byte in line.utf8 { text.append(CChar(bitPattern: byte)) }
        text.append(0)
    }

    private func link() {
        guard !starts.isEmpty else {
            list = nil
            return
        }
        if text.count > textCapacity {
            textCopy?.deallocate()
            textCapacity = text.count * 2
            textCopy = .allocate(capacity: textCapacity)
        }
        if starts.count > nodeCapacity {
            nodes?.deallocate()
            nodeCapacity = starts.count * 2
            nodes = .allocate(capacity: nodeCapacity)
        }
        guard let textCopy, let nodes else { return }
        text.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { textCopy.update(from: base, count: source.count) }
        }
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? nodes + index + 1 : nil
            (nodes + index).initialize(to: curl_slist(data: textCopy + start, next: next))
        }
        list = nodes
    }

    /// Makes the entry that takes the place of a name's resolution.
    func setResolve(host: String, port: Int, addresses: [IPAddress]?) {
        curl_slist_free_all(resolve)
        resolve = nil
        // An entry stays in libcurl's cache; a minus removes it.
        guard let addresses else {
            resolve = curl_slist_append(nil, "-\(host):\(port)")
            return
        }
        let list = addresses.map { $0.isIPv4 ? "\($0)" : "[\($0)]" }.joined(separator: ",")
        resolve = curl_slist_append(nil, "\(host):\(port):\(list)")
    }
}

/// The fields that mean something to the transport itself.
private enum FieldRole {
    case plain
    case range
    case acceptEncoding
    case contentType
    case contentLength
    case reserved(String)

    init(_ name: HTTPHeaderKey) {
        // Lengths first: comparing names ignores case and costs more.
        switch name.rawValue.utf8.count {
        case 2 where name == .te: self = .reserved("the transport decides about connections")
        case 5 where name == .range: self = .range
        case 6 where name == .expect: self = .reserved("the transport never waits for 100 Continue")
        case 7 where name == "Upgrade": self = .reserved("the transport stays with HTTP")
        case 10 where name == .connection || name == "Keep-Alive":
            self = .reserved("the transport decides about connections")
        case 12 where name == .contentType: self = .contentType
        case 14 where name == .contentLength: self = .contentLength
        case 15 where name == .acceptEncoding: self = .acceptEncoding
        case 16 where name == "Proxy-Connection": self = .reserved("the transport decides about connections")
        case 17 where name == .transferEncoding: self = .reserved("the transport frames the body")
        default: self = .plain
        }
    }
}
