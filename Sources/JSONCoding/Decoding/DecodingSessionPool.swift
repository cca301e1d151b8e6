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
