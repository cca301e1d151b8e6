#if os(Linux)
internal import APICore
internal import CSystem
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The thread of a ``StubServer``: one epoll loop that serves every connection.
///
/// `@unchecked Sendable`: everything but `state`, `mailbox`, `wakeDescriptor` and `options` is touched by the loop's
/// thread only, from ``run()`` on.
final class ServerLoop: @unchecked Sendable {
    /// What other threads ask the loop to do.
    enum Command: Sendable {
        case respond(connection: Int, exchange: Int, StubResponse)
        case write(connection: Int, exchange: Int, [UInt8], CheckedContinuation<Bool, Never>)
        case endStream(connection: Int, exchange: Int, failed: Bool)
        case closeConnections
        case stop
    }

    private struct Mailbox: Sendable {
        var commands: [Command] = []
        var isOpen = true
    }

    let state: WatchedState<ServerState>
    let options: StubServer.Options
    private let mailbox = Lock(Mailbox())
    private let wakeDescriptor: Int32
    let epoll: Int32
    private let listener: ListeningSocket
    var connections: [Int32: ServerConnection] = [:]
    private var connectionsByIdentifier: [Int: ServerConnection] = [:]
    private var timers = TimerQueue()
    private var isAccepting = true
    private var isStopped = false
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    init(
        listener: ListeningSocket, options: StubServer.Options, state: WatchedState<ServerState>
    ) throws(StubServerError) {
        self.listener = listener
        self.options = options
        self.state = state
        epoll = csystem_epoll_create()
        wakeDescriptor = csystem_eventfd()
        guard epoll >= 0, wakeDescriptor >= 0,
            csystem_epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue) == 0,
            csystem_epoll_ctl(epoll, EPOLL_CTL_ADD, listener.descriptor, EPOLLIN.rawValue) == 0
        else { throw StubServerError("cannot make an event loop: \(systemError())") }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
        scratch.deallocate()
    }

    /// Hands a command to the loop. What comes after the end is dropped; a writer is told so.
    func post(_ command: Command) {
        let (isOpen, isFirst) = mailbox.withLock { mailbox in
            guard mailbox.isOpen else { return (false, false) }
            mailbox.commands.append(command)
            return (true, mailbox.commands.count == 1)
        }
        if isFirst { csystem_eventfd_signal(wakeDescriptor) }
        if !isOpen { drop(command) }
    }

    private func drop(_ command: Command) {
        if case .write(_, _, _, let continuation) = command { continuation.resume(returning: false) }
    }

    /// Serves until ``Command/stop``.
    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        while !isStopped {
            let count = events.withUnsafeMutableBufferPointer { buffer in
                epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), waitTime())
            }
            if count < 0, errno != EINTR { break }
            var hasNewConnections = false
            for index in 0..<max(Int(count), 0) {
                let descriptor = withUnsafePointer(to: &events[index]) { csystem_event_fd($0) }
                let mask = withUnsafePointer(to: &events[index]) { csystem_event_mask($0) }
                if descriptor == wakeDescriptor {
                    csystem_eventfd_drain(wakeDescriptor)
                } else if descriptor == listener.descriptor {
                    hasNewConnections = true
                } else if let connection = connections[descriptor] {
                    handle(connection, mask)
                }
            }
            runCommands()
            wakeSleepers()
            // Last: a new connection must not be taken for one of the same descriptor that ended in this round.
            if hasNewConnections { acceptConnections() }
        }
        for connection in connections.values { end(connection) }
        listener.stop()
        let left = mailbox.withLock { mailbox in
            mailbox.isOpen = false
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
        for command in left { drop(command) }
    }

    /// Milliseconds until the next timer, rounded up; -1 without one.
    private func waitTime() -> Int32 {
        guard let next = timers.next else { return -1 }
        let (seconds, attoseconds) = (next - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private func runCommands() {
        let commands = mailbox.withLock { mailbox in
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
        for command in commands {
            switch command {
            case .stop: isStopped = true
            case .closeConnections: for connection in connections.values { end(connection) }
            case .respond(let identifier, let exchange, let response):
                guard let connection = current(identifier, exchange) else { continue }
                start(response, on: connection)
                serve(connection)
            case .write(let identifier, let exchange, let bytes, let continuation):
                guard let connection = current(identifier, exchange), connection.streamWaiter == nil,
                    connection.writer != nil
                else {
                    continuation.resume(returning: false)
                    continue
                }
                connection.writer?.push(bytes)
                connection.streamWaiter = continuation
                serve(connection)
            case .endStream(let identifier, let exchange, let failed):
                guard let connection = current(identifier, exchange) else { continue }
                connection.writer?.endStream(failed: failed)
                serve(connection)
            }
        }
    }

    /// The connection, if it is still at that exchange.
    private func current(_ identifier: Int, _ exchange: Int) -> ServerConnection? {
        guard let connection = connectionsByIdentifier[identifier], connection.exchange == exchange else { return nil }
        return connection
    }

    private func wakeSleepers() {
        let now = ContinuousClock.now
        while let entry = timers.popDue(now) {
            guard entry.connection >= 0 else {
                resumeAccepting()
                continue
            }
            guard let connection = connectionsByIdentifier[entry.connection], connection.timerToken == entry.token
            else { continue }
            switch connection.phase {
            case .pausing:
                connection.phase = .writing
                serve(connection)
            case .resetting: reset(connection)
            case .lingering: end(connection)
            default: break
            }
        }
    }

    func sleep(_ connection: ServerConnection, for duration: Duration) {
        connection.timerToken += 1
        timers.add(
            TimerQueue.Entry(
                deadline: .now.advanced(by: duration), connection: connection.identifier, token: connection.timerToken))
    }

    // Connections come and go.

    private func acceptConnections() {
        while isAccepting, let result = listener.accept() {
            guard case .success(let descriptor) = result else {
                // No descriptor left: the system keeps the connection until one is free again.
                isAccepting = false
                _ = csystem_epoll_ctl(epoll, EPOLL_CTL_MOD, listener.descriptor, 0)
                timers.add(
                    TimerQueue.Entry(deadline: .now.advanced(by: .milliseconds(20)), connection: -1, token: 0))
                return
            }
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            let identifier = state.update { state in
                state.counters.connectionsOpened += 1
                state.counters.openConnections += 1
                state.counters.maximumOpenConnections = max(
                    state.counters.maximumOpenConnections, state.counters.openConnections)
                return state.counters.connectionsOpened
            }
            let connection = ServerConnection(identifier: identifier, descriptor: descriptor)
            connections[descriptor] = connection
            connectionsByIdentifier[identifier] = connection
            connection.interest = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
            if csystem_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, connection.interest) != 0 { end(connection) }
        }
    }

    private func resumeAccepting() {
        isAccepting = true
        _ = csystem_epoll_ctl(epoll, EPOLL_CTL_MOD, listener.descriptor, EPOLLIN.rawValue)
    }

    func end(_ connection: ServerConnection, resetting: Bool = false) {
        guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
        connectionsByIdentifier[connection.identifier] = nil
        connection.abandon()
        if resetting {
            // A linger time of zero makes close() send RST (socket(7)).
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout.size(ofValue: option))
            setsockopt(connection.descriptor, SOL_SOCKET, SO_LINGER, &option, size)
        }
        close(connection.descriptor)
        let aborted = connection.hasRequestEnded ? nil : connection.record
        let wasCounted = connection.isCounted
        connection.isCounted = false
        state.update { state in
            state.counters.openConnections -= 1
            if wasCounted { state.counters.activeRequests -= 1 }
            if let aborted { state.aborted.append(aborted) }
        }
    }

    /// Closes in order: what the client still sends is read and thrown away for a while, for a reset would destroy
    /// the response on its way (RFC 9112 section 9.6).
    func closeInOrder(_ connection: ServerConnection) {
        if connection.hasPeerClosed { return end(connection) }
        shutdown(connection.descriptor, Int32(SHUT_WR))
        uncount(connection)
        connection.phase = .lingering
        connection.abandon()
        sleep(connection, for: .seconds(2))
    }

    /// Resets once the client's system has everything: a reset throws away what is not yet sent.
    func reset(_ connection: ServerConnection) {
        if connection.phase != .resetting {
            connection.phase = .resetting
            connection.resetPatience = 1000
        }
        connection.resetPatience -= 1
        guard connection.resetPatience > 0, csystem_unsent_bytes(connection.descriptor) > 0 else {
            return end(connection, resetting: true)
        }
        sleep(connection, for: .milliseconds(2))
    }

    /// The request no longer counts as active.
    func uncount(_ connection: ServerConnection, completed: Bool = false) {
        guard connection.isCounted else { return }
        connection.isCounted = false
        state.update { state in
            state.counters.activeRequests -= 1
            if completed { state.counters.responsesCompleted += 1 }
        }
    }
}
#endif
