#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// `bench <subcommand> ...`: measures one piece of work and prints what it found.
@main
struct Bench {
    static func main() async {
        // Work measured on the main actor pays for hops to it.
        exit(await Task.detached { await run(Array(CommandLine.arguments.dropFirst())) }.value)
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "get": return await benchGet(arguments: rest)
        case "baseline": return await benchBaseline(arguments: rest)
        default:
            printError("usage: bench get|baseline URL ...")
            return 64
        }
    }
}
