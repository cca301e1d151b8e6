import ImagePipeline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Makes thumbnails of image files; see ``ToolArguments/usage``.
@main
struct ThumbnailTool {
    static func main() async {
        let arguments: ToolArguments
        do {
            arguments = try ToolArguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            writeError("thumbnail: \(error.reason)\n\(ToolArguments.usage)\n")
            exit(2)
        }
        if arguments.wantsHelp {
            print(ToolArguments.usage)
            exit(0)
        }
        let allSucceeded = await run(arguments)
        exit(allSucceeded ? 0 : 1)
    }

    /// At most `jobs` inputs are in memory at once.
    private static func run(_ arguments: ToolArguments) async -> Bool {
        let scheduler = DecodeScheduler(concurrency: arguments.jobs)
        var progress = ProgressBar(total: arguments.inputs.count, isShown: !arguments.json && isatty(2) == 1)
        var allSucceeded = true
        await withTaskGroup(of: ToolReport.self) { group in
            var pending = arguments.inputs.makeIterator()
            func addNext() {
                guard let input = pending.next() else { return }
                group.addTask { await ToolJob(input: input, arguments: arguments).run(scheduler) }
            }
            for _ in 0..<(arguments.jobs ?? 8) { addNext() }
            while let report = await group.next() {
                if report.error != nil { allSucceeded = false }
                progress.clear()
                if arguments.json {
                    print(report.json)
                } else if let error = report.error {
                    writeError("thumbnail: \(report.input): \(error)\n")
                } else if !arguments.writesToStandardOutput {
                    print(report.line)
                }
                fflush(nil)
                progress.advance()
                addNext()
            }
        }
        progress.clear()
        return allSucceeded
    }
}

func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
