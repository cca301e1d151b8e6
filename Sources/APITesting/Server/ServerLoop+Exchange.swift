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

/// How the loop reads requests and writes responses. On the loop's thread.
extension ServerLoop {
    /// So much is moved in one direction before other connections have their turn.
    private static let turn = 1 << 20

    /// What epoll reports about a connection.
    func handle(_ connection: ServerConnection, _ mask: UInt32) {
        // Both directions are closed, or an error: nothing can be sent any more.
        if mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { return end(connection) }
        if mask & EPOLLIN.rawValue != 0, wantsInput(connection) {
            guard receive(connection) else { return end(connection) }
        } else if mask & EPOLLRDHUP.rawValue != 0 {
            connection.hasPeerClosed = true
        }
        serve(connection)
    }

    /// Goes on as far as it can without waiting, then tells epoll what to wait for.
    func serve(_ connection: ServerConnection) {
        while connections[connection.descriptor] === connection {
            let (exchange, phase) = (connection.exchange, connection.phase)
            readRequest(connection)
            advance(connection)
            // A response that is complete makes way for the rest of the request, or for the next one.
            let isDraining = connection.phase == .draining && phase != .draining
            guard connection.exchange != exchange || isDraining else { break }
        }
        guard connections[connection.descriptor] === connection else { return }
        // A client that has closed its side gets what is being sent, but nobody waits on its behalf.
        if connection.hasPeerClosed, !wantsOutput(connection), connection.phase != .resetting {
            return end(connection)
        }
        updateInterest(connection)
    }

    private func wantsInput(_ connection: ServerConnection) -> Bool {
        guard !connection.hasPeerClosed else { return false }
        if connection.phase == .lingering { return true }
        return connection.head == nil || (!connection.hasRequestEnded && connection.readsBody)
    }

    private func wantsOutput(_ connection: ServerConnection) -> Bool {
        !connection.output.isEmpty || (connection.phase == .writing && !connection.isAwaitingStream)
    }

    private func updateInterest(_ connection: ServerConnection) {
        var interest: UInt32 = connection.hasPeerClosed ? 0 : EPOLLRDHUP.rawValue
        if wantsInput(connection) { interest |= EPOLLIN.rawValue }
        if wantsOutput(connection) { interest |= EPOLLOUT.rawValue }
        guard interest != connection.interest else { return }
        connection.interest = interest
        _ = csystem_epoll_ctl(epoll, EPOLL_CTL_MOD, connection.descriptor, interest)
    }

