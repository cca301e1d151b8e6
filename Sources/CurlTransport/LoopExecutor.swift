/// Runs tasks on the loop's thread: what `CurlTransport.executor` offers.
final class LoopExecutor: TaskExecutor {
    // The loop owns the executor. Who uses it after the transport is gone runs on the global pool.
    private weak let loop: CurlEventLoop?

    init(loop: CurlEventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let loop, loop.post(.run(job)) { return }
        globalConcurrentExecutor.enqueue(job)
    }
}
