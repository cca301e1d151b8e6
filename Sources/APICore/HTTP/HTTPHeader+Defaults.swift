#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a client says of itself when the caller says nothing.
extension HTTPHeader {
    /// `Accept-Encoding: br;q=1.0, gzip;q=0.9, deflate;q=0.8`.
    ///
    /// A transport that decodes content sends its own list instead of this one when it cannot decode all of these.
    public static let defaultAcceptEncoding = acceptEncoding(qualityEncoded(["br", "gzip", "deflate"]))

    /// `Accept-Language` from the user's preferred languages, six at most.
    ///
    /// On Linux they are read from `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`, in the order GNU gettext gives
    /// them: Foundation reports `en-001` there whatever the user set. Without any of them: `en`.
    public static let defaultAcceptLanguage = acceptLanguage(
        qualityEncoded(Array(preferredLanguages(environment: ProcessInfo.processInfo.environment).prefix(6))))

    /// `User-Agent: executable/version (bundle; build:number; system version)`, the parts that are known.
    public static let defaultUserAgent: HTTPHeader = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let system = "\(systemName) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        let executable =
            CommandLine.arguments.first?.split(separator: "/").last.map { String($0) } ?? "Unknown"
        return .userAgent("\(executable.tokenCharactersOnly) (\(system)) APILayer")
    }()

    /// Preferred languages as BCP 47 tags (RFC 5646), most wanted first, from the POSIX locale variables.
    static func preferredLanguages(environment: [String: String]) -> [String] {
        #if canImport(Darwin)
        return Locale.preferredLanguages
        #else
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // gettext ignores LANGUAGE in the C locale.
        var candidates: [Substring] = []
        if let list = environment["LANGUAGE"], languageTag(fromPOSIX: locale ?? "") != nil {
            candidates += list.split(separator: ":")
        }
        if let locale { candidates.append(locale[...]) }
        var tags: [String] = []
        for tag in candidates.compactMap({ languageTag(fromPOSIX: $0) }) where !tags.contains(tag) { tags.append(tag) }
        return tags.isEmpty ? ["en"] : tags
        #endif
    }

    /// `de_AT.UTF-8@euro` to `de-AT`; `nil` for `C`, `POSIX` and what is no language.
    private static func languageTag(fromPOSIX locale: some StringProtocol) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard name != "C", name != "POSIX" else { return nil }
        let parts = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
        guard let language = parts.first, (2...8).contains(language.utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } })
        else { return nil }
        return parts.joined(separator: "-")
    }

    private static var systemName: String {
        #if os(Linux)
        "Linux"
        #elseif os(macOS)
        "macOS"
        #elseif targetEnvironment(macCatalyst)
        "macOS(Catalyst)"
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #elseif os(Windows)
        "Windows"
        #else
        "Unknown"
        #endif
    }
}

extension String {
    /// The text with everything that is not allowed in a token dropped, or `Unknown` when nothing is left.
    fileprivate var tokenCharactersOnly: String {
        let kept = String(decoding: utf8.filter { $0.isHTTPTokenByte }, as: UTF8.self)
        return kept.isEmpty ? "Unknown" : kept
    }
}
