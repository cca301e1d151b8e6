internal import APICore
internal import CCurl
internal import CSystem

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One thread that drives libcurl's multi interface for any number of tasks.
///
/// Tasks post commands into a mailbox; the thread takes all that are there at once, lets libcurl work on the sockets
/// that are ready, and resumes the tasks whose requests have ended. The mailbox is the only lock on the way, and it is
/// never held while anything is called.
final class CurlEventLoop: @unchecked Sendable {
    // Safe to share: everything but `settings`, `mailbox`, `pool`, `wake` and `context` belongs to the loop thread.

    enum Command {
        case submit(CurlExchange)
        case cancel(CurlExchange)
        case resumeReceiving(CurlExchange)
        case resumeSending(CurlExchange)
        case run(UnownedJob)
        case shutdown(UnsafeContinuation<Void, Never>?)
    }

    private struct Mailbox {
        var commands: [Command] = []
        /// The thread waits in `epoll_wait`, and must be woken.
        var isSleeping = false
        var isClosed = false
    }

    let settings: CurlSettings
    let pool = CurlHandlePool()
    /// Runs jobs on the loop thread.
    private(set) lazy var executor = LoopExecutor(loop: self)
    let multi: UnsafeMutableRawPointer
    private let poller: SocketPoller
    private let mailbox = Lock(Mailbox())

    // The loop thread's.

    /// The time as of the latest batch of events.
    private(set) var now: UInt64 = 0
    private var batch: [Command] = []
    /// When libcurl wants to be called again.
    private var curlTimer: UInt64?
    private var timers: TimerHeap<CurlExchange>
    var scheduler: ConnectionScheduler<CurlExchange>
    private var origins: [Origin: OriginRecord] = [:]
    private var originCounter = 0
    private var live: [CurlExchange] = []
    private var flushes: [CurlExchange] = []
    private var ready: [CurlExchange] = []
    private var isStartingReady = false
    private var shutdowns: [UnsafeContinuation<Void, Never>] = []
    private var isStopping = false
    private var running: Int32 = 0

    /// Makes a loop and starts its thread; `nil` when there are no descriptors or no memory for it.
    static func start(settings: CurlSettings) -> CurlEventLoop? {
        guard let poller = SocketPoller() else { return nil }
        guard let multi = curl_multi_init() else { return nil }
        let loop = CurlEventLoop(settings: settings, multi: multi, poller: poller)
        guard startThread(name: "CurlTransport", { loop.run() }) else { return nil }
        return loop
    }

