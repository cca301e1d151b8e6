internal import APICore
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A configuration in libcurl's terms, worked out once for a transport.
struct CurlSettings: Sendable {
    let configuration: TransportConfiguration
    let library: CurlLibrary
    /// Why the configuration cannot be used; every request fails with it.
    let problem: NetworkError?
    let headLimits: HeadScan.Limits
    let acceptEncoding: String
    let decodesContent: Bool
    let overrides: [String: [IPAddress]]
    let proxy: ProxyConfiguration
    let timeouts: Timeouts
    let decompression: TransportConfiguration.Decompression
    let observer: (@Sendable (TransportEvent) -> Void)?
    private let noProxy: String

    init(_ configuration: TransportConfiguration, library: CurlLibrary) {
        self.configuration = configuration
        self.library = library
        headLimits = HeadScan.Limits(bytes: configuration.maximumHeaderSize, count: configuration.maximumHeaderCount)
        acceptEncoding = library.acceptEncoding
        decodesContent = configuration.decompression.isEnabled && !library.acceptEncoding.isEmpty
        overrides = configuration.addressOverrides
        proxy = configuration.proxy
        timeouts = configuration.timeouts
        decompression = configuration.decompression
        observer = configuration.observer
        noProxy = configuration.proxy.exceptions.joined(separator: ",")
        problem = CurlSettings.problem(configuration, library)
    }

    /// What the installed libcurl cannot do, or no libcurl can.
    private static func problem(_ configuration: TransportConfiguration, _ library: CurlLibrary) -> NetworkError? {
        if configuration.protocolPreference == .http2PriorKnowledge, !library.hasHTTP2 {
            return .invalidRequest(InvalidRequest(.other("the installed libcurl cannot speak HTTP/2")))
        }
        // CURLOPT_CAINFO_BLOB came with 7.77, CURLOPT_PREREQFUNCTION with 7.80: without it a POST could go out twice.
        if library.versionNumber < 0x075000 {
            return .invalidRequest(
                InvalidRequest(.other("libcurl 7.80 or later is needed, \(library.version) is here")))
        }
        return nil
    }

    /// Sets what is the same for every request.
    func apply(to easy: UnsafeMutableRawPointer) {
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Cancelling during name resolution must not wait for the resolver's thread (since 7.87; unknown before).
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_long(easy, CURLOPT_NETRC, 0)
        ccurl_set_long(easy, CURLOPT_HTTP09_ALLOWED, 0)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        ccurl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
        ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        // What was not sent because of an early answer is not needed, and the answer is.
        ccurl_set_long(easy, CURLOPT_KEEP_SENDING_ON_ERROR, 0)
        ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 128 * 1024)
        ccurl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, 64 * 1024)
        setProtocols(easy)
        ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, max(Int(configuration.idleConnectionLifetime.components.seconds), 1))
        if decodesContent { ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, acceptEncoding) }
        ccurl_set_long(easy, CURLOPT_HTTP_TRANSFER_DECODING, 1)
        // Until a request says otherwise: an unset limit would be libcurl's own 300 s.
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        switch configuration.protocolPreference {
        case .automatic:
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, library.hasHTTP2 ? Int(CURL_HTTP_VERSION_2TLS) : 0)
            ccurl_set_long(easy, CURLOPT_PIPEWAIT, 1)
        case .http1: ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2PriorKnowledge:
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
            ccurl_set_long(easy, CURLOPT_PIPEWAIT, 1)
        }
        if let path = configuration.unixSocketPath { ccurl_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, path) }
        apply(configuration.tls, to: easy)
        ccurl_set_string(easy, CURLOPT_PROXY, "")
    }

    private func setProtocols(_ easy: UnsafeMutableRawPointer) {
        // The numeric options are deprecated since 7.85, the textual ones are missing before.
        let text = CURLoption(rawValue: 10318)
        if ccurl_set_string(easy, text, "http,https") == CURLE_UNKNOWN_OPTION {
            ccurl_set_long(easy, CURLoption(rawValue: 181), 3)
        }
    }

    private func apply(_ tls: TLSConfiguration, to easy: UnsafeMutableRawPointer) {
        let verifies = !tls.disablesVerification
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, verifies ? 1 : 0)
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        ccurl_set_long(
            easy, CURLOPT_SSLVERSION,
            Int(tls.minimumVersion == .v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
        switch tls.certificateAuthorities {
        case .file(let path): ccurl_set_string(easy, CURLOPT_CAINFO, path)
        case .bytes(let data): set(data, CURLOPT_CAINFO_BLOB, easy)
        case nil: break
        }
        if let identity = tls.clientIdentity {
            switch identity.certificate {
            case .file(let path): ccurl_set_string(easy, CURLOPT_SSLCERT, path)
            case .bytes(let data): set(data, CURLOPT_SSLCERT_BLOB, easy)
            }
            switch identity.privateKey {
            case .file(let path): ccurl_set_string(easy, CURLOPT_SSLKEY, path)
            case .bytes(let data): set(data, CURLOPT_SSLKEY_BLOB, easy)
            }
            if let passphrase = identity.passphrase { ccurl_set_string(easy, CURLOPT_KEYPASSWD, passphrase) }
        }
        if !tls.pinnedPublicKeys.isEmpty {
            let pins = tls.pinnedPublicKeys.map { "sha256//" + $0 }.joined(separator: ";")
            ccurl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pins)
        }
    }

    private func set(_ data: Data, _ option: CURLoption, _ easy: UnsafeMutableRawPointer) {
        data.withUnsafeBytes { _ = ccurl_set_blob(easy, option, $0.baseAddress, $0.count) }
    }

    func apply(proxy: ProxyConfiguration.Server?, to easy: UnsafeMutableRawPointer) {
        guard let proxy else {
            // An empty name, or libcurl reads the environment itself.
            ccurl_set_string(easy, CURLOPT_PROXY, "")
            return
        }
        let type =
            switch proxy.kind {
            case .http: CURLPROXY_HTTP
            case .https: CURLPROXY_HTTPS
            case .socks5: CURLPROXY_SOCKS5
            case .socks5h: CURLPROXY_SOCKS5_HOSTNAME
            }
        ccurl_set_string(easy, CURLOPT_PROXY, proxy.host)
        ccurl_set_long(easy, CURLOPT_PROXYPORT, proxy.port)
        ccurl_set_long(easy, CURLOPT_PROXYTYPE, Int(type.rawValue))
        ccurl_set_string(easy, CURLOPT_PROXYUSERNAME, proxy.username)
        ccurl_set_string(easy, CURLOPT_PROXYPASSWORD, proxy.password)
        ccurl_set_string(easy, CURLOPT_NOPROXY, noProxy)
    }
}
