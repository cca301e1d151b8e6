/// A test waited for something that did not happen in time.
public struct WaitTimeout: Error, Sendable, CustomStringConvertible {
    /// What was waited for, and how things stood when the wait was given up.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
