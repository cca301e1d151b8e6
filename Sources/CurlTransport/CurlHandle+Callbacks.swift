internal import APICore
internal import CCurl
internal import CSystem

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What libcurl calls, always on the loop thread. Each callback finds its handle through the context pointer, and does
/// no more than hand the event on.
extension CurlHandle {
    func installCallbacks(context: UnsafeMutableRawPointer, loop: UnsafeMutableRawPointer) {
        ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let handle = CurlHandle.at(context), let bytes else { return 0 }
            return handle.receiveBody(bytes, size * count)
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let handle = CurlHandle.at(context), let bytes else { return 0 }
            return handle.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let exchange = CurlHandle.at(context)?.exchange, let upload = exchange.upload, let bytes else {
                return Int(CURL_READFUNC_ABORT)
            }
            exchange.touch()
            switch upload.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
            case .bytes(let count): return count
            case .wait:
                exchange.isSendPaused = true
                return Int(CURL_READFUNC_PAUSE)
            case .failure(let error):
                exchange.state.fail(error)
                return Int(CURL_READFUNC_ABORT)
            }
        }
        ccurl_set_pointer(easy, CURLOPT_READDATA, context)
        ccurl_set_seek_callback(easy) { context, offset, origin in
            guard let upload = CurlHandle.at(context)?.exchange?.upload, origin == SEEK_SET,
                upload.seek(to: Int(offset))
            else { return CURL_SEEKFUNC_FAIL }
            return CURL_SEEKFUNC_OK
        }
        ccurl_set_pointer(easy, CURLOPT_SEEKDATA, context)
        ccurl_set_prereq_callback(easy) { context, remote, _, _, _ in
            guard let handle = CurlHandle.at(context) else { return CURL_PREREQFUNC_ABORT }
            return handle.willSend(remote) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
        // A connection outlives the handle that made it, so this one knows only the loop.
        ccurl_set_close_callback(easy) { loop, socket in
            if let loop { Unmanaged<CurlEventLoop>.fromOpaque(loop).takeUnretainedValue().socketCloses(socket) }
            return close(socket)
        }
        ccurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, loop)
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        ccurl_set_pointer(easy, CURLOPT_TRAILERDATA, context)
    }

    @inline(__always)
    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
        context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The address filter sees an address before a connection to it is tried, so that not even a SYN goes out.
    func setOpenCallback(_ isOn: Bool) {
        guard isOn else {
            ccurl_set_open_callback(easy, nil)
            return
        }
        ccurl_set_open_callback(easy) { context, _, address in
            guard let address, let exchange = CurlHandle.at(context)?.exchange else { return CURL_SOCKET_BAD }
            let family = address.pointee.family
            if family == AF_INET || family == AF_INET6, let filter = exchange.request.options.addressFilter {
                let ip = IPAddress(address)
                guard let ip, filter.allows(ip) else {
                    exchange.refusedAddress = ip?.description ?? "an unknown address"
                    return CURL_SOCKET_BAD
                }
            }
            return socket(family, address.pointee.socktype, address.pointee.protocol)
        }
    }

    func setTrailerCallback(_ isOn: Bool) {
        guard isOn else {
            ccurl_set_trailer_callback(easy, nil)
            return
        }
        ccurl_set_trailer_callback(easy) { list, context in
            guard let list, let upload = CurlHandle.at(context)?.exchange?.upload else { return CURL_TRAILERFUNC_ABORT }
            for line in upload.trailerLines {
                guard let longer = curl_slist_append(list.pointee, line) else { return CURL_TRAILERFUNC_ABORT }
                list.pointee = longer
            }
            return CURL_TRAILERFUNC_OK
        }
    }

    /// A connection is there and the request is about to be written; `false` keeps it back.
    private func willSend(_ remote: UnsafeMutablePointer<CChar>?) -> Bool {
        guard let exchange else { return false }
        exchange.touch()
        // Also for a kept-alive connection, which may come from a request with another filter.
        if let filter = exchange.request.options.addressFilter, let remote, remote.pointee != 0 {
            let text = String(cString: remote)
            // A zone (`fe80::1%eth0`) says through which interface, not which address.
            guard let address = IPAddress(text.prefix { $0 != "%" }), filter.allows(address) else {
                exchange.refusedAddress = text
                exchange.state.fail(.connectivity(ConnectivityFailure(.addressRefused, reason: text)))
                return false
            }
        }
        switch exchange.state.willSend(isNewConnection: ccurl_get_long(easy, CURLINFO_NUM_CONNECTS) > 0) {
        case .send: return true
        case .sendAgain:
            exchange.loop.observe(.sentAgain(identifier: exchange.request.context.identifier))
            return true
        case .refuse: return false
        }
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let exchange else { return false }
        exchange.touch()
        exchange.state.received()
        switch scan.take(line, limits: exchange.loop.settings.headLimits) {
        case .statusLine:
            head.removeAll(keepingCapacity: true)
            head.append(contentsOf: line)
            exchange.loop.protocolKnown(exchange, isMultiplexed: scan.isMultiplexed)
            return true
        case .field:
            head.append(contentsOf: line)
            return true
        case .trailer:
            trailers.append(contentsOf: line)
            return true
        case .ignored:
            return true
        case .interimEnd:
            if exchange.loop.settings.observer != nil, let interim = HeadParser.parse(head, url: exchange.request.url) {
                exchange.loop.observe(.interimResponse(identifier: exchange.request.context.identifier, interim))
            }
            return true
        case .end:
            return headCompleted(exchange)
        case .failure(let reason):
            exchange.state.fail(.invalidResponse(InvalidResponse(reason)))
            return false
        }
    }

    private func headCompleted(_ exchange: CurlExchange) -> Bool {
        let settings = exchange.loop.settings
        // libcurl stops an upload whose answer is an error, but one that is paused stays paused, and the transfer
        // would never end: it goes on for a moment to find that there is nothing more to do.
        if exchange.isSendPaused, scan.status >= 300 { exchange.loop.post(.resumeSending(exchange)) }
        let mayHaveBody = exchange.request.method != .head && !HTTPStatusCode(scan.status).hasNoBody
        if scan.contentEncoding != nil, settings.decodesContent, !lines.hasRange {
            let codings = scan.contentEncoding?.split(separator: ",").map { $0.trimmed } ?? []
            if codings.allSatisfy({ settings.library.decodes($0) }) {
                exchange.isDecoded = mayHaveBody && codings.contains { $0.lowercased() != "identity" }
            } else {
                // A coding nobody knows (`aws-chunked`, a charset in the wrong place) is the caller's to undo.
                ccurl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
            }
        }
        if mayHaveBody, let length = scan.contentLength, !exchange.isDecoded {
            guard length <= exchange.bodyLimit else {
                exchange.state.fail(.bodyTooLarge(BodyTooLarge(limit: exchange.bodyLimit)))
                return false
            }
            exchange.expectedLength = length
            if !exchange.state.isStreamed { body.reserve(length) }
        }
        if exchange.state.headCompleted() { exchange.deliverHead(self) }
        return true
    }

    /// What the write callback returns: the count, 0 to end the transfer, or that libcurl must keep the bytes and wait.
    private func receiveBody(_ bytes: UnsafePointer<CChar>, _ count: Int) -> Int {
        guard let exchange else { return 0 }
        exchange.touch()
        guard count <= exchange.bodyLimit - bodyCount else {
            exchange.state.fail(.bodyTooLarge(BodyTooLarge(limit: exchange.bodyLimit)))
            return 0
        }
        if exchange.isDecoded {
            let decompression = exchange.loop.settings.decompression
            if bodyCount > decompression.ratioThreshold,
                bodyCount / max(receivedCount, 1) >= decompression.maximumRatio
            {
                let reason = "it grew to more than \(decompression.maximumRatio) times its compressed size"
                exchange.state.fail(.bodyTooLarge(BodyTooLarge(limit: exchange.bodyLimit, reason: reason)))
                return 0
            }
        }
        if let stream = exchange.stream {
            switch stream.receive(bytes, count: count) {
            case .taken: exchange.loop.needsFlush(exchange)
            case .full:
                exchange.isReceivePaused = true
                return Int(CURL_WRITEFUNC_PAUSE)
            case .unwanted: return 0
            }
        } else if !body.append(bytes, count: count) {
            exchange.state.fail(.bodyTooLarge(BodyTooLarge(limit: bodyCount, reason: "there is no memory for it")))
            return 0
        }
        bodyCount += count
        return count
    }
}

extension StringProtocol {
    /// Without spaces and tabs around it.
    var trimmed: String {
        var slice = Substring(self)
        while let first = slice.utf8.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.utf8.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return String(slice)
    }
}

extension IPAddress {
    /// The address libcurl is about to connect to.
    init?(_ address: UnsafePointer<curl_sockaddr>) {
        // The address is longer than `sockaddr` says: read it in place.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        let start = UnsafeRawPointer(address) + offset
        switch address.pointee.family {
        case AF_INET:
            let inner = start.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: inner) { Array($0) })
        case AF_INET6:
            let inner = start.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: inner) { Array($0) })
        default:
            return nil
        }
    }
}
