#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A few threads of our own for calls that block.
///
/// Swift's pool has one thread per core: a read from a slow disk on one of them takes that core away from every task in
/// the process. Here it takes one of these instead. Threads start when there is work and none is idle, and end with the
/// last reference to the pool.
package final class IOThreads: Sendable {
    /// The threads that all disk storages share unless told otherwise.
    package static let shared = IOThreads(count: 4)

    private let queue: JobQueue

    package init(count: Int) {
        queue = JobQueue(threadLimit: max(1, count))
    }

    deinit {
        queue.stop()
    }

    /// Runs a job on one of the threads, some time.
    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        queue.enqueue(job)
    }

    /// Runs a job on one of the threads and returns what it returns, without blocking the caller's thread.
    ///
    /// As a task executor and not with a continuation: a continuation that is resumed before its task has come to wait
    /// for it is handed over in a way that the thread sanitizer takes for a race.
    package func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) async -> Result {
        await withTaskExecutorPreference(self) { job() }
    }
}

extension IOThreads: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Jobs waiting, and the threads that take them.
///
/// Unchecked because the compiler cannot see that `mutex` guards every variable.
private final class JobQueue: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let threadLimit: Int
    private var jobs: [@Sendable () -> Void] = []
    private var firstJob = 0
    private var threadCount = 0
    private var idleCount = 0
    private var isStopped = false

    init(threadLimit: Int) {
        self.threadLimit = threadLimit
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func enqueue(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        let waiting = jobs.count - firstJob
        if idleCount < waiting, threadCount < threadLimit, startThread() { threadCount += 1 }
        let mustRunHere = threadCount == 0
        if idleCount > 0 { pthread_cond_signal(condition) }
        pthread_mutex_unlock(mutex)
        // Not a single thread can be started: blocking the caller is better than never answering.
        if mustRunHere, let job = takeIfAny() { job() }
    }

    func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    private func takeIfAny() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return popFirst()
    }

    private func popFirst() -> (@Sendable () -> Void)? {
        guard firstJob < jobs.count else { return nil }
        let job = jobs[firstJob]
        jobs[firstJob] = {}
        firstJob += 1
        if firstJob == jobs.count {
            jobs.removeAll(keepingCapacity: jobs.count < 1024)
            firstJob = 0
        } else if firstJob >= 1024, firstJob * 2 >= jobs.count {
            jobs.removeFirst(firstJob)
            firstJob = 0
        }
        return job
    }

    /// The life of one thread: jobs until the pool is gone and none is left.
    ///
    /// A job is let go before the lock is taken again: with it may go the last reference to the pool, which takes the
    /// lock to stop the threads.
    fileprivate func work() {
        while let job = waitForJob() { job() }
    }

    /// The next job as soon as there is one; `nil` when there will be none any more.
    private func waitForJob() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let job = popFirst() { return job }
            if isStopped { return nil }
            idleCount += 1
            pthread_cond_wait(condition, mutex)
            idleCount -= 1
        }
    }

    private func startThread() -> Bool {
        let reference = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(&thread, nil, { runThread($0) }, reference)
        #else
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, { $0.flatMap { runThread($0) } }, reference)
        #endif
        guard result == 0 else {
            Unmanaged<JobQueue>.fromOpaque(reference).release()
            return false
        }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }
}

private func runThread(_ reference: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // Signals belong to the application's threads.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    Unmanaged<JobQueue>.fromOpaque(reference).takeRetainedValue().work()
    return nil
}
