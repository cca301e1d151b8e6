#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Prints what happened and remembers whether all of it was as it should be.
struct Checklist {
    private(set) var failures: [String] = []
    private var count = 0

    /// Starts a part of the tour.
    func section(_ title: String) {
        print("\n\(title)")
    }

    /// Prints a line of what was seen.
    func show(_ text: String) {
        print("  " + text)
    }

    /// Prints what must be true, with a mark that says whether it is.
    mutating func check(_ isTrue: Bool, _ text: String) {
        count += 1
        print((isTrue ? "  ✓ " : "  ✗ ") + text)
        if !isTrue { failures.append(text) }
    }

    /// Prints the outcome and gives the exit code.
    func finish() -> Int32 {
        print("")
        guard failures.isEmpty else {
            print("\(failures.count) of \(count) checks failed:")
            for failure in failures { print("  ✗ " + failure) }
            return 1
        }
        print("All \(count) checks passed.")
        return 0
    }
}
