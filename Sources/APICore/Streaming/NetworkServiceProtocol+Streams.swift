extension NetworkServiceProtocol {
    /// The events of a server-sent event stream, connected when it is iterated.
    ///
    /// ```swift
    /// for try await event in client.events(for: Prices()) { print(event.type, event.data) }
    /// ```
    public func events<Request: Requestable>(
        for request: Request, options: EventStreamOptions = EventStreamOptions()
    ) -> EventStream {
        let policy = options.reconnection ?? (request._requestMethod().isSafe ? .standard : .never)
        return EventStream(
            connect: { (headers) async throws(NetworkError) in
                var fields = request._requestHeaders()
                if !fields.contains(.accept) { fields[.accept] = "text/event-stream" }
                if !fields.contains(.cacheControl) { fields[.cacheControl] = "no-store" }
                return try await self.stream(RequestOverlay(request, headers: fields.merging(headers)))
            },
            options: options, policy: policy, time: configuration.time)
    }

    /// The values in the data of an event stream's events.
    ///
    /// - Parameters:
    ///   - type: What the data is decoded into.
    ///   - request: The request that opens the stream.
    ///   - types: The event types to take; all of them by default.
    ///   - options: How the stream is read; ``EventStreamOptions/endMarker`` for APIs that end it with `[DONE]`.
    public func events<Value: Decodable & Sendable, Request: Requestable>(
        of type: Value.Type, for request: Request, types: Set<String>? = nil,
        options: EventStreamOptions = EventStreamOptions()
    ) -> DecodedEventStream<Value> {
        DecodedEventStream(
            events: events(for: request, options: options), decoder: streamDecoder(for: request),
            isIncluded: { types?.contains($0.type) ?? true })
    }

    /// The values of a response with one JSON text a line: NDJSON, JSON Lines.
    public func jsonLines<Value: Decodable & Sendable, Request: Requestable>(
        of type: Value.Type, for request: Request, invalidRecords: InvalidRecordPolicy = .fail,
        maximumRecordSize: Int = 16 << 20
    ) -> JSONStream<Value> {
        jsonStream(
            request, framing: .lines, accept: "application/x-ndjson, application/jsonl, application/json;q=0.5",
            invalidRecords: invalidRecords, maximumRecordSize: maximumRecordSize)
    }

    /// The values of a JSON text sequence (RFC 7464).
    public func jsonSequence<Value: Decodable & Sendable, Request: Requestable>(
        of type: Value.Type, for request: Request, invalidRecords: InvalidRecordPolicy = .fail,
        maximumRecordSize: Int = 16 << 20
    ) -> JSONStream<Value> {
        jsonStream(
            request, framing: .sequence, accept: "application/json-seq", invalidRecords: invalidRecords,
            maximumRecordSize: maximumRecordSize)
    }

    private func jsonStream<Value: Decodable & Sendable, Request: Requestable>(
        _ request: Request, framing: JSONFraming, accept: String, invalidRecords: InvalidRecordPolicy,
        maximumRecordSize: Int
    ) -> JSONStream<Value> {
        JSONStream(
            framing: framing, invalidRecords: invalidRecords, maximumRecordSize: maximumRecordSize,
            decoder: streamDecoder(for: request)
        ) { () async throws(NetworkError) in
            var fields = request._requestHeaders()
            if !fields.contains(.accept) { fields[.accept] = accept }
            return try await self.stream(RequestOverlay(request, headers: fields))
        }
    }

    private func streamDecoder(for request: some Requestable) -> any DataDecoder {
        request._requestOptions().decoder ?? configuration.decoder
    }
}

extension HTTPResponse {
    /// The events in the body; the stream ends with it.
    ///
    /// - Parameter endMarker: The data of the event that ends the stream before, such as `[DONE]`.
    public func serverSentEvents(endMarker: String? = nil, maximumEventSize: Int = 16 << 20) -> EventStream {
        EventStream(
            connect: { (_) async throws(NetworkError) in self },
            options: EventStreamOptions(endMarker: endMarker, maximumEventSize: maximumEventSize), policy: .never,
            time: .system)
    }

    /// The JSON texts in the body.
    public func jsonStream<Value: Decodable & Sendable>(
        of type: Value.Type, framing: JSONFraming = .lines, invalidRecords: InvalidRecordPolicy = .fail,
        maximumRecordSize: Int = 16 << 20, decoder: any DataDecoder = DefaultCoders.decoder
    ) -> JSONStream<Value> {
        JSONStream(
            framing: framing, invalidRecords: invalidRecords, maximumRecordSize: maximumRecordSize, decoder: decoder
        ) { () async throws(NetworkError) in self }
    }
}
