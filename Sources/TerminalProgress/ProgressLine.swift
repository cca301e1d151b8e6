internal import APICore

/// One line that shows how far a transfer has come: `export.zip  45% [#########           ] 4.5/10.0 MB  2.1 MB/s  0:03`.
enum ProgressLine {
    /// The line, at most as wide as the terminal. What does not fit is left out, the least important first.
    static func text(label: String, progress: TransferProgress, width: Int) -> String {
        let numbers = numbers(progress)
        let label = printable(label)
        guard let fraction = progress.fraction else {
            return fit([label] + numbers, width: width)
        }
        let percent = "\(Int(fraction * 100))%"
        let lead = label.isEmpty ? "" : label + "  "
        let padded = String(repeating: " ", count: 4 - percent.count) + percent
        let tail = numbers.joined(separator: "  ")
        // Two brackets, and a space on each side.
        let room = width - lead.count - padded.count - tail.count - 4
        guard room >= 8 else { return fit([label, percent] + numbers, width: width) }
        let cells = min(room, 40)
        let filled = Int(fraction * Double(cells))
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: cells - filled)
        return "\(lead)\(padded) [\(bar)] \(tail)"
    }

    private static func numbers(_ progress: TransferProgress) -> [String] {
        var parts: [String] = []
        if let total = progress.total {
            let unit = Unit(for: total)
            parts.append("\(unit.number(progress.bytes))/\(unit.text(total))")
        } else {
            parts.append(Unit(for: progress.bytes).text(progress.bytes))
        }
        if progress.bytesPerSecond > 0, progress.bytesPerSecond < 1e18 {
            let rate = Int(progress.bytesPerSecond)
            parts.append(Unit(for: rate).text(rate) + "/s")
        }
        if let remaining = progress.remaining { parts.append(clock(Int(remaining.components.seconds))) }
        return parts
    }

    /// As many of the parts as fit, from the first.
    private static func fit(_ parts: [String], width: Int) -> String {
        var line = ""
        for part in parts where !part.isEmpty {
            let next = line.isEmpty ? part : line + "  " + part
            if next.count > width { break }
            line = next
        }
        return line
    }

    /// `0:07`, `12:34`, `2:05:00`.
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// The text without control characters, which could move the cursor or change the terminal.
    private static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars where scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) {
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// A decimal unit of bytes, the one a number is shown best in.
    private struct Unit {
        private static let names = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        private let index: Int

        init(for bytes: Int) {
            var (index, rest) = (0, max(bytes, 0))
            while rest >= 1000 {
                rest /= 1000
                index += 1
            }
            self.index = index
        }

        /// With one digit behind the point, but for bytes.
        func number(_ bytes: Int) -> String {
            guard index > 0 else { return "\(bytes)" }
            let divisor = (1..<index).reduce(100) { result, _ in result * 1000 }
            let tenths = bytes / divisor
            return "\(tenths / 10).\(tenths % 10)"
        }

        func text(_ bytes: Int) -> String { "\(number(bytes)) \(Unit.names[index])" }
    }
}
