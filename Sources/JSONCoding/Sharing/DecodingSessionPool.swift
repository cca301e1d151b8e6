/// Sessions between decodes. There is one pool per key strategy, because a session's tables of names depend on it.
final class DecodingSessionPool: Sendable {
    private static let plain = DecodingSessionPool()
    private static let snakeCase = DecodingSessionPool()

    /// The most bytes of buffers kept in a pool.
    private static let byteLimit = 32 << 20
    /// The most sessions kept: as many as there may be threads decoding at once on a large machine.
    private static let countLimit = 64

    private struct Content {
        var sessions: [DecodingSession] = []
        var byteCount = 0
    }

    private let content = LockedValue(Content())

    /// The pool for a strategy; nil for custom ones, whose conversions depend on the path.
    static func pool(for strategy: FastJSONDecoder.KeyDecodingStrategy) -> DecodingSessionPool? {
        switch strategy {
        case .useDefaultKeys: plain
        case .convertFromSnakeCase: snakeCase
        case .custom: nil
        }
    }

    func take() -> DecodingSession? {
        content.withLock { content in
            guard let session = content.sessions.popLast() else { return nil }
            content.byteCount -= session.bufferByteCount
            return session
        }
    }

    /// Keeps a session, unless the pool is full.
    func put(_ session: DecodingSession) {
        let size = session.bufferByteCount
        content.withLock { content in
            guard content.sessions.count < Self.countLimit, content.byteCount + size <= Self.byteLimit else { return }
            content.sessions.append(session)
            content.byteCount += size
        }
    }
}

/// Sessions that have ended but one of whose pooled containers somebody kept: the container points into the session
/// without owning it. They are let go once the containers have been.
///
/// Nobody is told when that happens, so it is looked for when the list has doubled: the memory kept is at most that of
/// twice as many documents as are in use, and a few.
enum LingeringSessions {
    private struct List {
        var sessions: [DecodingSession] = []
        var limit = 8
    }

    private static let list = LockedValue(List())

    static func keep(_ session: DecodingSession) {
        list.withLock { list in
            list.sessions.append(session)
            if list.sessions.count < list.limit { return }
            list.sessions.removeAll { !$0.state.pointee.containers.isAnyHeld() }
            list.limit = max(8, 2 * list.sessions.count)
        }
    }
}
