#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The arithmetic of age and freshness (RFC 9111 section 4.2), in seconds.
enum Freshness {
    /// How long a response without explicit lifetime may be taken for fresh at most: a week.
    static let heuristicLimit = 7 * 86_400.0

    /// Which status codes may be reused without explicit lifetime (RFC 9110 section 15.1), but 206, which is not stored.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// How old a response was when it was received (section 4.2.3).
    static func initialAge(date: Double, age: Int?, requestTime: Double, responseTime: Double) -> Double {
        let apparentAge = max(0, responseTime - date)
        let responseDelay = max(0, responseTime - requestTime)
        return max(apparentAge, Double(age ?? 0) + responseDelay)
    }

    /// The value of `Age` (section 5.1): the first one if there are several; an unreadable one is ignored.
    static func age(of headers: HTTPHeaders) -> Int? {
        guard let line = headers[.age] else { return nil }
        let first = line.prefix { $0 != "," && $0 != ";" }.trimmingOWS
        return CacheControl.deltaSeconds(first)
    }

    /// How long a response is fresh, counted from age 0 (section 4.2.1).
    static func lifetime(status: HTTPStatusCode, headers: HTTPHeaders, date: Double) -> Double {
        let directives = CacheControl(headers)
        if let maxAge = directives.maxAge { return Double(maxAge) }
        let expires = headers.values(for: .expires)
        if let first = expires.first {
            // An unreadable date, `0` above all, is one in the past (section 5.3). So are several that differ.
            guard expires.allSatisfy({ $0 == first }), let time = HTTPDate.date(from: first) else { return 0 }
            return max(0, time.timeIntervalSince1970 - date)
        }
        guard heuristicStatuses.contains(status.rawValue) || directives.isPublic,
            let modified = headers[.lastModified].flatMap({ HTTPDate.date(from: $0) })
        else { return 0 }
        // A tenth of the time since it changed (section 4.2.2).
        return min(max(0, date - modified.timeIntervalSince1970) / 10, heuristicLimit)
    }
}
