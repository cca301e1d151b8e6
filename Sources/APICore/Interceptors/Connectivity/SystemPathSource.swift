#if canImport(Network)
internal import Dispatch
internal import Network

/// The paths of Apple's `NWPathMonitor`.
struct SystemPathSource: NetworkPathSource {
    func start(_ update: @escaping @Sendable (NetworkPath) -> Void) -> @Sendable () -> Void {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in update(SystemPathSource.path(path)) }
        update(SystemPathSource.path(monitor.currentPath))
        monitor.start(queue: DispatchQueue(label: "NetworkPathMonitor"))
        return { monitor.cancel() }
    }

    private static func path(_ path: NWPath) -> NetworkPath {
        guard path.status == .satisfied else { return .unavailable }
        return NetworkPath(supportsIPv4: path.supportsIPv4, supportsIPv6: path.supportsIPv6)
    }
}
#elseif os(Linux)
internal import CSystem

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The kernel's reports of links, addresses and routes (rtnetlink, man 7 rtnetlink), read on a thread of their own.
struct SystemPathSource: NetworkPathSource {
    func start(_ update: @escaping @Sendable (NetworkPath) -> Void) -> @Sendable () -> Void {
        let events = csystem_route_events()
        let wake = csystem_eventfd()
        // Looked up after the socket stands, so that no change between the two is missed.
        update(SystemPathSource.currentPath())
        guard events >= 0, wake >= 0 else {
            if events >= 0 { close(events) }
            if wake >= 0 { close(wake) }
            return {}
        }
        let context = Unmanaged.passRetained(Watch(events: events, wake: wake, update: update))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { watch in
                guard let watch else { return nil }
                Unmanaged<Watch>.fromOpaque(watch).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            close(events)
            close(wake)
            return {}
        }
        pthread_detach(thread)
        // The thread closes both descriptors when it ends, which it does only once this was called. So: call it once.
        return { csystem_eventfd_signal(wake) }
    }

    static func currentPath() -> NetworkPath {
        let ways = csystem_network_ways()
        guard ways >= 0 else { return .available }
        return NetworkPath(supportsIPv4: ways & 1 != 0, supportsIPv6: ways & 2 != 0)
    }

    private final class Watch: Sendable {
        let events: Int32
        let wake: Int32
        let update: @Sendable (NetworkPath) -> Void

        init(events: Int32, wake: Int32, update: @escaping @Sendable (NetworkPath) -> Void) {
            self.events = events
            self.wake = wake
            self.update = update
        }

        func run() {
            defer {
                close(events)
                close(wake)
            }
            while true {
                var descriptors = [
                    pollfd(fd: events, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                ]
                let count = poll(&descriptors, 2, -1)
                if count < 0, errno != EINTR { return }
                guard count > 0 else { continue }
                if descriptors[1].revents != 0 { return }
                csystem_route_drain(events)
                update(SystemPathSource.currentPath())
            }
        }
    }
}
#else
/// Systems whose network cannot be watched: always available.
struct SystemPathSource: NetworkPathSource {
    func start(_ update: @escaping @Sendable (NetworkPath) -> Void) -> @Sendable () -> Void {
        update(.available)
        return {}
    }
}
#endif
