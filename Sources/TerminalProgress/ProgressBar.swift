public import APICore

#if os(Linux)
internal import CSystem  // struct winsize, which clang finds through this module.
#endif

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A progress bar on standard error: one line that is drawn again and again. Where standard error is no terminal, it
/// does nothing.
///
/// ```swift
/// let file = try await ProgressBar("export.zip").follow(client.download(Export(), to: "/data/export.zip"))
/// ```
public struct ProgressBar: Sendable {
    /// What stands in front of the bar.
    public let label: String
    private let isVisible: Bool

    /// Makes a bar; nothing is drawn yet.
    public init(_ label: String = "") {
        self.label = label
        isVisible = isatty(STDERR_FILENO) == 1 && ProgressBar.terminalCanDraw
    }

    /// Draws the bar.
    public func update(_ progress: TransferProgress) {
        guard isVisible else { return }
        // One column stays free: a full line makes some terminals go to the next.
        let line = ProgressLine.text(label: label, progress: progress, width: ProgressBar.width - 1)
        write("\r\(line)\u{1B}[K")
    }

    /// Ends the line, so that what is printed next does not stand behind the bar.
    public func finish() {
        guard isVisible else { return }
        write("\n")
    }

    /// Draws a transfer's progress until it is complete.
    ///
    /// - Returns: What came out of the transfer.
    public func follow<Output: Sendable>(_ transfer: Transfer<Output>) async throws(NetworkError) -> Output {
        defer { finish() }
        for try await progress in transfer { update(progress) }
        return try await transfer.value
    }

    /// A terminal that cannot move its cursor would print a line for each step.
    private static var terminalCanDraw: Bool {
        guard let name = getenv("TERM") else { return false }
        return String(cString: name) != "dumb"
    }

    private static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        // A bar that cannot be drawn is no reason to fail.
        #if canImport(Darwin)
        _ = Darwin.write(STDERR_FILENO, bytes, bytes.count)
        #elseif canImport(Glibc)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        #elseif canImport(Musl)
        _ = Musl.write(STDERR_FILENO, bytes, bytes.count)
        #endif
    }
}
