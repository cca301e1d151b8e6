/// Tables of results on the terminal.
enum BenchTable {
    /// The first column to the left, the others to the right.
    static func row(_ columns: String...) -> String {
        columns.enumerated().map { index, column in
            let padding = String(repeating: " ", count: max(1, (index == 0 ? 20 : 16) - column.count))
            return index == 0 ? column + padding : padding + column
        }.joined()
    }

    /// Speeds and their ratio, from the medians of the seconds measured.
    static func printComparison(_ name: String, bytes: Int, foundation: [Double], fast: [Double]) {
        let slow = foundation.sorted()[foundation.count / 2]
        let quick = fast.sorted()[fast.count / 2]
        let megabytes = Double(bytes) / 1e6
        print(row(name, "\(bytes)", tenths(megabytes / slow), tenths(megabytes / quick), tenths(slow / quick)))
    }

    private static func tenths(_ number: Double) -> String {
        let scaled = Int((number * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }
}
