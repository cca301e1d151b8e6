internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The request header fields that a response depends on, with their values in that request (RFC 9111 section 4.1).
///
/// `Authorization` is among them whether `Vary` says so or not, unless the response is `public`: a client library serves
/// many users in one process, and must not answer one with what another was sent (section 3.5 is the same rule for shared
/// caches). Its value is kept as a digest.
struct SelectingFields: Sendable, Hashable {
    struct Field: Sendable, Hashable {
        /// In lower case.
        var name: String
        /// The normalized value; `nil` when the request does not have the field.
        var value: String?
    }

    /// In the order of their names.
    private(set) var fields: [Field]

    init(fields: [Field] = []) {
        self.fields = fields
    }

    /// The values of named fields in a request.
    init(names: [String], of headers: HTTPHeaders) {
        fields = names.map { Field(name: $0, value: Self.value(of: HTTPHeaderKey($0), in: headers)) }
    }

    /// What a response to a request depends on; `nil` when that is more than header fields (`Vary: *`).
    init?(request: HTTPHeaders, response: HTTPHeaders) {
        var names = Set(response.list(for: .vary).map { $0.lowercased() })
        guard !names.contains("*") else { return nil }
        if request.contains(.authorization), !CacheControl(response).isPublic { names.insert("authorization") }
        self.init(names: names.sorted(), of: request)
    }

    var names: [String] { fields.map(\.name) }

    var isEmpty: Bool { fields.isEmpty }

    /// Whether a request has the same values.
    func match(_ headers: HTTPHeaders) -> Bool {
        fields.allSatisfy { $0.value == Self.value(of: HTTPHeaderKey($0.name), in: headers) }
    }

    /// A field's value in the form that is compared: lines joined, white space around commas removed, and for languages
    /// and codings, which ignore case, in lower case. The order of members stays: to many servers it is a preference.
    private static func value(of name: HTTPHeaderKey, in headers: HTTPHeaders) -> String? {
        guard headers.contains(name) else { return nil }
        let joined = headers.list(for: name).joined(separator: ",")
        switch name {
        case .authorization, .proxyAuthorization, .cookie:
            return digest(joined)
        case .acceptLanguage, .acceptEncoding, .acceptCharset:
            return joined.lowercased()
        default:
            return joined
        }
    }

    /// Secrets are compared, not kept.
    private static func digest(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(SHA256.hash(text.utf8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
