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
    /// Every subcommand; a new one is a line here and a file of its own.
    static var entries: [Entry] {
        [
            Entry(DecodeBenchmark.self),
            Entry(EncodeBenchmark.self),
            Entry(CacheBenchmark.self),
            Entry("thumbnail", "thumbnail FILE --size WxH --iterations N [--fast]") { benchThumbnail(arguments: $0) },
            Entry("transfer", "transfer [--bytes N]", benchTransfer),
            Entry("get", "get URL --requests N --concurrency C [--http2] [--insecure] [--decode users]", benchGet),
            Entry("baseline", "baseline URL --requests N --concurrency C [--http2] [--insecure]", benchBaseline),
        ]
    }

    static func main() async {
        // Work measured on the main actor pays for hops to it.
        let status = await Task.detached { await run(Array(CommandLine.arguments.dropFirst())) }.value
        exit(status)
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        guard let name = arguments.first, let entry = entries.first(where: { $0.name == name }) else {
            let usage = entries.map { "  " + $0.usage }.joined(separator: "\n")
            printError("usage: bench <subcommand> ...\n" + usage)
            return 64
        }
        return await entry.run(Array(arguments.dropFirst()))
    }
}

/// A piece of work to measure.
protocol Subcommand: SendableMetatype {
    /// What it is called on the command line.
    static var name: String { get }
    /// Its name and arguments.
    static var usage: String { get }

    static func run(_ arguments: Arguments) async throws
}

/// A line of the table of subcommands.
struct Entry {
    let name: String
    let usage: String
    /// Runs it with the arguments behind its name, and returns the exit code.
    let run: @Sendable ([String]) async -> Int32

    init(_ name: String, _ usage: String, _ run: @escaping @Sendable ([String]) async -> Int32) {
        self.name = name
        self.usage = usage
        self.run = run
    }

    init<Command: Subcommand>(_ command: Command.Type) {
        self.init(command.name, command.usage) { arguments in
            do {
                try await command.run(Arguments(arguments))
                return 0
            } catch {
                printError("bench \(command.name): \(error)")
                return 1
            }
        }
    }
}
