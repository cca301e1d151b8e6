internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response's body: bytes in memory, or chunks that arrive while they are read.
///
/// A body that is still arriving can be read once. Reading slowly slows the sender down: the transport keeps no more
/// than its buffer. Letting go of an unread body ends the transfer.
///
/// ```swift
/// let response = try await client.stream(ExportRequest())
/// for try await chunk in response.body { try file.write(chunk) }
/// ```
public struct HTTPResponseBody: AsyncSequence, Sendable {
    /// A piece of the body, never empty.
    public typealias Element = Data
    /// What breaks a transfer.
    public typealias Failure = NetworkError

    private enum Storage: Sendable {
        case bytes(Data)
        case stream(StreamOwner)
    }

    private let storage: Storage

    private init(storage: Storage) {
        self.storage = storage
    }

    /// No body.
    public static let empty = HTTPResponseBody(storage: .bytes(Data()))

    /// A body that is all here.
    public static func bytes(_ data: Data) -> HTTPResponseBody {
        HTTPResponseBody(storage: .bytes(data))
    }

    /// A body that is read from a source as it arrives.
    ///
    /// - Parameters:
    ///   - source: Where the chunks come from.
    ///   - length: The length in bytes, where it is known beforehand.
    public static func stream(_ source: any ResponseBodySource, length: Int? = nil) -> HTTPResponseBody {
        HTTPResponseBody(storage: .stream(StreamOwner(source: source, length: length)))
    }

    /// The whole body, if it is in memory already.
    public var data: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The length in bytes, where it is known.
    public var length: Int? {
        switch storage {
        case .bytes(let data): data.count
        case .stream(let owner): owner.length
        }
    }

    /// The trailer fields (RFC 9110 section 6.5), once the body has been read to its end.
    public var trailers: HTTPHeaders {
        if case .stream(let owner) = storage { owner.source.trailers } else { [:] }
    }

    /// Ends the transfer of a body that nobody will read.
    public func cancel() {
        if case .stream(let owner) = storage { owner.source.cancel() }
    }

    /// Reads everything into memory.
    ///
    /// - Parameter limit: The most bytes to take. Past it the transfer is ended.
    /// - Throws: ``NetworkError/bodyTooLarge(_:)``, or what breaks the transfer.
    public func collect(upTo limit: Int = .max) async throws(NetworkError) -> Data {
        switch storage {
        case .bytes(let data):
            guard data.count <= limit else { throw .bodyTooLarge(BodyTooLarge(limit: limit)) }
            return data
        case .stream(let owner):
            if let length = owner.length, length > limit {
                owner.source.cancel()
                throw .bodyTooLarge(BodyTooLarge(limit: limit))
            }
            var iterator = makeAsyncIterator()
            var result = Data()
            while let chunk = try await iterator.next() {
                guard chunk.count <= limit - result.count else {
                    owner.source.cancel()
                    throw .bodyTooLarge(BodyTooLarge(limit: limit))
                }
                if result.isEmpty { result = chunk } else { result.append(chunk) }
            }
            return result
        }
    }

    /// Reads the chunks. A second iteration of a streamed body fails with ``NetworkError/invalidResponse(_:)``.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .bytes(let data): AsyncIterator(state: data.isEmpty ? .ended : .bytes(data))
        case .stream(let owner): AsyncIterator(state: owner.claim() ? .stream(owner) : .claimed)
        }
    }

    /// Reads the chunks of a body in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum State {
            case bytes(Data)
            case stream(StreamOwner)
            case claimed
            case ended
        }

        fileprivate var state: State

        /// The next chunk, or `nil` at the end.
        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: #isolation)
        }

        /// The next chunk, or `nil` at the end. Cancelling the task ends the transfer.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            switch state {
            case .bytes(let data):
                state = .ended
                return data
            case .stream(let owner):
                do {
                    if let chunk = try await owner.source.next() { return chunk }
                    state = .ended
                    return nil
                } catch {
                    state = .ended
                    throw error
                }
            case .claimed:
                throw .invalidResponse(InvalidResponse("the body can be read once, and was read already"))
            case .ended:
                return nil
            }
        }
    }

    /// Ends the transfer when the last reference to the body goes.
    fileprivate final class StreamOwner: Sendable {
        let source: any ResponseBodySource
        let length: Int?
        private let claimed = Atomic(false)

        init(source: any ResponseBodySource, length: Int?) {
            self.source = source
            self.length = length
        }

        /// Whether the caller is the first to read.
        func claim() -> Bool {
            !claimed.exchange(true, ordering: .acquiringAndReleasing)
        }

        deinit {
            source.cancel()
        }
    }
}

/// Where the chunks of a streamed response body come from: the part a transport implements.
public protocol ResponseBodySource: Sendable {
    /// The next chunk, never empty, or `nil` at the end. Waits until there is one; called by one reader at a time.
    ///
    /// When the task is cancelled it ends the transfer and throws ``NetworkError/cancelled``.
    func next() async throws(NetworkError) -> Data?

    /// Ends the transfer if it is still going on. May be called at any time, from anywhere, more than once.
    func cancel()

    /// The trailer fields, empty until the end.
    var trailers: HTTPHeaders { get }
}

extension ResponseBodySource {
    /// No trailer fields.
    public var trailers: HTTPHeaders { [:] }
}
