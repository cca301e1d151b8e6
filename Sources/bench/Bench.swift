#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `bench <subcommand> ...`: measures one piece of work and prints what it found.
@main
struct Bench {
    /// Every subcommand. To add one, write a type that conforms to `Subcommand` in a file of its own and name it here.
    static var subcommands: [any Subcommand.Type] {
        [
            DecodeBenchmark.self
        ]
    }

    static func main() async {
        // Work measured on the main actor pays for hops to it.
        let status = await Task.detached { await run(Array(CommandLine.arguments.dropFirst())) }.value
        exit(status)
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        guard let name = arguments.first, let subcommand = subcommands.first(where: { $0.name == name }) else {
            printError("usage: bench <subcommand> ...\n" + subcommands.map { "  " + $0.usage }.joined(separator: "\n"))
            return 64
        }
        do {
            try await subcommand.run(Arguments(Array(arguments.dropFirst())))
            return 0
        } catch {
            printError("bench \(name): \(error)")
            return 1
        }
    }

    /// Prints a line on standard error.
    static func printError(_ message: String) {
        let bytes = Array((message + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// A piece of work to measure.
protocol Subcommand {
    /// What it is called on the command line.
    static var name: String { get }
    /// Its arguments, on one line.
    static var usage: String { get }

    static func run(_ arguments: Arguments) async throws
}
