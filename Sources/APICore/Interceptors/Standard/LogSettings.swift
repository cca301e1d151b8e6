/// What an environment says about logging.
public struct LogSettings: Sendable, Hashable {
    /// How much is written of each request.
    public var level: LogLevel
    /// How many bytes of a body are shown at most.
    public var bodyLimit: Int

    /// Makes settings.
    public init(level: LogLevel = .basic, bodyLimit: Int = 1024) {
        self.level = level
        self.bodyLimit = bodyLimit
    }
}
