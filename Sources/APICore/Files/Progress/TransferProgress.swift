/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Bytes transferred, those of an earlier attempt that were kept included.
    public var bytes: Int
    /// Bytes altogether, where that is known.
    public var total: Int?
    /// Bytes a second over the last few seconds; 0 until it is known.
    public var bytesPerSecond: Double

    /// Makes a value.
    public init(bytes: Int, total: Int? = nil, bytesPerSecond: Double = 0) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }

    /// The part that is done, from 0 to 1, where the total is known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(max(Double(bytes) / Double(total), 0), 1) : 1
    }

    /// How long the rest takes at this rate, where total and rate are known.
    public var remaining: Duration? {
        guard let total, bytesPerSecond > 0 else { return nil }
        // A rate near zero gives a time no clock can show.
        return .seconds(min(Double(max(total - bytes, 0)) / bytesPerSecond, 1e9))
    }
}
