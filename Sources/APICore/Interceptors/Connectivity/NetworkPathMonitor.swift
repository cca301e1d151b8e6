internal import DiskCache

/// The availability of the network as a sequence: the present path first, then each change.
///
/// ```swift
/// for await path in NetworkPathMonitor.shared {
///     banner.isHidden = path.isAvailable
/// }
/// ```
///
/// On Linux the kernel reports changes of links, addresses and routes (rtnetlink); on Apple platforms it is the
/// system's path monitor. Any number of tasks may iterate; a slow one skips to the newest path.
public final class NetworkPathMonitor: AsyncSequence, Sendable {
    /// A path.
    public typealias Element = NetworkPath
    /// The sequence ends only when its task is cancelled.
    public typealias Failure = Never

    private struct State: Sendable {
        var path: NetworkPath?
        var listeners: [UInt64: AsyncStream<NetworkPath>.Continuation] = [:]
        var nextIdentifier: UInt64 = 0
    }

    private let state: Locked<State>
    private let stop: @Sendable () -> Void

    /// The system's network, watched from the first use on.
    public static let shared = NetworkPathMonitor()

    /// Watches the system's network.
    public convenience init() {
        self.init(source: SystemPathSource())
    }

    /// Watches what a source reports.
    public init(source: any NetworkPathSource) {
        let state = Locked(State())
        self.state = state
        stop = source.start { path in
            // Yielding inside the lock keeps the order of paths; a stream's continuation calls nobody back from it.
            state.withLock { state in
                guard state.path != path else { return }
                state.path = path
                for listener in state.listeners.values { listener.yield(path) }
            }
        }
    }

    deinit {
        stop()
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    /// The present path. One that is not known counts as available: no request should wait because of that.
    public var path: NetworkPath { state.withLock { $0.path } ?? .available }

    /// Iterates over the present path and the changes from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            state.listeners[state.nextIdentifier] = continuation
            continuation.yield(state.path ?? .available)
            return state.nextIdentifier
        }
        let state = state
        continuation.onTermination = { _ in
            state.withLock { _ = $0.listeners.removeValue(forKey: identifier) }
        }
        return AsyncIterator(monitor: self, base: stream.makeAsyncIterator())
    }

    /// Gives the paths in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Keeps the monitor alive while somebody listens.
        let monitor: NetworkPathMonitor
        var base: AsyncStream<NetworkPath>.AsyncIterator

        /// The next path; `nil` when the task is cancelled.
        public mutating func next() async -> NetworkPath? {
            await next(isolation: #isolation)
        }

        /// The next path; `nil` when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
            await base.next(isolation: actor)
        }
    }
}
