/// A ``StubServer`` could not start.
public struct StubServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, and what the system said.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
