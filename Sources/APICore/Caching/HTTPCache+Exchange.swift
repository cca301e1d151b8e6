internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPCache {
    /// A request on its way through the cache.
    struct Exchange: Sendable {
        var request: HTTPRequest
        let policy: CachePolicy
        let next: HTTPHandler
        let directives: CacheControl
        /// The one range of bytes that is asked for, if it is.
        let range: ByteRangeRequest?
        /// Whether ranges are asked for that only the server can give.
        let hasUnusualRange: Bool
        var key = CacheKey([])

        init(request: HTTPRequest, policy: CachePolicy, next: @escaping HTTPHandler) {
            self.request = request
            self.policy = policy
            self.next = next
            var directives = CacheControl(request.headers)
            // RFC 9111 section 5.4: deprecated, but nobody who sends it wants a stored response.
            if !request.headers.contains(.cacheControl),
                request.headers.list(for: .pragma).contains(where: { $0.equalsIgnoringASCIICase("no-cache") })
            {
                directives.noCache = true
            }
            self.directives = directives
            // The Range field has a meaning with GET only (RFC 9110 section 14.2).
            let range = request.method == .get ? request.headers[.range] : nil
            self.range = range.flatMap { ByteRangeRequest($0) }
            hasUnusualRange = range != nil && self.range == nil
        }

        var isOnlyIfCached: Bool { policy == .onlyIfCached || directives.onlyIfCached }
    }

    /// A stored response that matches a request.
    struct Found: Sendable {
        var key: CacheKey
        var stored: StoredResponse
        /// The record as it is in the storage.
        var metadata: Data
        var body: CacheBody
        /// The pointer it was found through.
        var variants: StoredRecord.Variants?
    }

    enum LookUp: Sendable {
        case found(Found)
        /// With what is known of the URL's variants, of which none matches.
        case missing(variants: StoredRecord.Variants?)
    }

    /// Bodies up to this many bytes are read at once even if the caller wants to read them piece by piece.
    private static let inlineLimit = 256 << 10

    func lookUp(_ exchange: Exchange) async -> LookUp {
        let request = exchange.request
        let inlineLimit =
            request.method == .head ? 0 : request.delivery == .buffered ? Int.max : Self.inlineLimit
        guard let value = await storage.value(for: exchange.key, inlineLimit: inlineLimit),
            let record = StoredRecord(value.metadata)
        else { return .missing(variants: nil) }
        switch record {
        case .response(let stored):
            guard Self.isFit(stored, for: request) else {
                return .missing(variants: StoredRecord.Variants(generation: .random(in: 0 ... .max), nameSets: []))
            }
            return .found(Found(key: exchange.key, stored: stored, metadata: value.metadata, body: value.body))
        case .variants(let variants):
            for names in variants.nameSets {
                let fields = SelectingFields(names: names, of: request.headers)
                let key = Self.key(of: fields, generation: variants.generation, under: exchange.key)
                guard let value = await storage.value(for: key, inlineLimit: inlineLimit),
                    case .response(let stored) = StoredRecord(value.metadata), Self.isFit(stored, for: request)
                else { continue }
                return .found(
                    Found(
                        key: key, stored: stored, metadata: value.metadata, body: value.body, variants: variants))
            }
            return .missing(variants: variants)
        }
    }

    /// Whether a stored response was the answer to such a request (RFC 9111 sections 3.5 and 4.1).
    private static func isFit(_ stored: StoredResponse, for request: HTTPRequest) -> Bool {
        guard stored.selectingFields.match(request.headers) else { return false }
        return !request.headers.contains(.authorization)
            || stored.selectingFields.names.contains("authorization") || stored.directives.isPublic
    }

    /// The key of a response that depends on request header fields.
    static func key(of fields: SelectingFields, generation: UInt64, under key: CacheKey) -> CacheKey {
        var text: [UInt8] = []
        for field in fields.fields {
            text += Array(field.name.utf8) + [0, field.value == nil ? 0 : 1] + Array((field.value ?? "").utf8) + [0]
        }
        // No URL holds a NUL, so no other key is the same.
        return CacheKey(key.bytes + [0] + Array("\(generation)".utf8) + [0] + SHA256.hash(text))
    }
}
