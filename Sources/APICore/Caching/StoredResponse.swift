#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A response as the cache keeps it, without its body: what every decision about its reuse is made from.
struct StoredResponse: Sendable, Equatable {
    /// The status.
    var status: HTTPStatusCode
    /// The header fields that may be stored (RFC 9111 section 3.1), with a `Date`.
    var headers: HTTPHeaders
    /// When the request was sent, in seconds since 1970.
    var requestTime: Double
    /// When the response was received.
    var responseTime: Double
    /// The fields of the request that the response depends on, and their values (section 4.1).
    var selectingFields: SelectingFields
    /// Tells two responses apart that are equal otherwise, so that one's update is not applied to the other.
    var identifier: UInt64

    /// How old the response was when it was received, in seconds (section 4.2.3).
    private(set) var initialAge: Double
    /// How long it is fresh, counted from age 0, in seconds (section 4.2.1).
    private(set) var lifetime: Double
    /// The directives of the response.
    private(set) var directives: CacheControl

    /// Prepares a response for being stored.
    init(
        head: ResponseHead, selectingFields: SelectingFields, requestTime: Double, responseTime: Double,
        identifier: UInt64
    ) {
        status = head.status
        headers = HTTPHeaders(StoredFields(head.headers).fields)
        if headers[.date] == nil {
            // A recipient with a clock adds what is missing (RFC 9110 section 6.6.1).
            headers[.date] = HTTPDate.string(from: Date(timeIntervalSince1970: responseTime))
        }
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.selectingFields = selectingFields
        self.identifier = identifier
        initialAge = 0
        lifetime = 0
        directives = CacheControl()
        computeFreshness()
    }

    /// Brings back what ``encoded`` has written.
    init(
        status: HTTPStatusCode, headers: HTTPHeaders, requestTime: Double, responseTime: Double,
        selectingFields: SelectingFields, identifier: UInt64, initialAge: Double, lifetime: Double
    ) {
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.selectingFields = selectingFields
        self.identifier = identifier
        self.initialAge = initialAge
        self.lifetime = lifetime
        directives = CacheControl(headers)
    }

    private mutating func computeFreshness() {
        directives = CacheControl(headers)
        let date = headers[.date].flatMap { HTTPDate.date(from: $0) }?.timeIntervalSince1970 ?? responseTime
        initialAge = Freshness.initialAge(
            date: date, age: Freshness.age(of: headers), requestTime: requestTime, responseTime: responseTime)
        lifetime = Freshness.lifetime(status: status, headers: headers, date: date)
    }

    /// The age at a time, in seconds (section 4.2.3).
    func age(at now: Double) -> Double {
        initialAge + max(0, now - responseTime)
    }

    /// Whether the clock has been set back so far that nothing can be said about the age.
    func isFromTheFuture(at now: Double) -> Bool {
        responseTime > now + 60
    }

    /// Takes over the fields of a 304 or HEAD response (sections 3.2, 4.3.4 and 4.3.5) and starts to age anew.
    mutating func update(with newHeaders: HTTPHeaders, requestTime: Double, responseTime: Double) {
        var updated = StoredFields(newHeaders)
        updated.removeFieldsBoundToTheBody()
        // Its age and date belonged to the message before.
        headers.remove(.age)
        headers.remove(.date)
        headers.merge(HTTPHeaders(updated.fields))
        if headers[.date] == nil {
            headers[.date] = HTTPDate.string(from: Date(timeIntervalSince1970: responseTime))
        }
        self.requestTime = requestTime
        self.responseTime = responseTime
        computeFreshness()
    }
}

/// The header fields of a message that may be stored (RFC 9111 section 3.1).
struct StoredFields {
    private(set) var fields: [HTTPHeader]

    private static let connectionFields: [HTTPHeaderKey] = [
        .connection, "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization,
        "Proxy-Connection", .te, .transferEncoding, "Upgrade",
    ]

    /// Fields that describe the body as it was received, which a 304 or HEAD response does not bring (section 3.2).
    private static let bodyFields: [HTTPHeaderKey] = [.contentLength, .contentEncoding, .contentRange, .trailer]

    init(_ headers: HTTPHeaders) {
        let named = headers.list(for: .connection).map { HTTPHeaderKey($0) }
        fields = headers.filter { field in
            !Self.connectionFields.contains(field.name) && !named.contains(field.name)
        }
    }

    mutating func removeFieldsBoundToTheBody() {
        fields.removeAll { Self.bodyFields.contains($0.name) }
    }
}
