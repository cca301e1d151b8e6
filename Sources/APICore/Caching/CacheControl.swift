/// The directives of `Cache-Control` (RFC 9111 section 5.2), of a request or of a response.
///
/// ```swift
/// let directives = CacheControl(response.headers)
/// if directives.noStore { … }
/// ```
///
/// Read as tolerantly as the RFC demands: names in any case, numbers quoted or not, unknown directives ignored, commas in
/// quoted strings kept. Where something is malformed or said twice, the reading that caches less wins
/// (section 4.2.1): an unreadable `max-age` is one of 0, and of two the shorter counts.
public struct CacheControl: Sendable, Hashable {
    /// `max-age` in seconds: 0 when its value is unreadable.
    public var maxAge: Int?
    /// `s-maxage` in seconds. It speaks to shared caches only; this one is private.
    public var sharedMaxAge: Int?
    /// `no-store`.
    public var noStore = false
    /// `no-cache` without field names.
    public var noCache = false
    /// The field names of `no-cache="…"`: they must not be used without revalidation.
    public var noCacheFields: [HTTPHeaderKey] = []
    /// `private`, with or without field names.
    public var isPrivate = false
    /// `public`.
    public var isPublic = false
    /// `must-revalidate`.
    public var mustRevalidate = false
    /// `must-understand`: store only if the status code is understood, and then in spite of `no-store`.
    public var mustUnderstand = false
    /// `immutable` (RFC 8246): no need to ask again while it is fresh.
    public var immutable = false
    /// `no-transform`.
    public var noTransform = false
    /// `stale-while-revalidate` in seconds (RFC 5861).
    public var staleWhileRevalidate: Int?
    /// `stale-if-error` in seconds (RFC 5861), in responses and requests.
    public var staleIfError: Int?
    /// `max-stale` of a request in seconds; without a value, any number of them.
    public var maxStale: Int?
    /// `min-fresh` of a request in seconds.
    public var minFresh: Int?
    /// `only-if-cached` of a request.
    public var onlyIfCached = false

    /// No directives.
    public init() {}

    /// Reads all `Cache-Control` lines of a message.
    public init(_ headers: HTTPHeaders) {
        for field in headers where field.name == .cacheControl {
            for member in field.value.splitHTTPList() { read(member) }
        }
    }

    private mutating func read(_ member: String) {
        let name: Substring
        let value: String?
        if let equals = member.utf8.firstIndex(of: UInt8(ascii: "=")) {
            name = member[..<equals]
            value = String(member[member.utf8.index(after: equals)...])
        } else {
            name = Substring(member)
            value = nil
        }
        switch name.lowercased() {
        case "max-age": maxAge = Self.shorter(maxAge, Self.seconds(value) ?? 0)
        case "s-maxage": sharedMaxAge = Self.shorter(sharedMaxAge, Self.seconds(value) ?? 0)
        case "no-store": noStore = true
        case "no-cache":
            let fields = Self.fieldNames(value)
            if fields.isEmpty { noCache = true } else { noCacheFields += fields }
        case "private": isPrivate = true
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": immutable = true
        case "no-transform": noTransform = true
        case "stale-while-revalidate":
            staleWhileRevalidate = Self.shorter(staleWhileRevalidate, Self.seconds(value) ?? 0)
        case "stale-if-error": staleIfError = Self.shorter(staleIfError, Self.seconds(value) ?? 0)
        case "max-stale": maxStale = Self.shorter(maxStale, value == nil ? .max : Self.seconds(value) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(value) ?? .max)
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    private static func shorter(_ known: Int?, _ new: Int) -> Int { min(known ?? .max, new) }

    /// The most that a number of seconds is taken for (RFC 9111 section 1.2.2).
    static let greatestDelta = 1 << 31

    /// `delta-seconds`, quoted or not; `nil` if there is anything but digits.
    private static func seconds(_ value: String?) -> Int? {
        guard let value else { return nil }
        return deltaSeconds(unquoted(value))
    }

    /// Digits as a number, capped as RFC 9111 section 1.2.2 says.
    static func deltaSeconds(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for digit in text.utf8 {
            guard digit.isASCIIDigit else { return nil }
            number = min(number * 10 + Int(digit - UInt8(ascii: "0")), greatestDelta)
        }
        return number
    }

    private static func unquoted(_ value: String) -> String {
        guard value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"")
        else {
            return value
        }
        return String(value.dropFirst().dropLast())
    }

    private static func fieldNames(_ value: String?) -> [HTTPHeaderKey] {
        guard let value else { return [] }
        return unquoted(value).splitHTTPList().map { HTTPHeaderKey($0) }
    }
}
