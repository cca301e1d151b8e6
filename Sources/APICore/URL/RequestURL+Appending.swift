extension RequestURL {
    /// The URL with a path appended, and the path's query behind the one this URL has.
    ///
    /// One slash stands at the seam, whoever brought it. An empty path leaves the URL as it is.
    ///
    /// - Throws: ``InvalidRequest`` with ``InvalidRequest/Reason/invalidPath(_:_:)``.
    public func appending(_ path: RequestPath) throws(InvalidRequest) -> RequestURL {
        if let problem = path.problem { throw InvalidRequest(.invalidPath(path.description, problem)) }
        var joined = self.path
        if !path.encoded.isEmpty {
            if joined.utf8.last == UInt8(ascii: "/") { joined.removeLast() }
            if path.encoded.utf8.first != UInt8(ascii: "/") { joined += "/" }
            joined += path.encoded
        }
        let url = RequestURL(scheme: scheme, host: host, port: port, path: joined, query: query)
        return path.query.map { url.appending(encodedQuery: $0) } ?? url
    }
}
