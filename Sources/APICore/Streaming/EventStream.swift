#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The events of a server-sent event stream, as they arrive. It connects again when the connection ends, and tells the
/// server with `Last-Event-ID` where to go on (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in client.events(for: Prices()) {
///     print(event.type, event.data)
/// }
/// ```
///
/// It ends when the server answers 204, when the end marker comes, when the policy says not to connect again, or when
/// the task is cancelled. Reading slowly slows the server down. Each iteration is a connection of its own.
public struct EventStream: AsyncSequence, Sendable {
    /// What the stream gives.
    public typealias Element = ServerSentEvent
    /// How it can fail.
    public typealias Failure = NetworkError

    let connect: @Sendable (HTTPHeaders) async throws(NetworkError) -> HTTPResponse
    let options: EventStreamOptions
    let policy: ReconnectionPolicy
    let time: TimeSource

    /// Connects and reads.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Reads the events of a stream in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let stream: EventStream
        private var machine: EventStreamMachine
        private var parser: ServerSentEventParser
        private var serverDelay: Duration?
        private var head = ResponseHead()
        private var body: HTTPResponseBody.AsyncIterator?
        private var ready: ArraySlice<ServerSentEvent> = []
        private var isOver = false

        init(_ stream: EventStream) {
            self.stream = stream
            machine = EventStreamMachine(policy: stream.policy, endMarker: stream.options.endMarker)
            parser = ServerSentEventParser(
                lastEventID: stream.options.lastEventID, maximumEventSize: stream.options.maximumEventSize)
        }

        /// The head of the newest connection's response.
        public var responseHead: ResponseHead { head }

        /// The next event, or `nil` at the end.
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            try await next(isolation: #isolation)
        }

        /// The next event, or `nil` at the end. Cancelling the task ends the connection.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> ServerSentEvent? {
            do throws(NetworkError) {
                while !isOver {
                    if let event = ready.popFirst() {
                        if machine.received(event) { return event }
                        break
                    }
                    try await advance(isolation: actor)
                }
            } catch {
                close()
                throw error
            }
            close()
            return nil
        }

        private mutating func close() {
            isOver = true
            body = nil
            ready = []
        }

        /// One step: connect, read a chunk, or wait.
        private mutating func advance(isolation actor: isolated (any Actor)?) async throws(NetworkError) {
            let action: EventStreamMachine.Action
            do throws(NetworkError) {
                if body == nil {
                    action = try await open(isolation: actor)
                } else if let chunk = try await body?.next(isolation: actor) {
                    try parse(chunk)
                    return
                } else {
                    action = disconnected(nil)
                }
            } catch {
                action = disconnected(error)
            }
            switch action {
            case .read: return
            case .finish: isOver = true
            case .fail(let error): throw error
            case .reconnect(let delay):
                do {
                    try await stream.time.sleep(delay)
                } catch {
                    throw .cancelled
                }
            }
        }

        private mutating func open(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> EventStreamMachine.Action {
            var headers = HTTPHeaders()
            // An ID that cannot be a header field is left out, rather than letting the server choose the request's text.
            if !parser.lastEventID.isEmpty, parser.lastEventID.isHTTPFieldValue {
                headers["Last-Event-ID"] = parser.lastEventID
            }
            let response = try await stream.connect(headers)
            head = response.head
            let action = machine.connected(response.head)
            if case .read = action {
                body = response.body.makeAsyncIterator()
                parser = ServerSentEventParser(
                    lastEventID: parser.lastEventID, maximumEventSize: stream.options.maximumEventSize)
            }
            return action
        }

        private mutating func parse(_ chunk: Data) throws(NetworkError) {
            do {
                ready = try parser.parse(chunk)[...]
            } catch {
                throw .bodyTooLarge(error)
            }
            serverDelay = parser.reconnectionTime ?? serverDelay
        }

        private mutating func disconnected(_ error: NetworkError?) -> EventStreamMachine.Action {
            body = nil
            return machine.disconnected(error: error, serverDelay: serverDelay, now: stream.time.date())
        }
    }
}
