/// A bar on the last line of a terminal's standard error.
struct ProgressBar {
    let total: Int
    let isShown: Bool
    private var done = 0

    init(total: Int, isShown: Bool) {
        self.total = total
        self.isShown = isShown && total > 1
    }

    func clear() {
        if isShown { writeError("\r\u{1B}[K") }
    }

    mutating func advance() {
        done += 1
        guard isShown else { return }
        let width = 40
        let filled = done * width / max(total, 1)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        writeError("\r[\(bar)] \(done)/\(total)")
    }
}
