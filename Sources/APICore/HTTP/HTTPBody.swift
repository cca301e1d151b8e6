#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request's body: none, bytes, a file, or chunks made while they are sent.
///
/// ```swift
/// var body: HTTPBody { .form(["grant_type": "client_credentials"]) }
/// var body: HTTPBody { .data(png, contentType: "image/png") }
/// var body: HTTPBody { .file("/var/log/app.log", contentType: "text/plain") }
/// ```
///
/// Whether a body can be sent again is part of what it is: ``isReplayable`` decides if a request may be retried or
/// follow a redirect that keeps the method.
public struct HTTPBody: Sendable {
    /// What the bytes come from.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Content: Sendable {
        /// No body at all; no `Content-Length` is sent, but for POST, PUT and PATCH, which say that it is 0 (RFC 9110
        /// section 8.6).
        case none
        /// Bytes in memory.
        case bytes(Data)
        /// The bytes of a file, read while they are sent.
        case file(path: String)
        /// Chunks that are made while they are sent.
        case stream(BodyStream)
    }

    /// What the bytes come from.
    public var content: Content
    /// The value for `Content-Type`, which the request's own header overrides.
    public var contentType: String?

    /// Makes a body.
    public init(_ content: Content, contentType: String? = nil) {
        self.content = content
        self.contentType = contentType
    }

    /// No body.
    public static let none = HTTPBody(.none)

    /// Bytes with their media type.
    public static func data(_ data: Data, contentType: String? = "application/octet-stream") -> HTTPBody {
        HTTPBody(.bytes(data), contentType: contentType)
    }

    /// Text as UTF-8.
    public static func text(_ text: String, contentType: String = "text/plain; charset=UTF-8") -> HTTPBody {
        HTTPBody(.bytes(Data(text.utf8)), contentType: contentType)
    }

    /// A value as JSON.
    ///
    /// - Throws: ``NetworkError/encoding(_:)``.
    public static func json(
        _ value: some Encodable, encoder: any DataEncoder = DefaultCoders.encoder
    ) throws(NetworkError) -> HTTPBody {
        do {
            return HTTPBody(.bytes(try encoder.encode(value)), contentType: "application/json")
        } catch {
            throw .encoding(EncodingFailure(type: String(describing: type(of: value)), underlying: error))
        }
    }

    /// Parameters as a form: `application/x-www-form-urlencoded` as the WHATWG URL standard serializes it (section 5.2).
    public static func form(_ parameters: QueryParameters) -> HTTPBody {
        HTTPBody(
            .bytes(Data(parameters.formEncoded(style: .default).utf8)),
            contentType: "application/x-www-form-urlencoded")
    }

    /// The bytes of a file, read while they are sent. That it exists is checked when the request is sent.
    public static func file(_ path: String, contentType: String = "application/octet-stream") -> HTTPBody {
        HTTPBody(.file(path: path), contentType: contentType)
    }

    /// Chunks that are made while they are sent, read again for every attempt if `isReplayable`.
    ///
    /// - Parameters:
    ///   - chunks: The chunks. They are asked for as fast as the connection takes them.
    ///   - length: The number of bytes, where it is known: sent as `Content-Length`. Else the body goes in chunks
    ///     (RFC 9112 section 7.1) or frames.
    ///   - contentType: The media type.
    ///   - isReplayable: Whether iterating the sequence again gives the same bytes.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil, contentType: String = "application/octet-stream",
        isReplayable: Bool = false
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(
            .stream(BodyStream(length: length, isReplayable: isReplayable) { SequenceSource(chunks) }),
            contentType: contentType)
    }

    /// The number of bytes, where it is known without opening anything.
    public var length: Int? {
        switch content {
        case .none: 0
        case .bytes(let data): data.count
        case .file: nil
        case .stream(let stream): stream.length
        }
    }

    /// Whether the same bytes can be sent again.
    public var isReplayable: Bool {
        if case .stream(let stream) = content { stream.isReplayable } else { true }
    }

    /// Whether there is no body at all, not even an empty one.
    public var isNone: Bool {
        if case .none = content { true } else { false }
    }
}

/// A request body that is made while it is sent.
public struct BodyStream: Sendable {
    /// The number of bytes, where it is known.
    public let length: Int?
    /// Whether ``makeSource`` may be called more than once.
    public let isReplayable: Bool
    /// The names of the fields that follow the body (RFC 9110 section 6.5), announced in `Trailer`. A body with
    /// trailers goes in chunks.
    public let trailerNames: [HTTPHeaderKey]
    /// Starts reading from the beginning; called once for every attempt.
    public let makeSource: @Sendable () throws -> any RequestBodySource

    /// Makes a stream.
    public init(
        length: Int?, isReplayable: Bool, trailerNames: [HTTPHeaderKey] = [],
        makeSource: @escaping @Sendable () throws -> any RequestBodySource
    ) {
        self.length = length
        self.isReplayable = isReplayable
        self.trailerNames = trailerNames
        self.makeSource = makeSource
    }
}

/// Where the chunks of a streamed request body come from. One reader at a time.
public protocol RequestBodySource: Sendable {
    /// The next chunk, or `nil` at the end. An error ends the request.
    func next() async throws -> Data?

    /// The trailer fields, asked for after the end when the body announced some.
    var trailers: HTTPHeaders { get async throws }
}

extension RequestBodySource {
    /// No trailer fields.
    public var trailers: HTTPHeaders { [:] }
}

/// Reads a sequence chunk by chunk. The actor is what makes its iterator safe to hold on to.
private actor SequenceSource<Chunks: AsyncSequence & Sendable>: RequestBodySource where Chunks.Element == Data {
    private var iterator: Chunks.AsyncIterator?

    init(_ chunks: Chunks) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> Data? {
        // Taken out while it is in use: a second, concurrent reader finds the end instead of a race.
        guard var current = iterator.take() else { return nil }
        guard let chunk = try await current.next(isolation: self) else { return nil }
        iterator = current
        return chunk
    }
}
