#if os(Linux)
internal import APICore
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One connection of a ``StubServer``: used on the server's thread alone.
final class ServerConnection {
    /// What the connection is doing about its current request.
    enum Phase {
        /// Waiting for a request, or reading one.
        case reading
        /// A closure is making the answer.
        case answering
        case writing
        /// A pause between two pieces.
        case pausing
        /// The response is complete, the request's body is not.
        case draining
        /// The connection stays open, and nothing is sent any more.
        case stalled
        /// Our side is closed; what still comes is thrown away, so that a reset does not overtake the response.
        case lingering
        /// The connection is reset as soon as everything before has reached the client's system.
        case resetting
    }

    let identifier: Int
    let descriptor: Int32
    var parser = RequestParser()
    var phase = Phase.reading
    /// Tells the answers of one request from those of the next.
    var exchange = 0
    var timerToken = 0
    var writer: ResponseWriter?
    /// The streamed body's closure has to write before anything can be sent.
    var isAwaitingStream = false
    /// What the system has not taken yet.
    var output: ArraySlice<UInt8> = []
    var interest: UInt32 = 0
    var hasPeerClosed = false
    /// The closure that makes the answer or writes the body.
    var task: Task<Void, Never>?
    /// The streamed body's writer, waiting for the system to take its bytes.
    var streamWaiter: CheckedContinuation<Bool, Never>?

    var head: RequestParser.Head?
    var record: RecordedRequest?
    var route: ServerState.Route?
    var hasRequestEnded = false
    var readsBody = true
    /// Whether the request is among the active ones.
    var isCounted = false
    var resetPatience = 0

    init(identifier: Int, descriptor: Int32) {
        self.identifier = identifier
        self.descriptor = descriptor
    }

    /// Makes ready for the next request.
    func finishExchange() {
        exchange += 1
        phase = .reading
        writer = nil
        isAwaitingStream = false
        head = nil
        record = nil
        route = nil
        hasRequestEnded = false
        readsBody = true
        task = nil
    }

    /// Ends what waits for the connection.
    func abandon() {
        task?.cancel()
        task = nil
        streamWaiter?.resume(returning: false)
        streamWaiter = nil
    }
}
#endif
