/// Handles that have no request at the moment.
final class CurlHandlePool: Sendable {
    private struct State {
        var handles: [CurlHandle] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let capacity = 512

    /// One of them, if there is any.
    func take() -> CurlHandle? {
        state.withLock { $0.handles.popLast() }
    }

    /// Takes a handle back.
    func give(_ handle: CurlHandle?) {
        guard let handle else { return }
        handle.recycle()
        // What is not kept goes when this function returns, outside the lock.
        state.withLock { state in
            if !state.isClosed, state.handles.count < capacity { state.handles.append(handle) }
        }
    }

    /// Lets go of all of them, and of those that come later.
    func close() {
        let handles = state.withLock { state in
            state.isClosed = true
            defer { state.handles = [] }
            return state.handles
        }
        withExtendedLifetime(handles) {}
    }
}
