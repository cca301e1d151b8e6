internal import APICore
internal import CCurl

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Says in this package's words what libcurl reports.
enum CurlFailure {
    static func error(_ code: CURLcode, _ handle: CurlHandle, _ exchange: CurlExchange) -> NetworkError {
        let text = handle.errorText
        let reason =
            code == CURLE_GOT_NOTHING && exchange.state.hasResponse
            ? "the connection ended within the head of the answer"
            : text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        if let address = exchange.refusedAddress {
            return .connectivity(ConnectivityFailure(.addressRefused, reason: address))
        }
        func lost(_ kind: ConnectivityFailure.Kind) -> NetworkError {
            .connectivity(ConnectivityFailure(kind, reason: reason, responseStarted: exchange.state.hasResponse))
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return lost(.nameResolution)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return lost(.proxy)
        case CURLE_COULDNT_CONNECT: return lost(connectKind(handle, exchange))
        case CURLE_OPERATION_TIMEDOUT:
            let limit = exchange.request.options.timeouts.connect ?? exchange.loop.settings.timeouts.connect
            return .timeout(TimeoutFailure(.connect, limit: limit))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CRL_BADFILE:
            return .tls(TLSFailure(.untrustedCertificate, reason: reason))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .tls(TLSFailure(.pinMismatch, reason: reason))
        case CURLE_SSL_CERTPROBLEM: return .tls(TLSFailure(.clientCertificate, reason: reason))
        case CURLE_SSL_CACERT_BADFILE: return .tls(TLSFailure(.certificateAuthorities, reason: reason))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
            return .tls(TLSFailure(isAboutClientCertificate(reason) ? .clientCertificate : .handshake, reason: reason))
        case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM:
            guard handle.scan.isComplete else { return lost(.connectionLost) }
            return .truncated(TruncatedBody(received: handle.bodyCount, expected: exchange.expectedLength))
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return .invalidResponse(InvalidResponse(reason))
        case CURLE_WRITE_ERROR where exchange.isDecoded:
            // libcurl undoes the first member of a gzip file (RFC 1952 section 2.2) and gives up at the second.
            return .invalidResponse(InvalidResponse("the content coding could not be undone to the end"))
        case CURLE_URL_MALFORMAT: return .invalidRequest(InvalidRequest(.other(reason)))
        case CURLE_ABORTED_BY_CALLBACK where !exchange.state.hasResponse:
            let reason = "a kept-alive connection was closed by the server; the request may not be sent twice"
            return .connectivity(ConnectivityFailure(.connectionLost, reason: reason))
        case CURLE_RECV_ERROR where proxyRefused(handle): return lost(.proxy)
        case CURLE_RECV_ERROR where isAboutClientCertificate(reason):
            // With TLS 1.3 the server's judgement arrives after the handshake.
            return .tls(TLSFailure(.clientCertificate, reason: reason))
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2:
            return lost(.connectionLost)
        default: return lost(.other)
        }
    }

    private static func connectKind(_ handle: CurlHandle, _ exchange: CurlExchange) -> ConnectivityFailure.Kind {
        let proxy = exchange.loop.settings.proxy
        if (exchange.request.url.scheme == "https" ? proxy.https : proxy.http) != nil { return .proxy }
        switch Int32(truncatingIfNeeded: ccurl_get_long(handle.easy, CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED, ENOENT: return .connectionRefused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: return .unreachable
        default: return .other
        }
    }

    private static func proxyRefused(_ handle: CurlHandle) -> Bool {
        let status = ccurl_get_long(handle.easy, CURLINFO_HTTP_CONNECTCODE)
        return status != 0 && !(200..<300).contains(status)
    }

    /// OpenSSL and its relatives name the alert of RFC 8446 section 6.2 in different ways.
    private static func isAboutClientCertificate(_ reason: String) -> Bool {
        reason.contains("certificate required") || reason.contains("CERTIFICATE_REQUIRED")
    }
}

extension CURLcode {
    /// Whether the connection was lost, as opposed to never made or misused.
    var isConnectionLoss: Bool {
        switch self {
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE:
            true
        default: false
        }
    }
}
