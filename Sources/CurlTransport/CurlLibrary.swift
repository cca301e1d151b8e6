internal import APICore
internal import CCurl

/// The libcurl that is installed: initialised once, asked once for what it can do.
struct CurlLibrary: Sendable {
    /// Its version, `0x075801` for 7.88.1.
    let versionNumber: UInt32
    /// Its version as text.
    let version: String
    private let features: Int32
    /// The content codings it can undo, in the form of `Accept-Encoding`.
    let acceptEncoding: String

    /// `nil` when libcurl could not be initialised.
    static let shared: CurlLibrary? = {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK, let info = ccurl_version_info() else {
            return nil
        }
        return CurlLibrary(info.pointee)
    }()

    private init(_ info: curl_version_info_data) {
        versionNumber = info.version_num
        version = info.version.map { String(cString: $0) } ?? ""
        features = info.features
        var codings: [String] = []
        if features & CURL_VERSION_LIBZ != 0 { codings += ["gzip", "deflate"] }
        if features & (1 << 23) != 0 { codings.append("br") }
        if features & (1 << 26) != 0 { codings.append("zstd") }
        acceptEncoding = codings.joined(separator: ", ")
    }

    /// Whether it speaks HTTP/2.
    var hasHTTP2: Bool { features & CURL_VERSION_HTTP2 != 0 }
    /// Whether it speaks HTTP/3.
    var hasHTTP3: Bool { features & (1 << 25) != 0 }

    /// Whether it can undo this content coding.
    func decodes(_ coding: some StringProtocol) -> Bool {
        switch coding.lowercased() {
        case "identity", "": true
        case "gzip", "x-gzip", "deflate": features & CURL_VERSION_LIBZ != 0
        case "br": features & (1 << 23) != 0
        case "zstd": features & (1 << 26) != 0
        default: false
        }
    }
}