    /// Reads what is there. `false` when the connection is broken.
    private func receive(_ connection: ServerConnection) -> Bool {
        var total = 0
        defer { if total > 0 { state.update { $0.counters.bytesReceived += total } } }
        while total < ServerLoop.turn {
            let count = recv(connection.descriptor, scratch.baseAddress, scratch.count, 0)
            if count > 0 {
                total += count
                if connection.phase == .lingering { continue }
                connection.parser.feed(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                // A large body is taken piece by piece, so that it never piles up here.
                readRequest(connection)
                if count < scratch.count || !wantsInput(connection) { break }
            } else if count == 0 {
                connection.hasPeerClosed = true
                break
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    // Requests.

    private func readRequest(_ connection: ServerConnection) {
        while true {
            let isAtHead = connection.head == nil && connection.phase == .reading
            let isInBody = connection.head != nil && !connection.hasRequestEnded && connection.readsBody
            guard isAtHead || isInBody, connection.phase != .lingering, connection.phase != .resetting,
                let event = connection.parser.next()
            else { return }
            switch event {
            case .head(let head): begin(head, on: connection)
            case .content(let bytes): record(bytes, isContent: true, on: connection)
            case .framing(let bytes): record(bytes, isContent: false, on: connection)
            case .end(let trailers): endRequest(trailers, on: connection)
            case .failure(let reason):
                state.update { $0.malformed.append(reason) }
                connection.hasRequestEnded = true
                connection.head =
                    connection.head
                    ?? RequestParser.Head(method: "", target: "", version: .http1_1, headers: [:], raw: [])
                if connection.phase == .reading {
                    start(.text(reason, status: .badRequest).closingConnection(), on: connection)
                } else {
                    closeInOrder(connection)
                }
            }
        }
    }

    private func begin(_ head: RequestParser.Head, on connection: ServerConnection) {
        connection.head = head
        connection.isCounted = true
        var record = RecordedRequest(head, connection: connection.identifier)
        let path = record.path
        let match = state.update { state in
            record.index = state.arrivals
            state.arrivals += 1
            state.counters.activeRequests += 1
            state.counters.maximumActiveRequests = max(
                state.counters.maximumActiveRequests, state.counters.activeRequests)
            return state.route(method: head.method, path: path)
        }
        record.parameters = match?.parameters ?? [:]
        connection.record = record
        connection.route = match?.route
        switch match?.route.answerTime ?? .afterBody {
        case .afterBody:
            guard head.expectsContinue, options.answersExpectContinue, connection.parser.buffered == 0 else { return }
            connection.output += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        case .afterHead: answer(connection)
        case .afterHeadWithoutReading:
            connection.readsBody = false
            answer(connection)
        }
    }

    private func record(_ bytes: ArraySlice<UInt8>, isContent: Bool, on connection: ServerConnection) {
        let limit = options.recordedBodyLimit
        let isChunked = connection.head?.headers.contains(.transferEncoding) ?? false
        connection.record?.append(bytes, isContent: isContent, isChunked: isChunked, limit: limit)
    }

    private func endRequest(_ trailers: HTTPHeaders, on connection: ServerConnection) {
        connection.hasRequestEnded = true
        connection.record?.trailers = trailers
        connection.record?.isComplete = true
        if connection.phase == .reading {
            answer(connection)
        } else {
            publish(connection)
            if connection.phase == .draining { connection.finishExchange() }
        }
    }

    private func publish(_ connection: ServerConnection) {
        guard let record = connection.record else { return }
        state.update { $0.record(record) }
    }

    // Answers.

    private func answer(_ connection: ServerConnection) {
        guard let record = connection.record else { return }
        guard let route = connection.route,
            let responder = state.update({ state in
                state.record(record)
                return state.use(route.identifier)
            })
        else {
            let text = state.update { state in
                state.record(record)
                state.unmatched.append(record)
                let routes = state.routes.map { "\($0.method?.rawValue ?? "any") \($0.pattern.text)" }
                return "StubServer: no route for \(record.method) \(record.target)\nroutes:\n"
                    + routes.joined(separator: "\n") + "\n"
            }
            return start(.text(text, status: .notFound), on: connection)
        }
        switch responder {
        case .sequence(let responses): start(responses.first ?? .ok, on: connection)
        case .immediate(let make):
            let response: StubResponse
            do {
                response = try make(record)
            } catch {
                response = .failed(error)
            }
            start(response, on: connection)
        case .asynchronous(let make):
            connection.phase = .answering
            let (identifier, exchange) = (connection.identifier, connection.exchange)
            connection.task = Task { [weak self] in
                let response: StubResponse
                do {
                    response = try await make(record)
                } catch {
                    response = .failed(error)
                }
                self?.post(.respond(connection: identifier, exchange: exchange, response))
            }
        }
    }

    /// Begins to write a response.
    func start(_ response: StubResponse, on connection: ServerConnection) {
        guard let head = connection.head else { return }
        connection.writer = ResponseWriter(
            response, method: head.method, version: head.version, keepsAlive: head.keepsAlive)
        connection.phase = .writing
    }

    /// Writes as much as the system takes and the response allows.
    private func advance(_ connection: ServerConnection) {
        var sent = 0
        defer { if sent > 0 { state.update { $0.counters.bytesSent += sent } } }
        while true {
            guard flush(connection, &sent) else { return end(connection) }
            guard connection.output.isEmpty else { return }
            if connection.writer?.isDrained ?? true, let waiter = connection.streamWaiter {
                connection.streamWaiter = nil
                waiter.resume(returning: true)
            }
            guard connection.phase == .writing, sent < ServerLoop.turn, let action = connection.writer?.next() else {
                return
            }
            connection.isAwaitingStream = false
            switch action {
            case .send(let bytes): connection.output = bytes
            case .wait(let duration):
                connection.phase = .pausing
                return sleep(connection, for: duration)
            case .runStream(let write): run(write, for: connection)
            case .awaitStream:
                connection.isAwaitingStream = true
                return
            case .finished(let closing): return complete(connection, closing: closing)
            case .fault(.close): return closeInOrder(connection)
            case .fault(.reset): return reset(connection)
            case .fault(.stall):
                connection.phase = .stalled
                return
            }
        }
    }

    /// Hands the output to the system. `false` when the connection is broken.
    private func flush(_ connection: ServerConnection, _ sent: inout Int) -> Bool {
        while !connection.output.isEmpty {
            let count = connection.output.withUnsafeBytes { bytes in
                send(connection.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
                connection.output.removeFirst(count)
            } else if errno == EAGAIN {
                return true
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func run(
        _ write: @escaping @Sendable (StubBodyWriter) async throws -> Void, for connection: ServerConnection
    ) {
        let (identifier, exchange) = (connection.identifier, connection.exchange)
        let writer = StubBodyWriter { [weak self] bytes in
            let isSent = await withCheckedContinuation { continuation in
                guard let self else { return continuation.resume(returning: false) }
                self.post(.write(connection: identifier, exchange: exchange, bytes, continuation))
            }
            if !isSent { throw StubBodyWriter.ConnectionEnded() }
        }
        connection.task = Task { [weak self] in
            var failed = false
            do {
                try await write(writer)
            } catch {
                failed = true
            }
            self?.post(.endStream(connection: identifier, exchange: exchange, failed: failed))
        }
    }

    private func complete(_ connection: ServerConnection, closing: Bool) {
        uncount(connection, completed: true)
        if closing { return closeInOrder(connection) }
        connection.writer = nil
        if connection.hasRequestEnded {
            connection.finishExchange()
        } else {
            connection.phase = .draining
            connection.readsBody = true
        }
    }
}

extension StubResponse {
    /// What a client gets when the closure that was to answer threw.
    fileprivate static func failed(_ error: any Error) -> StubResponse {
        .text("StubServer: the closure that answers threw: \(error)\n", status: .internalServerError)
    }
}

extension RecordedRequest {
    init(_ head: RequestParser.Head, connection: Int) {
        index = 0
        self.connection = connection
        method = HTTPMethod(head.method)
        target = head.target
        version = head.version
        headers = head.headers
        rawHead = Data(head.raw)
    }

    mutating func append(_ bytes: ArraySlice<UInt8>, isContent: Bool, isChunked: Bool, limit: Int) {
        if isContent { bodyLength += bytes.count }
        bytes.withUnsafeBytes { buffer in
            rawBody.append(contentsOf: buffer.prefix(max(limit - rawBody.count, 0)))
            guard isChunked else { return }
            let room = max(limit - (decodedBody?.count ?? 0), 0)
            decodedBody = decodedBody ?? Data()
            if isContent { decodedBody?.append(contentsOf: buffer.prefix(room)) }
        }
    }
}
#endif
