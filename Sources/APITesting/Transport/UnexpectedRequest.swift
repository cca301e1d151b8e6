/// A test double was asked for something it has no answer to.
public struct UnexpectedRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked for, and what there would have been answers to.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
