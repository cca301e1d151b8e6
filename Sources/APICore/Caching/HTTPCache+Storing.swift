internal import DiskCache

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTPCache {
    /// Stores a response to a GET, if that is allowed, at once or while its body is read.
    ///
    /// - Returns: The response to hand on.
    func store(
        _ response: HTTPResponse, to exchange: Exchange, requestTime: Double, variants: StoredRecord.Variants?,
        status: inout CacheStatus
    ) async -> HTTPResponse {
        let responseTime = now()
        let head = response.head
        if let objection = StoringDecision.objection(to: head, request: exchange.request) {
            status.detail = objection
            return response
        }
        if let url = head.url, !isSame(url, exchange.request.url) {
            // A redirect was followed further down the chain: this is the response of another URL, and nothing is known
            // of how long the redirect holds.
            status.detail = "redirected"
            return response
        }
        guard let fields = SelectingFields(request: exchange.request.headers, response: head.headers) else {
            return response
        }
        let stored = StoredResponse(
            head: head, selectingFields: fields, requestTime: requestTime, responseTime: responseTime,
            identifier: .random(in: 0 ... .max))
        guard StoringDecision.isUseful(stored), response.body.length ?? 0 <= configuration.entrySizeLimit else {
            return response
        }
        let key = await key(for: fields, exchange, variants)
        let metadata = StoredRecord.response(stored).encoded
        if let data = response.body.data {
            status.isStored = await storage.store(data, metadata: metadata, for: key)
            return response
        }
        guard let writer = await storage.writer(for: key, metadata: metadata) else { return response }
        status.isStored = true
        var passing = response
        passing.body = .stream(
            StoringBodySource(response.body, writer: writer, limit: configuration.entrySizeLimit),
            length: response.body.length)
        return passing
    }

    /// Whether both name the same resource; transports may write one with and one without a path.
    private func isSame(_ left: RequestURL, _ right: RequestURL) -> Bool {
        left.origin == right.origin && left.target == right.target
    }

    /// The key for a response that depends on some header fields, which is put within reach of the URL's.
    private func key(
        for fields: SelectingFields, _ exchange: Exchange, _ known: StoredRecord.Variants?
    ) async -> CacheKey {
        guard !fields.isEmpty else { return exchange.key }
        var variants = known
        if variants?.nameSets.first != fields.names {
            // Another request may have made the pointer meanwhile: its responses should stay within reach.
            if let value = await storage.value(for: exchange.key, inlineLimit: 0),
                case .variants(let current) = StoredRecord(value.metadata)
            {
                variants = current
            }
        }
        var pointer =
            variants ?? StoredRecord.Variants(generation: .random(in: 0 ... .max), nameSets: [])
        if pointer.nameSets.first != fields.names {
            pointer.nameSets.removeAll { $0 == fields.names }
            pointer.nameSets.insert(fields.names, at: 0)
            pointer.nameSets = Array(pointer.nameSets.prefix(StoredRecord.Variants.limit))
            await storage.store(Data(), metadata: StoredRecord.variants(pointer).encoded, for: exchange.key)
        }
        return Self.key(of: fields, generation: pointer.generation, under: exchange.key)
    }
}
