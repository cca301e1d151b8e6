#if canImport(Glibc)
import Glibc
#endif

@main
struct Bench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(benchThumbnail(arguments: Array(arguments.dropFirst())))
    }
}
