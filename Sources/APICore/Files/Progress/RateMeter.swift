/// Measures a rate over the last few seconds: old enough not to jump, young enough to follow the network.
struct RateMeter: Sendable {
    private struct Sample: Sendable {
        var time: ContinuousClock.Instant
        var bytes: Int
    }

    private let window: Duration
    private var samples: [Sample] = []

    init(window: Duration = .seconds(5)) {
        self.window = window
    }

    /// Notes that so many bytes were transferred at that time.
    ///
    /// - Returns: Bytes a second between the oldest sample of the window and this one; 0 while there is only one.
    mutating func add(_ bytes: Int, at time: ContinuousClock.Instant) -> Double {
        // What was restarted counts from its new beginning.
        if let last = samples.last, bytes < last.bytes { samples.removeAll() }
        samples.append(Sample(time: time, bytes: bytes))
        // One sample older than the window stays, so that there is always a span to measure.
        while samples.count > 2, time - samples[1].time >= window { samples.removeFirst() }
        guard let first = samples.first, time > first.time else { return 0 }
        return Double(bytes - first.bytes) / ((time - first.time) / .seconds(1))
    }
}
