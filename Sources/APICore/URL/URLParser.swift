/// Reads absolute URLs and references (RFC 3986 appendix B and section 5), and refuses what an HTTP client must not send.
enum URLParser {
    /// The five components of any reference, undecoded.
    struct Components {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?
    }

    static func parse(_ text: String) throws(InvalidRequest) -> RequestURL {
        func refuse(_ problem: InvalidRequest.URLProblem) -> InvalidRequest {
            InvalidRequest(.invalidURL(text: SecretText.redactingUserInfo(text), problem))
        }
        guard !text.isEmpty else { throw refuse(.empty) }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw refuse(.controlCharacter) }
        let parts = split(text)
        guard let scheme = parts.scheme?.lowercased() else { throw refuse(.missingScheme) }
        guard scheme == "http" || scheme == "https" else { throw refuse(.unsupportedScheme(scheme)) }
        guard let authority = parts.authority, !authority.isEmpty else { throw refuse(.missingHost) }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw refuse(.containsCredentials) }
        let host: String
        let port: Int?
        do {
            (host, port) = try parseAuthority(authority)
        } catch {
            throw refuse(error)
        }
        return RequestURL(
            scheme: scheme, host: host, port: port,
            path: removingDotSegments(PercentEncoding.encodeKeepingEscapes(parts.path, allowed: .path)),
            query: parts.query.map { PercentEncoding.encodeKeepingEscapes($0, allowed: .query) })
    }

    /// Takes a reference apart. The fragment is left out.
    static func split(_ text: String) -> Components {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
        var scheme: Substring?
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let candidate = rest[..<colon]
            if candidate.utf8.first?.isASCIILetter == true,
                candidate.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
            {
                scheme = candidate
                rest = rest[rest.utf8.index(after: colon)...]
            }
        }
        var query: Substring?
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        var authority: Substring?
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") } ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        return Components(scheme: scheme, authority: authority, path: rest, query: query)
    }

    private static func parseAuthority(_ text: Substring) throws(InvalidRequest.URLProblem) -> (String, Int?) {
        var hostText = text
        var portText = ""[...]
        if text.utf8.first == UInt8(ascii: "[") {
            guard let close = text.lastIndex(of: "]") else { throw .invalidHost(String(text)) }
            hostText = text[...close]
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.first == ":" else { throw .invalidHost(String(text)) }
            portText = rest.dropFirst()
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            hostText = text[..<colon]
            portText = text[text.utf8.index(after: colon)...]
        }
        guard !hostText.isEmpty else { throw .missingHost }
        var port: Int?
        if !portText.isEmpty {
            guard portText.utf8.allSatisfy({ $0.isASCIIDigit }), let number = Int(portText), 1...65_535 ~= number else {
                throw .invalidPort(String(portText))
            }
            port = number
        }
        guard let host = HostName.ascii(hostText) else { throw .invalidHost(String(hostText)) }
        return (host, port)
    }

    /// RFC 3986 section 5.2.4, on a path that is empty or starts with a slash. Escaped dots count as dots: servers
    /// and proxies that decode them would take the climb.
    static func removingDotSegments(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.contains(where: { DotSegment($0) != nil }) else { return path }
        var result: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch DotSegment(segment) {
            case nil: result.append(segment)
            case .current: if isLast { result.append("") }
            case .parent:
                // The first element is the empty text before the leading slash: it stays.
                if result.count > 1 { result.removeLast() }
                if isLast { result.append("") }
            }
        }
        return result.joined(separator: "/")
    }
}

/// A path segment that means a place instead of a name: `.` and `..`, however their dots are escaped.
enum DotSegment {
    case current
    case parent

    init?(_ segment: some StringProtocol) {
        guard segment.utf8.count <= 6 else { return nil }
        switch segment.lowercased() {
        case ".", "%2e": self = .current
        case "..", ".%2e", "%2e.", "%2e%2e": self = .parent
        default: return nil
        }
    }
}
