#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A value that is only touched under a lock.
///
/// Not `Synchronization.Mutex`: on Linux that waits for a contended lock inside the standard library, where the thread
/// sanitizer cannot see it and reports races that are none. A POSIX mutex costs the same and keeps the sanitizer useful.
///
/// Unchecked because the compiler cannot see that `mutex` guards the value.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Guards a value, which nobody else must hold a reference into.
    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls a function with the value, one caller at a time. Never call it again from inside.
    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