    private init(settings: CurlSettings, multi: UnsafeMutableRawPointer, poller: SocketPoller) {
        self.settings = settings
        self.multi = multi
        self.poller = poller
        let configuration = settings.configuration
        timers = TimerHeap(position: { $0.timerPosition }, setPosition: { $0.timerPosition = $1 })
        scheduler = ConnectionScheduler(
            limits: .init(
                connectionsPerHost: configuration.maximumConnectionsPerHost,
                streamsPerHost: configuration.maximumStreamsPerHost, connections: configuration.maximumConnections))
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(configuration.maximumConnections, 1))
        ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, max(configuration.maximumStreamsPerHost, 1))
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_socket_callback(
            multi,
            { _, socket, what, context, _ in
                guard let context else { return 0 }
                Unmanaged<CurlEventLoop>.fromOpaque(context).takeUnretainedValue().poller.want(socket, what)
                return 0
            }, context)
        ccurl_multi_set_timer_callback(
            multi,
            { _, milliseconds, context in
                guard let context else { return 0 }
                let loop = Unmanaged<CurlEventLoop>.fromOpaque(context).takeUnretainedValue()
                loop.curlTimer = milliseconds < 0 ? nil : loop.now + UInt64(milliseconds) * 1_000_000
                return 0
            }, context)
    }

    deinit {
        pool.close()
        curl_multi_cleanup(multi)
    }

    /// Sends a command to the loop. From any thread; `false` when the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isOpen, wakes) = mailbox.withLock { mailbox -> (Bool, Bool) in
            guard !mailbox.isClosed else { return (false, false) }
            mailbox.commands.append(command)
            defer { mailbox.isSleeping = false }
            return (true, mailbox.isSleeping)
        }
        // Only the first of a batch, and only when the thread sleeps: a busy loop looks by itself.
        if wakes { poller.wake() }
        return isOpen
    }

    /// Tells the observer.
    func observe(_ event: @autoclosure () -> TransportEvent) {
        settings.observer?(event())
    }

    /// A socket is about to be closed, and its number to be used for another.
    func socketCloses(_ socket: Int32) {
        poller.forget(socket)
    }

    // The loop.

    private func run() {
        now = MonotonicTime.now()
        while true {
            takeCommands()
            drive()
            if isStopping, live.isEmpty { break }
            let isSleeping = mailbox.withLock { mailbox in
                mailbox.isSleeping = mailbox.commands.isEmpty
                return mailbox.isSleeping
            }
            poller.wait(timeout: isSleeping ? timeout() : 0)
            if isSleeping { mailbox.withLock { $0.isSleeping = false } }
            now = MonotonicTime.now()
            for (socket, events) in poller.ready {
                curl_multi_socket_action(multi, socket, events, &running)
            }
        }
        finish()
    }

    /// Milliseconds until something must be done, rounded up so that nothing is looked at too early; -1 for never.
    private func timeout() -> Int32 {
        guard let next = [curlTimer, timers.first].compactMap({ $0 }).min() else { return -1 }
        guard next > now else { return 0 }
        return Int32(clamping: (next - now + 999_999) / 1_000_000)
    }

    private func takeCommands() {
        mailbox.withLock { swap(&$0.commands, &batch) }
        for command in batch { perform(command) }
        batch.removeAll(keepingCapacity: batch.capacity <= 4096)
    }

    private func perform(_ command: Command) {
        switch command {
        case .submit(let exchange): submit(exchange)
        case .cancel(let exchange): end(exchange, .cancelled)
        case .resumeReceiving(let exchange): exchange.resumeReceiving()
        case .resumeSending(let exchange): exchange.resumeSending()
        case .run(let job): job.runSynchronously(on: executor.asUnownedTaskExecutor())
        case .shutdown(let continuation):
            isStopping = true
            if let continuation {
                shutdowns.append(continuation)
                for exchange in live { end(exchange, CurlEventLoop.shutDown) }
            }
        }
    }

    /// Lets libcurl work until it has nothing more to do at once.
    private func drive() {
        while true {
            while let timer = curlTimer, timer <= now {
                curlTimer = nil
                curl_multi_socket_action(multi, curl_socket_t(-1), 0, &running)
            }
            startReady()
            expireTimers()
            let completed = readMessages()
            flushStreams()
            if !completed, curlTimer.map({ $0 > now }) ?? true { return }
        }
    }

    private func readMessages() -> Bool {
        var left: Int32 = 0
        var isAny = false
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = ccurl_get_private(easy)
            else { continue }
            isAny = true
            // The message is gone once the handle is removed.
            let code = ccurl_message_result(message)
            complete(Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue(), code)
        }
        return isAny
    }

    private func expireTimers() {
        while let exchange = timers.popDue(now) {
            if let limit = exchange.expiredLimit(now) {
                end(exchange, .timeout(limit))
            } else if let next = exchange.nextLimit(now) {
                timers.set(exchange, to: max(next, now + 1))
            }
        }
    }

    private func flushStreams() {
        // Going on after a pause brings kept bytes at once, and with them more to flush.
        var index = 0
        while index < flushes.count {
            let exchange = flushes[index]
            index += 1
            exchange.isWaitingForFlush = false
            if exchange.stream?.flush() == true { exchange.resumeReceiving() }
        }
        flushes.removeAll(keepingCapacity: true)
    }

    /// The body of a streamed response has grown: its reader hears of it at the end of the batch.
    func needsFlush(_ exchange: CurlExchange) {
        guard !exchange.isWaitingForFlush else { return }
        exchange.isWaitingForFlush = true
        flushes.append(exchange)
    }

    // One request.

    private func submit(_ exchange: CurlExchange) {
        switch exchange.state.submit() {
        case .none: return
        case .drop: return deliver(exchange, .failure(.cancelled), .response)
        case .enqueue: break
        }
        exchange.livePosition = live.count
        live.append(exchange)
        if isStopping { return end(exchange, CurlEventLoop.shutDown) }
        if let deadline = exchange.deadline { timers.set(exchange, to: deadline) }
        let record = origin(exchange.request.url)
        record.users += 1
        exchange.host = record
        let priority: Int =
            switch exchange.request.options.priority {
            case .high: 0
            case .low: 2
            default: 1
            }
        if scheduler.request(exchange, host: record.identifier, knowledge: record.knowledge, priority: priority) {
            exchange.holdsPlace = true
            start(exchange)
        }
    }

    private func origin(_ url: RequestURL) -> OriginRecord {
        let origin = url.origin
        if let record = origins[origin] { return record }
        // A crawler meets many origins: what is not in use is forgotten.
        if origins.count > 4096 { origins = origins.filter { $0.value.users > 0 } }
        originCounter += 1
        let knowledge: ConnectionScheduler<CurlExchange>.Knowledge =
            switch settings.configuration.protocolPreference {
            case .http1: .exclusive
            case .http2PriorKnowledge: .multiplexed
            case .automatic: origin.scheme == "https" && settings.library.hasHTTP2 ? .unknown : .exclusive
            }
        let record = OriginRecord(identifier: originCounter, knowledge: knowledge)
        origins[origin] = record
        return record
    }

    /// The first line of an answer tells what the origin speaks.
    func protocolKnown(_ exchange: CurlExchange, isMultiplexed: Bool) {
        guard let host = exchange.host else { return }
        let knowledge: ConnectionScheduler<CurlExchange>.Knowledge = isMultiplexed ? .multiplexed : .exclusive
        guard host.knowledge != knowledge, settings.configuration.protocolPreference == .automatic else { return }
        host.knowledge = knowledge
        // Started after libcurl has returned: a callback may not add handles.
        scheduler.learn(knowledge, host: host.identifier, into: &ready)
        if !ready.isEmpty { curlTimer = now }
    }

    /// Starts those whose turn has come. A start that fails at once makes room for the next, and comes back here: the
    /// outer call goes on with it.
    private func startReady() {
        guard !isStartingReady, !ready.isEmpty else { return }
        isStartingReady = true
        defer { isStartingReady = false }
        var index = 0
        while index < ready.count {
            let exchange = ready[index]
            index += 1
            exchange.holdsPlace = true
            start(exchange)
        }
        ready.removeAll(keepingCapacity: true)
    }

    /// Gives a request to libcurl.
    private func start(_ exchange: CurlExchange) {
        guard exchange.state.start() else { return release(exchange) }
        exchange.startedAt = now
        exchange.touch()
        if let next = exchange.nextLimit(now) { timers.set(exchange, to: next) }
        do throws(NetworkError) {
            let handle: CurlHandle
            if let ready = exchange.handle { handle = ready } else { handle = try preparedHandle(exchange) }
            exchange.handle = handle
            handle.exchange = exchange
            exchange.upload?.start { [weak exchange] in
                guard let exchange else { return }
                exchange.loop.post(.resumeSending(exchange))
            }
            observe(
                .started(identifier: exchange.request.context.identifier, request: exchange.request.summary))
            guard curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
                throw NetworkError.connectivity(ConnectivityFailure(.other, reason: "libcurl is out of memory"))
            }
        } catch {
            _ = exchange.state.complete(isSuccess: false, isReusedConnectionLost: false)
            deliver(exchange, .failure(error), exchange.state.delivery)
        }
    }

    private func preparedHandle(_ exchange: CurlExchange) throws(NetworkError) -> CurlHandle {
        let handle: CurlHandle
        if let idle = pool.take() { handle = idle } else { handle = try makeHandle() }
        do {
            try handle.prepare(exchange.request, settings: settings, upload: exchange.upload)
        } catch {
            pool.give(handle)
            throw error
        }
        return handle
    }

    /// A new handle.
    func makeHandle() throws(NetworkError) -> CurlHandle {
        guard let handle = CurlHandle(settings: settings, loop: Unmanaged.passUnretained(self).toOpaque()) else {
            throw .connectivity(ConnectivityFailure(.other, reason: "libcurl is out of memory"))
        }
        return handle
    }

    /// Pauses and resumes both directions as the exchange says.
    func applyPause(_ exchange: CurlExchange, _ handle: CurlHandle) {
        var mask: Int32 = 0
        if exchange.isReceivePaused { mask |= CURLPAUSE_RECV }
        if exchange.isSendPaused { mask |= CURLPAUSE_SEND }
        // Going on delivers what was kept. What a callback refuses then is not reported as a message.
        let code = curl_easy_pause(handle.easy, mask)
        if code != CURLE_OK { complete(handle, code) }
    }

    /// libcurl is done with a request.
    private func complete(_ handle: CurlHandle, _ code: CURLcode) {
        curl_multi_remove_handle(multi, handle.easy)
        guard let exchange = handle.exchange else { return pool.give(handle) }
        var code = code
        // libcurl takes a head that breaks off for a whole one.
        if code == CURLE_OK, !handle.scan.isComplete { code = CURLE_GOT_NOTHING }
        let isWhole = code == CURLE_OK || (code.isConnectionLoss && handle.hasWholeBody(exchange))
        // A body that cannot go back is only asked to after a kept-alive connection died, when the next stands already.
        let isReusedLost =
            code == CURLE_SEND_FAIL_REWIND
            || code.isConnectionLoss && ccurl_get_long(handle.easy, CURLINFO_NUM_CONNECTS) == 0
        let action = exchange.state.complete(isSuccess: isWhole, isReusedConnectionLost: isReusedLost)
        switch action {
        case .none: break
        case .restart: restart(exchange, handle)
        case .succeed(.response): deliver(exchange, .success(.buffered(handle, queued: exchange.queued)), .response)
        case .succeed(.body): deliver(exchange, nil, .body)
        case .fail(let delivery):
            let error = exchange.state.failure ?? CurlFailure.error(code, handle, exchange)
            deliver(exchange, .failure(error), delivery)
        }
    }

    private func restart(_ exchange: CurlExchange, _ handle: CurlHandle) {
        exchange.upload?.stop()
        handle.resetResponse()
        handle.requireFreshConnection()
        observe(.sentAgain(identifier: exchange.request.context.identifier))
        start(exchange)
    }

    /// Something other than libcurl ends a request.
    private func end(_ exchange: CurlExchange, _ error: NetworkError) {
        switch exchange.state.end() {
        case .none: break
        case .deliver(let delivery): deliver(exchange, .failure(error), delivery)
        case .detachAndDeliver(let delivery):
            if let handle = exchange.handle { curl_multi_remove_handle(multi, handle.easy) }
            deliver(exchange, .failure(error), delivery)
        }
    }

    /// The one place where a request ends: tells the one who waits, and lets go of everything.
    ///
    /// - Parameter result: `nil` for the end of a streamed body.
    private func deliver(
        _ exchange: CurlExchange, _ result: Result<CurlExchange.Completion, NetworkError>?,
        _ delivery: TransferState.Delivery
    ) {
        timers.remove(exchange)
        forgetLive(exchange)
        exchange.upload?.stop()
        let handle = exchange.handle.take()
        var error: NetworkError?
        if case .failure(let failure) = result { error = failure.with(request: exchange.request.summary) }
        if settings.observer != nil, let handle {
            observe(
                .finished(
                    identifier: exchange.request.context.identifier, request: exchange.request.summary,
                    timings: handle.timings(queued: exchange.queued, isComplete: true), error: error))
        }
        // The host's place goes first: who waits for it is started before the caller's next request comes.
        release(exchange)
        let stream = exchange.stream.take()
        if case .success(.buffered(let handle, _)) = result {
            handle.exchange = nil
        } else if let handle {
            let trailers = handle.trailers.isEmpty ? [:] : HeadParser.fields(handle.trailers)
            pool.give(handle)
            if delivery == .body { stream?.finish(error, trailers: trailers) }
        } else if delivery == .body {
            stream?.finish(error, trailers: [:])
        }
        guard let continuation = exchange.continuation.take(), let result else { return }
        continuation.resume(returning: error.map { .failure($0) } ?? result)
    }

    /// Gives back a place among the connections. One that still waits has none; its ticket stays in the queue, and is
    /// given back when its turn comes.
    private func release(_ exchange: CurlExchange) {
        guard exchange.holdsPlace, let host = exchange.host else { return }
        exchange.holdsPlace = false
        exchange.host = nil
        host.users -= 1
        scheduler.release(host: host.identifier, into: &ready)
        startReady()
    }

    private func forgetLive(_ exchange: CurlExchange) {
        let position = exchange.livePosition
        guard position >= 0, position < live.count else { return }
        exchange.livePosition = -1
        guard let last = live.popLast(), position < live.count else { return }
        live[position] = last
        last.livePosition = position
    }

    static let shutDown = NetworkError.connectivity(
        ConnectivityFailure(.other, reason: "the transport was shut down"))

    /// The thread ends.
    private func finish() {
        let rest = mailbox.withLock { mailbox -> [Command] in
            mailbox.isClosed = true
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
        for command in rest { perform(command) }
        pool.close()
        for continuation in shutdowns { continuation.resume() }
        shutdowns = []
    }
}
