extension DiskStorage {
    /// How much a disk storage keeps, and for how long.
    public struct Configuration: Sendable, Equatable {
        /// The most bytes all entries may take on disk, in whole blocks, those of earlier runs and of other processes
        /// in the same folder included.
        public var sizeLimit: Int

        /// Down to which share of ``sizeLimit`` the least recently used entries are removed once it is passed,
        /// 0 to 1. Lower means more room made at a time, and less often.
        public var lowWaterMark: Double

        /// The most bytes one entry may take; larger ones are refused, so that one cannot push out all others.
        public var entrySizeLimit: Int

        /// How long after it was written (or its metadata replaced) an entry may be returned; `nil` means for ever.
        ///
        /// Measured with the system's clock. An entry from the future counts as written when it was first seen.
        public var ageLimit: Duration?

        /// - Parameters:
        ///   - sizeLimit: Bytes on disk for all entries, 256 MiB unless given.
        ///   - lowWaterMark: The share of it to go down to when it is passed, 0.8 unless given.
        ///   - entrySizeLimit: Bytes on disk for one entry, a quarter of `sizeLimit` unless given.
        ///   - ageLimit: The age at which entries are dropped, none unless given.
        public init(
            sizeLimit: Int = 256 << 20, lowWaterMark: Double = 0.8, entrySizeLimit: Int? = nil,
            ageLimit: Duration? = nil
        ) {
            self.sizeLimit = max(0, sizeLimit)
            self.lowWaterMark = lowWaterMark.isNaN ? 0.8 : min(max(0, lowWaterMark), 1)
            self.entrySizeLimit = min(max(0, entrySizeLimit ?? sizeLimit / 4), self.sizeLimit)
            self.ageLimit = ageLimit
        }

        var lowWaterBytes: Int { Int(Double(sizeLimit) * lowWaterMark) }

        /// In nanoseconds.
        var ageLimitNanoseconds: Int64? {
            guard let ageLimit else { return nil }
            let (seconds, attoseconds) = ageLimit.components
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
            return overflow || carry ? .max : sum
        }
    }
}
