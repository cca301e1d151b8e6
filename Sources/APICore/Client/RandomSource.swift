internal import Synchronization

/// Where randomness comes from, so that tests can give the same numbers in every run.
public struct RandomSource: Sendable {
    /// The next 64 random bits.
    public var next: @Sendable () -> UInt64

    /// Makes a source.
    public init(next: @escaping @Sendable () -> UInt64) {
        self.next = next
    }

    /// The system's generator.
    public static let system = RandomSource { UInt64.random(in: .min ... .max) }

    /// The same numbers in every run (SplitMix64). Not for secrets.
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let counter = Counter(seed)
        return RandomSource { counter.next() }
    }

    /// A number from 0 up to, but not including, 1.
    public func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A duration between two others, whichever is the longer.
    public func duration(between low: Duration, and high: Duration) -> Duration {
        guard high > low else { return low }
        return min(low + (high - low) * unit(), high)
    }

    private final class Counter: Sendable {
        private let state: Atomic<UInt64>

        init(_ seed: UInt64) {
            state = Atomic(seed)
        }

        func next() -> UInt64 {
            var z = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
