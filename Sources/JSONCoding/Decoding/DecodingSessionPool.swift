import Synchronization

/// Sessions between decodes. There is one pool per key strategy, because a session's tables of names depend on it.
final class DecodingSessionPool: Sendable {
    private static let plain = DecodingSessionPool()
    private static let snakeCase = DecodingSessionPool()

    /// The most sessions kept: as many as there may be threads decoding at once on a large machine.
    private static let limit = 64

    private let sessions = Mutex<[DecodingSession]>([])

    /// The pool for a strategy; nil for custom ones, whose conversions depend on the path.
    static func pool(for strategy: FastJSONDecoder.KeyDecodingStrategy) -> DecodingSessionPool? {
        switch strategy {
        case .useDefaultKeys: plain
        case .convertFromSnakeCase: snakeCase
        case .custom: nil
        }
    }

    func take() -> DecodingSession? {
        sessions.withLock { $0.popLast() }
    }

    func put(_ session: DecodingSession) {
        sessions.withLock { if $0.count < Self.limit { $0.append(session) } }
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

    private static let list = Mutex(List())

    static func keep(_ session: DecodingSession) {
        list.withLock { list in
            list.sessions.append(session)
            if list.sessions.count < list.limit { return }
            list.sessions.removeAll { !$0.state.pointee.containers.isAnyHeld() }
            list.limit = max(8, 2 * list.sessions.count)
        }
    }
}
