internal import APICore
internal import CCurl
internal import CSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One libcurl easy handle with the memory its requests need, used again and again.
///
/// What is the same for every request of a transport is set when the handle is made; a plain GET then costs four calls
/// instead of thirty. `curl_easy_reset` is never used: it would throw that away.
final class CurlHandle: @unchecked Sendable {
    // Safe to share: it has one owner at a time. The task that sends prepares it and gives it to the loop through the
    // mailbox; the loop thread gives it back by resuming the task. Both are happens-before edges.

    let easy: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    let lines = HeaderLines()

    /// The request it works for.
    var exchange: CurlExchange?

    /// The lines of the head that is arriving, as they came.
    var head: [UInt8] = []
    /// The trailer lines.
    var trailers: [UInt8] = []
    var scan = HeadScan()
    /// The whole body of a buffered response.
    var body = BodyBuffer()
    /// Bytes of body after content decoding.
    var bodyCount = 0

    // What was set for the last request and must be undone for the next.
    private var hasMethod = false
    private var hasUpload = false
    private var hasRange = false
    private var hasFilter = false
    private var hasFreshConnect = false
    private var hasResolve = false
    private var usesHead = false
    private var hasTrailers = false
    private var connectTimeout: Int = -1
    private var proxySetting: ProxyConfiguration.Server??

    init?(settings: CurlSettings, loop: UnsafeMutableRawPointer) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer)
        settings.apply(to: easy)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
        installCallbacks(context: context, loop: loop)
    }

    deinit {
        curl_easy_cleanup(easy)
        errorBuffer.deallocate()
    }

    /// The last error in libcurl's words.
    var errorText: String { String(cString: errorBuffer) }

    /// Sets what this request needs.
    ///
    /// - Throws: ``NetworkError/invalidRequest(_:)`` for what must not be sent.
    func prepare(_ request: HTTPRequest, settings: CurlSettings, upload: UploadBody?) throws(NetworkError) {
        try lines.build(request, settings: settings, upload: upload)
        errorBuffer[0] = 0
        guard ccurl_set_string(easy, CURLOPT_URL, request.url.string) == CURLE_OK else {
            throw .invalidRequest(
                InvalidRequest(.invalidURL(text: request.url.description, .invalidHost(request.url.host))))
        }
        setMethod(request.method, upload: upload)
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, lines.list)
        let decodes = settings.decodesContent && !lines.hasRange
        if decodes == hasRange {
            hasRange = !decodes
            ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, decodes ? settings.acceptEncoding : nil)
        }
        ccurl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 1)
        setFilter(request.options.addressFilter != nil)
        setResolve(request, settings)
        setProxy(request, settings)
        let timeout = request.options.timeouts.connect ?? settings.timeouts.connect
        let milliseconds = timeout.map { max($0.milliseconds, 1) } ?? Int(Int32.max)
        if milliseconds != connectTimeout {
            connectTimeout = milliseconds
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, Int(Int32.max)))
        }
    }

    private func setMethod(_ method: HTTPMethod, upload: UploadBody?) {
        if hasUpload || usesHead {
            // Each of these changes the method; the last one counts.
            ccurl_set_long(easy, CURLOPT_NOBODY, 0)
            ccurl_set_long(easy, CURLOPT_UPLOAD, 0)
            ccurl_set_string(easy, CURLOPT_POSTFIELDS, nil)
            ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
            hasUpload = false
            usesHead = false
        }
        if let upload {
            hasUpload = true
            upload.configure(easy)
            if upload.hasTrailers != hasTrailers {
                hasTrailers = upload.hasTrailers
                setTrailerCallback(hasTrailers)
            }
        } else if method == .head {
            usesHead = true
            ccurl_set_long(easy, CURLOPT_NOBODY, 1)
        }
        let named = !(upload == nil && (method == .get || method == .head))
        if named {
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method.rawValue)
        } else if hasMethod {
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
        }
        hasMethod = named
    }

    private func setFilter(_ isOn: Bool) {
        guard isOn != hasFilter else { return }
        hasFilter = isOn
        setOpenCallback(isOn)
    }

    private func setResolve(_ request: HTTPRequest, _ settings: CurlSettings) {
        guard !settings.overrides.isEmpty else { return }
        let addresses = settings.overrides[request.url.host]
        guard addresses != nil || hasResolve else { return }
        hasResolve = addresses != nil
        lines.setResolve(host: request.url.host, port: request.url.origin.port, addresses: addresses)
        ccurl_set_list(easy, CURLOPT_RESOLVE, lines.resolve)
    }

    private func setProxy(_ request: HTTPRequest, _ settings: CurlSettings) {
        let proxy = request.url.scheme == "https" ? settings.proxy.https : settings.proxy.http
        guard proxySetting != .some(proxy) else { return }
        proxySetting = .some(proxy)
        settings.apply(proxy: proxy, to: easy)
    }

    /// Makes the next attempt use a new connection.
    func requireFreshConnection() {
        errorBuffer[0] = 0
        hasFreshConnect = true
        ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
    }

    /// Forgets what the last attempt brought.
    func resetResponse() {
        head.removeAll(keepingCapacity: head.capacity <= 64 << 10)
        if !trailers.isEmpty { trailers.removeAll() }
        body.removeAll()
        scan = HeadScan()
        bodyCount = 0
    }

    /// Lets go of the request, so that the handle can be used for another.
    func recycle() {
        resetResponse()
        exchange = nil
        if hasFreshConnect {
            hasFreshConnect = false
            ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 0)
        }
    }

    /// Whether everything the server announced is here, although the connection broke: an answer to an upload that the
    /// server did not care to read to its end.
    func hasWholeBody(_ exchange: CurlExchange) -> Bool {
        scan.isComplete && !exchange.isDecoded && exchange.expectedLength == bodyCount
    }

    /// Bytes of body that came over the network, before content decoding.
    var receivedCount: Int { Int(ccurl_get_offset(easy, CURLINFO_SIZE_DOWNLOAD_T)) }

    /// What libcurl measured. `queued` is what came before it.
    func timings(queued: Duration, isComplete: Bool) -> TransferTimings {
        func time(_ info: CURLINFO) -> Duration? {
            let microseconds = ccurl_get_offset(easy, info)
            return microseconds > 0 ? queued + .microseconds(microseconds) : nil
        }
        var address: String?
        if let ip = ccurl_get_string(easy, CURLINFO_PRIMARY_IP), ip.pointee != 0 {
            let text = String(cString: ip)
            let port = ccurl_get_long(easy, CURLINFO_PRIMARY_PORT)
            address = text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]:\(port)" : "\(text):\(port)"
        }
        return TransferTimings(
            queue: queued, nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T), connect: time(CURLINFO_CONNECT_TIME_T),
            secureConnect: time(CURLINFO_APPCONNECT_TIME_T), firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            total: isComplete ? time(CURLINFO_TOTAL_TIME_T) : nil,
            bytesSent: Int(ccurl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T)), bytesReceived: receivedCount,
            connectionReused: ccurl_get_long(easy, CURLINFO_NUM_CONNECTS) == 0, remoteAddress: address)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up; clamped to what fits.
    var milliseconds: Int {
        let nanoseconds = self.nanoseconds
        return Int(nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    /// Whole nanoseconds, not negative, at most some 290 years.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return 9_000_000_000_000_000_000 }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
