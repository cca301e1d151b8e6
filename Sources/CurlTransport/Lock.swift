#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A value behind a lock of the C library.
///
/// Not `Synchronization.Mutex`, which on Linux hands a contended lock over inside the kernel, where the thread sanitizer
/// does not see it: it would report a race wherever a task and the loop meet.
final class Lock<Value: ~Copyable>: @unchecked Sendable {
    // Safe to share: the value is touched with the mutex held only.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: consuming sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the value while the lock is held. It must not call anything that may wait or call back.
    @inline(__always)
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
