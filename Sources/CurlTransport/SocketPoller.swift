internal import CCurl
internal import CSystem

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

#if os(Linux)
/// Waits for sockets and for a wake-up, with epoll and an eventfd.
///
/// libcurl takes its interest in a socket back at the end of each request, and declares it anew for the next one on the
/// same connection. Telling the kernel each time would be two more system calls per request; instead a socket stays
/// registered until it really reports something nobody wants, or is closed.
final class SocketPoller: @unchecked Sendable {
    // Safe to share: `wake()` only writes to a descriptor; the rest belongs to the loop thread.

    private struct Interest {
        var wanted: UInt32 = 0
        var registered: UInt32 = 0
    }

    private let epoll: Int32
    private let event: Int32
    private var interests: [Interest] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    /// The sockets that are ready after ``wait(timeout:)``, and what for, in libcurl's terms.
    private(set) var ready: [(socket: Int32, events: Int32)] = []

    /// `nil` when the process has no descriptors left.
    init?() {
        let epoll = csystem_epoll_create()
        guard epoll >= 0 else { return nil }
        let event = csystem_eventfd()
        guard event >= 0, csystem_epoll_ctl(epoll, EPOLL_CTL_ADD, event, EPOLLIN.rawValue) == 0 else {
            close(epoll)
            if event >= 0 { close(event) }
            return nil
        }
        self.epoll = epoll
        self.event = event
    }

    deinit {
        close(epoll)
        close(event)
    }

    /// Ends the wait, now or the next time. From any thread.
    func wake() {
        csystem_eventfd_signal(event)
    }

    /// What libcurl wants to know about a socket: `CURL_POLL_IN` and the like.
    func want(_ socket: Int32, _ what: Int32) {
        guard socket >= 0 else { return }
        let index = Int(socket)
        if index >= interests.count {
            interests.append(contentsOf: repeatElement(Interest(), count: index + 1 - interests.count))
        }
        var wanted: UInt32 = 0
        if what != CURL_POLL_REMOVE {
            if what & CURL_POLL_IN != 0 { wanted |= EPOLLIN.rawValue }
            if what & CURL_POLL_OUT != 0 { wanted |= EPOLLOUT.rawValue }
        }
        interests[index].wanted = wanted
        // Less than what is registered: see whether it happens at all.
        guard wanted != 0, wanted != interests[index].registered else { return }
        register(socket, wanted)
    }

    /// A socket is about to be closed; the kernel forgets it by itself.
    func forget(_ socket: Int32) {
        guard socket >= 0, Int(socket) < interests.count else { return }
        interests[Int(socket)] = Interest()
    }

    /// Waits until something happens.
    ///
    /// - Parameter timeout: Milliseconds; -1 for no limit.
    func wait(timeout: Int32) {
        ready.removeAll(keepingCapacity: true)
        let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let (socket, mask) = withUnsafePointer(to: &events[index]) {
                (csystem_event_fd($0), csystem_event_mask($0))
            }
            if socket == event {
                csystem_eventfd_drain(event)
                continue
            }
            guard socket >= 0, Int(socket) < interests.count else { continue }
            let wanted = interests[Int(socket)].wanted
            let failed = mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
            guard mask & wanted != 0 || failed && wanted != 0 else {
                // Reported again and again otherwise.
                register(socket, wanted)
                continue
            }
            var bits: Int32 = 0
            if mask & EPOLLIN.rawValue != 0 || failed { bits |= CURL_CSELECT_IN }
            if mask & EPOLLOUT.rawValue != 0 { bits |= CURL_CSELECT_OUT }
            ready.append((socket, bits))
        }
    }

    private func register(_ socket: Int32, _ wanted: UInt32) {
        let registered = interests[Int(socket)].registered
        interests[Int(socket)].registered = wanted
        guard wanted != 0 else {
            _ = csystem_epoll_ctl(epoll, EPOLL_CTL_DEL, socket, 0)
            return
        }
        let operation = registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        guard csystem_epoll_ctl(epoll, operation, socket, wanted) != 0 else { return }
        // What this table says and what the kernel knows can differ when a socket was closed behind our back.
        let other = errno == EEXIST ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        if csystem_epoll_ctl(epoll, other, socket, wanted) != 0 { interests[Int(socket)].registered = 0 }
    }
}
#else
/// Waits for sockets and for a wake-up, with poll and a pipe: for systems without epoll.
final class SocketPoller: @unchecked Sendable {
    // Safe to share: `wake()` only writes to a descriptor; the rest belongs to the loop thread.

    private let readEnd: Int32
    private let writeEnd: Int32
    private var interests: [Int32: Int16] = [:]
    private var descriptors: [pollfd] = []
    private(set) var ready: [(socket: Int32, events: Int32)] = []

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func want(_ socket: Int32, _ what: Int32) {
        var events: Int16 = 0
        if what != CURL_POLL_REMOVE {
            if what & CURL_POLL_IN != 0 { events |= Int16(POLLIN) }
            if what & CURL_POLL_OUT != 0 { events |= Int16(POLLOUT) }
        }
        interests[socket] = events == 0 ? nil : events
    }

    func forget(_ socket: Int32) {
        interests[socket] = nil
    }

    func wait(timeout: Int32) {
        ready.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
        descriptors.append(pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0))
        for (socket, events) in interests { descriptors.append(pollfd(fd: socket, events: events, revents: 0)) }
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return }
        for descriptor in descriptors where descriptor.revents != 0 {
            if descriptor.fd == readEnd {
                var bytes = [UInt8](repeating: 0, count: 64)
                while read(readEnd, &bytes, bytes.count) > 0 {}
                continue
            }
            var bits: Int32 = 0
            if descriptor.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { bits |= CURL_CSELECT_IN }
            if descriptor.revents & Int16(POLLOUT) != 0 { bits |= CURL_CSELECT_OUT }
            ready.append((descriptor.fd, bits))
        }
    }
}
#endif
