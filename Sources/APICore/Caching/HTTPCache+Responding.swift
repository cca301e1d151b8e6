internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPCache {
    /// Makes a response from a stored one (RFC 9111 section 4).
    ///
    /// - Parameter status: What the server was asked; `nil` if it was not.
    func response(
        from found: Found, to exchange: Exchange, at now: Double, status: CacheStatus? = nil
    ) -> HTTPResponse {
        let stored = found.stored
        let age = stored.age(at: now)
        let isValidated = status?.forwardStatus == 304
        var headers = stored.headers
        if !isValidated {
            // Section 5.2.2.4: these may be used after validation only.
            for name in stored.directives.noCacheFields { headers.remove(name) }
            headers[.age] = String(Int(min(max(0, age), Double(CacheControl.greatestDelta))))
        }
        var status = status ?? CacheStatus(cache: configuration.name, isHit: true)
        let remaining = stored.isFromTheFuture(at: now) ? 0 : stored.lifetime - age
        status.timeToLive = Int(max(min(remaining, 1e12), -1e12).rounded(.down))
        status.add(to: &headers)

        var head = ResponseHead(status: stored.status, headers: headers, url: exchange.request.url)
        guard exchange.request.method != .head else { return HTTPResponse(head: head) }
        guard let range = exchange.range, stored.status == .ok else {
            return HTTPResponse(head: head, body: body(of: found, range: 0..<found.body.count))
        }
        let length = found.body.count
        guard let bytes = range.resolved(in: length) else {
            head.status = .rangeNotSatisfiable
            head.headers[.contentRange] = "bytes */\(length)"
            head.headers[.contentLength] = "0"
            return HTTPResponse(head: head)
        }
        head.status = .partialContent
        head.headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(length)"
        head.headers[.contentLength] = String(bytes.count)
        return HTTPResponse(head: head, body: body(of: found, range: bytes))
    }

    private func body(of found: Found, range: Range<Int>) -> HTTPResponseBody {
        switch found.body {
        case .bytes(let data):
            guard range.count < data.count else { return .bytes(data) }
            return .bytes(data.dropFirst(range.lowerBound).prefix(range.count))
        case .stream(let reader):
            return .stream(StoredBodySource(reader, range: range), length: range.count)
        }
    }

    /// The answer when the network must not be used and there is nothing to use (section 5.2.1.7).
    func notCached() -> HTTPResponse {
        var headers = HTTPHeaders()
        CacheStatus(cache: configuration.name, detail: "only-if-cached").add(to: &headers)
        return HTTPResponse(status: .gatewayTimeout, headers: headers)
    }
}
