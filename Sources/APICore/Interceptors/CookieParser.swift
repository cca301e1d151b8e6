#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads `Set-Cookie` as RFC 6265bis section 5.6 says, which takes what servers really send. Pure.
enum CookieParser {
    /// The cookie that the response of a URL sets; `nil` for one that must be ignored (section 5.7).
    static func parse(_ field: String, url: RequestURL, now: Date) -> Cookie? {
        // Section 5.6: control characters end it all.
        guard field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first else { return nil }
        var (name, value) = split(pair)
        if !pair.utf8.contains(UInt8(ascii: "=")) { (name, value) = ("", name) }
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= 4096 else { return nil }
        var attributes = Attributes()
        for part in parts.dropFirst() { attributes.read(part, url: url, now: now) }
        return cookie(name, value, attributes, url)
    }

    private struct Attributes {
        var domain = ""
        var path: String?
        var expires: Date?
        var maxAge: Date?
        var isSecure = false
        var isHTTPOnly = false

        mutating func read(_ part: Substring, url: RequestURL, now: Date) {
            let (name, value) = split(part)
            // Section 5.6: longer attribute values are ignored.
            guard value.utf8.count <= 1024 else { return }
            switch name.lowercased() {
            case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value.hasPrefix("/") ? value : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "expires": expires = CookieDate.parse(value) ?? expires
            case "max-age": maxAge = CookieParser.maxAge(value, now: now) ?? maxAge
            default: break
            }
        }
    }

    private static func cookie(
        _ name: String, _ value: String, _ attributes: Attributes, _ url: RequestURL
    ) -> Cookie? {
        var domain = url.host
        var isHostOnly = true
        if !attributes.domain.isEmpty, attributes.domain != url.host {
            // Without the public suffix list at least no cookie for a whole top-level domain.
            guard Cookie.host(url.host, belongsTo: attributes.domain), attributes.domain.contains(".") else {
                return nil
            }
            domain = attributes.domain
            isHostOnly = false
        } else if !attributes.domain.isEmpty {
            // A host that names itself means those below it too; a single label or an address has none.
            isHostOnly = !domain.contains(".") || IPAddress(domain) != nil
        }
        if attributes.isSecure, url.scheme != "https" { return nil }
        let path = attributes.path ?? Cookie.defaultPath(url.path)
        // Section 4.1.3: what a prefix promises must hold.
        let lowered = name.lowercased()
        if lowered.hasPrefix("__secure-"), !attributes.isSecure { return nil }
        if lowered.hasPrefix("__host-"),
            !(attributes.isSecure && attributes.domain.isEmpty && attributes.path == "/")
        {
            return nil
        }
        return Cookie(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path,
            expires: attributes.maxAge ?? attributes.expires, isSecure: attributes.isSecure,
            isHTTPOnly: attributes.isHTTPOnly)
    }

    private static func split(_ part: Substring) -> (name: String, value: String) {
        guard let equals = part.firstIndex(of: "=") else { return (String(part.trimmingOWS), "") }
        return (
            String(part[..<equals].trimmingOWS), String(part[part.index(after: equals)...].trimmingOWS)
        )
    }

    /// Section 5.6.2. A year is as long as anything needs to last, and section 5.5 caps it at 400 days.
    private static func maxAge(_ text: String, now: Date) -> Date? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        if text.hasPrefix("-") { return .distantPast }
        let seconds = min(Int(digits) ?? .max, 400 * 86_400)
        return seconds == 0 ? .distantPast : now.addingTimeInterval(Double(seconds))
    }
}
