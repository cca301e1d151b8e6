/// The deadline that every request made within a task must keep.
///
/// It travels: calls made by the code that serves a request, however deep, share what is left of its time. The
/// ``DeadlineInterceptor`` reads it, and sets it for whatever happens inside the request, such as a token refresh.
///
/// ```swift
/// try await RequestDeadline.with(.seconds(2)) {
///     let user = try await client.send(FetchUser(id: 7))        // both together
///     return try await client.send(ListPosts(userId: user.id))  // take two seconds at most
/// }
/// ```
public enum RequestDeadline {
    /// The deadline of the current task.
    @TaskLocal public static var current: ContinuousClock.Instant?

    /// Runs an operation whose requests must end within a time from now, or by the deadline that holds already, if
    /// that is earlier.
    ///
    /// - Parameters:
    ///   - limit: The time; zero or less lets every request fail at once.
    ///   - time: The clock the deadline is measured by; the same as the client's.
    ///   - operation: What makes the requests.
    public static func with<Value, Failure: Error>(
        _ limit: Duration, time: TimeSource = .system,
        operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await at(time.now().advanced(by: limit), operation: operation)
    }

    /// Runs an operation whose requests must end by an instant, or by the deadline that holds already, if that is
    /// earlier.
    public static func at<Value, Failure: Error>(
        _ deadline: ContinuousClock.Instant, operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await $current.withValue(earliest(current, deadline)) { () async -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The earlier of two deadlines, where `nil` is never.
    static func earliest(
        _ first: ContinuousClock.Instant?, _ second: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}
