/// Where a ``NetworkPathMonitor`` hears of changes: the system, or a test.
public protocol NetworkPathSource: Sendable {
    /// Starts to report.
    ///
    /// - Parameter update: Called with the present path before this returns, and with the path after each change, from
    ///   any thread.
    /// - Returns: Stops the reports.
    func start(_ update: @escaping @Sendable (NetworkPath) -> Void) -> @Sendable () -> Void
}
