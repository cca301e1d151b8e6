/// Who may go and who waits, under a limit in all and one for each origin. A value without I/O.
///
/// First come, first served; but one whose origin is full does not hold up those behind it who go elsewhere.
struct ConcurrencyQueue: Sendable {
    private struct Line: Sendable {
        var running = 0
        /// Identifiers in order of arrival, from `head` on. Those who left are skipped when they come up.
        var waiting: [UInt64] = []
        var head = 0

        var isIdle: Bool { running == 0 && head == waiting.count }
    }

    private let total: Int
    private let perOrigin: Int
    private var lines: [Origin: Line] = [:]
    private var waiting: Set<UInt64> = []
    private(set) var running = 0

    init(total: Int?, perOrigin: Int?) {
        self.total = max(total ?? .max, 1)
        self.perOrigin = max(perOrigin ?? .max, 1)
    }

    var waitingCount: Int { waiting.count }

    /// A request arrives. Identifiers grow with each arrival.
    ///
    /// - Returns: Whether it may go; else it waits until its identifier comes out of ``release(_:)``.
    mutating func enter(_ identifier: UInt64, origin: Origin) -> Bool {
        // While others wait who could go, there is no free place: they would have been let in.
        if running < total, lines[origin, default: Line()].running < perOrigin {
            running += 1
            lines[origin, default: Line()].running += 1
            return true
        }
        lines[origin, default: Line()].waiting.append(identifier)
        waiting.insert(identifier)
        return false
    }

    /// A request that was let in has ended.
    ///
    /// - Returns: Who may go now.
    mutating func release(_ origin: Origin) -> UInt64? {
        running -= 1
        lines[origin]?.running -= 1
        defer { if lines[origin]?.isIdle ?? false { lines[origin] = nil } }
        return admitNext()
    }

    /// A request stops waiting.
    ///
    /// - Returns: Whether it waited; `false` means that it was let in already, and must be released.
    mutating func leave(_ identifier: UInt64) -> Bool {
        waiting.remove(identifier) != nil
    }

    private mutating func admitNext() -> UInt64? {
        guard running < total, !waiting.isEmpty else { return nil }
        var best: (identifier: UInt64, origin: Origin)?
        for origin in Array(lines.keys) {
            guard let first = first(in: origin), lines[origin]?.running ?? 0 < perOrigin else { continue }
            if best == nil || first < (best?.identifier ?? 0) { best = (first, origin) }
        }
        guard let best else { return nil }
        lines[best.origin]?.head += 1
        lines[best.origin]?.running += 1
        running += 1
        waiting.remove(best.identifier)
        return best.identifier
    }

    /// The first who still waits for an origin; drops those before it who left.
    private mutating func first(in origin: Origin) -> UInt64? {
        guard var line = lines.removeValue(forKey: origin) else { return nil }
        defer { if !line.isIdle { lines[origin] = line } }
        while line.head < line.waiting.count, !waiting.contains(line.waiting[line.head]) { line.head += 1 }
        if line.head > 64, line.head > line.waiting.count / 2 {
            line.waiting.removeFirst(line.head)
            line.head = 0
        }
        return line.head < line.waiting.count ? line.waiting[line.head] : nil
    }
}
