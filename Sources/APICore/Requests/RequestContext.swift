internal import Synchronization

/// What the client and its interceptors know about a request while it is on its way. Nothing of it is sent.
public struct RequestContext: Sendable {
    /// Tells requests of one process apart, in logs and traces.
    public var identifier: UInt64
    /// The name of the request's type.
    public var operation: String?
    /// Which attempt this is, from 1.
    public var attempt: Int
    /// When the request must have ended, all attempts included.
    public var deadline: ContinuousClock.Instant?
    /// Names of header fields and query items whose values are not shown, and not carried to another origin. An
    /// interceptor that adds a credential adds its name.
    public var sensitiveNames: SensitiveNames = .standard

    private var values: [ObjectIdentifier: any Sendable] = [:]

    private static let counter = Atomic<UInt64>(0)

    /// Makes the context of a new request.
    public init(operation: String? = nil, deadline: ContinuousClock.Instant? = nil) {
        identifier = RequestContext.counter.wrappingAdd(1, ordering: .relaxed).newValue
        self.operation = operation
        self.attempt = 1
        self.deadline = deadline
    }

    /// A value of an interceptor's own, by the type of its key.
    ///
    /// ```swift
    /// enum TenantKey: RequestContextKey { typealias Value = String }
    /// request.context[TenantKey.self] = "acme"
    /// ```
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)] as? Key.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names a value in a ``RequestContext``.
public protocol RequestContextKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
