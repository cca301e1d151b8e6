/// The arguments of a subcommand: `--name value`, `--flag` and others.
struct Arguments {
    private var rest: [String]

    init(_ arguments: [String]) {
        rest = arguments
    }

    /// What is wrong with the arguments.
    struct UsageError: Error, CustomStringConvertible {
        var description: String
    }

    /// Whether `--name` is given; it is taken away.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: "--" + name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// The value after `--name`; both are taken away.
    mutating func value(_ name: String) throws -> String? {
        guard let index = rest.firstIndex(of: "--" + name) else { return nil }
        guard index + 1 < rest.count else { throw UsageError(description: "--\(name) needs a value") }
        let value = rest[index + 1]
        rest.removeSubrange(index...index + 1)
        return value
    }

    /// The whole number after `--name`; both are taken away.
    mutating func number(_ name: String) throws -> Int? {
        guard let text = try value(name) else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageError(description: "--\(name) needs a number above 0")
        }
        return number
    }

    /// The next argument without a name; it is taken away.
    mutating func next() -> String? {
        rest.isEmpty ? nil : rest.removeFirst()
    }

    /// Refuses arguments that nothing has taken.
    func finish() throws {
        if let first = rest.first { throw UsageError(description: "unexpected argument \(first)") }
    }
}
