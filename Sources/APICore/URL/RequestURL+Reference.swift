extension RequestURL {
    /// Resolves a reference such as a `Location` value against this URL (RFC 3986 section 5.2).
    ///
    /// - Throws: ``InvalidRequest`` when the result is not an `http` or `https` URL that may be requested.
    public func resolving(_ reference: String) throws(InvalidRequest) -> RequestURL {
        let parts = URLParser.split(reference)
        if parts.scheme != nil { return try RequestURL(reference) }
        let text: String
        if let authority = parts.authority {
            text = "\(scheme)://\(authority)\(parts.path)" + (parts.query.map { "?" + $0 } ?? "")
        } else {
            var target: String
            var query = parts.query.map { String($0) }
            if parts.path.isEmpty {
                target = path
                if query == nil { query = self.query }
            } else if parts.path.utf8.first == UInt8(ascii: "/") {
                target = String(parts.path)
            } else {
                // Section 5.2.3: everything up to the last slash of the base path.
                let end = path.lastIndex(of: "/").map { path.index(after: $0) }
                target = (end.map { String(path[..<$0]) } ?? "/") + parts.path
            }
            if target.utf8.starts(with: "//".utf8) { target = "/." + target }
            text = origin.description + target + (query.map { "?" + $0 } ?? "")
        }
        return try RequestURL(text)
    }
}
