public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StubResponse {
    /// A status with nothing else.
    public static func status(_ status: HTTPStatusCode, headers: HTTPHeaders = [:]) -> StubResponse {
        StubResponse(status: status, headers: headers)
    }

    /// 200 with nothing else.
    public static var ok: StubResponse { StubResponse() }

    /// JSON text, `application/json` unless the headers say otherwise.
    public static func json(
        _ text: String, status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]
    ) -> StubResponse {
        data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A value as JSON, its keys as they are unless another encoder is given.
    ///
    /// - Throws: The encoder's error.
    public static func json(
        encoding value: some Encodable, encoder: any DataEncoder = JSONEncoder(), status: HTTPStatusCode = .ok,
        headers: HTTPHeaders = [:]
    ) throws -> StubResponse {
        data(try encoder.encode(value), contentType: "application/json", status: status, headers: headers)
    }

    /// Problem details (RFC 9457).
    public static func problem(
        _ status: HTTPStatusCode, json text: String, headers: HTTPHeaders = [:]
    ) -> StubResponse {
        data(Data(text.utf8), contentType: "application/problem+json", status: status, headers: headers)
    }

    /// Plain text in UTF-8.
    public static func text(
        _ text: String, status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]
    ) -> StubResponse {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Bytes with their media type; `nil` sends no `Content-Type`.
    public static func data(
        _ bytes: Data, contentType: String? = "application/octet-stream", status: HTTPStatusCode = .ok,
        headers: HTTPHeaders = [:]
    ) -> StubResponse {
        var headers = headers
        if let contentType, !headers.contains(.contentType) { headers.append(contentType, for: .contentType) }
        return StubResponse(status: status, headers: headers, body: .bytes(bytes))
    }

    /// A redirect to a target, 302 unless said otherwise.
    public static func redirect(to location: String, status: HTTPStatusCode = .found) -> StubResponse {
        StubResponse(status: status, headers: [.location: location])
    }

    /// A body of any length that is made while it is sent: a gigabyte costs no memory.
    ///
    /// - Parameters:
    ///   - length: The length in bytes.
    ///   - bytes: The bytes of a range of offsets; by default ``patternByte(at:)`` for each.
    public static func generated(
        length: Int, headers: HTTPHeaders = [:],
        bytes: @escaping @Sendable (Range<Int>) -> Data = StubResponse.pattern(_:)
    ) -> StubResponse {
        StubResponse(headers: headers, body: .generated(length: max(length, 0), bytes))
    }

    /// Chunks in chunked coding, each text one chunk.
    public static func chunks(
        _ chunks: [String], headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:]
    ) -> StubResponse {
        var response = StubResponse(headers: headers, body: .chunks(chunks.map { Data($0.utf8) }))
        response.trailers = trailers
        return response
    }

    /// A body that a closure writes while the test goes on: events, lines, anything that takes its time.
    ///
    /// ```swift
    /// server.on(.get, "/events") { _ in
    ///     .stream(contentType: "text/event-stream") { body in
    ///         try await body.write("data: one\n\n")
    ///         try await gate.wait()
    ///         try await body.write("data: two\n\n")
    ///     }
    /// }
    /// ```
    public static func stream(
        contentType: String? = nil, headers: HTTPHeaders = [:],
        _ write: @escaping @Sendable (StubBodyWriter) async throws -> Void
    ) -> StubResponse {
        var headers = headers
        if let contentType { headers[.contentType] = contentType }
        return StubResponse(headers: headers, body: .stream(write))
    }

    /// Exactly this text in place of a response, status line and header fields included, in UTF-8. The connection
    /// stays open unless `closing`.
    public static func raw(_ text: String, closing: Bool = false) -> StubResponse {
        raw(Data(text.utf8), closing: closing)
    }

    /// Exactly these bytes in place of a response, status line and header fields included. The connection stays open
    /// unless `closing`.
    public static func raw(_ bytes: Data, closing: Bool = false) -> StubResponse {
        var response = StubResponse(body: .raw(bytes))
        response.closesConnection = closing
        return response
    }

    /// No answer at all: the connection stays open and silent.
    public static var noAnswer: StubResponse { StubResponse().stalling(at: .byte(0)) }

    /// The connection is closed without an answer.
    public static var closed: StubResponse { StubResponse().closing(at: .byte(0)) }

    /// The connection is reset without an answer.
    public static var reset: StubResponse { StubResponse().resetting(at: .byte(0)) }

    /// The bytes of ``patternByte(at:)`` for a range of offsets.
    public static func pattern(_ range: Range<Int>) -> Data {
        // One period of the pattern is laid down as often as needed: byte by byte would dominate a debug build.
        var data = Data(capacity: range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let phase = offset % period.count
            let count = min(period.count - phase, range.upperBound - offset)
            data.append(period[phase..<phase + count])
            offset += count
        }
        return data
    }

    /// What a generated body holds at an offset unless told otherwise: a pattern of period 64,489, so that neither a
    /// shift nor a repetition of a block goes unseen.
    public static func patternByte(at offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (offset % 251) ^ (offset % 257))
    }

    private static let period = Data((0..<251 * 257).map { patternByte(at: $0) })
}
