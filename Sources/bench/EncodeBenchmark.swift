import JSONCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `bench encode`: both encoders over the values of the built-in documents, turn by turn so that both see the same machine.
enum EncodeBenchmark: Subcommand {
    static let name = "encode"
    static let usage = "encode [--iterations N]"

    static func run(_ arguments: Arguments) async throws {
        var arguments = arguments
        let iterations = try arguments.number("iterations") ?? 15
        try arguments.finish()
        print(BenchTable.row("values", "bytes", "foundation MB/s", "fast MB/s", "ratio"))
        for snakeCase in [false, true] {
            let decoder = try DecoderChoice(name: "foundation", snakeCase: snakeCase)
            func load<T: Codable>(_ type: T.Type, _ document: DecodeDocument) throws -> T {
                try decoder.decode(type, document.data(snakeCase: snakeCase))
            }
            try compare("users", load([User].self, .users), iterations, snakeCase)
            try compare("mixed", load([Record].self, .mixed), iterations, snakeCase)
            try compare("user", load(User.self, .user), iterations, snakeCase)
        }
    }

    private static func compare<T: Codable & Equatable>(
        _ name: String, _ value: T, _ iterations: Int, _ snakeCase: Bool
    ) throws {
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        if snakeCase { foundation.keyEncodingStrategy = .convertToSnakeCase }
        var fast = snakeCase ? FastJSONEncoder.snakeCaseConverting : FastJSONEncoder()
        fast.dateEncodingStrategy = .iso8601
        let text = try fast.encode(value)
        let decoder = try DecoderChoice(name: "foundation", snakeCase: snakeCase)
        guard try decoder.decode(T.self, text) == value else {
            throw Arguments.UsageError(description: "the text of \(name) is not the value")
        }
        let repeats = max(1, 400_000 / text.count)
        var slow: [Double] = []
        var quick: [Double] = []
        for round in 0..<iterations + 2 {
            let first = try DecodeBenchmark.time { for _ in 0..<repeats { _ = try foundation.encode(value) } }
            let second = try DecodeBenchmark.time { for _ in 0..<repeats { _ = try fast.encode(value) } }
            if round < 2 { continue }
            slow.append(first / Double(repeats))
            quick.append(second / Double(repeats))
        }
        BenchTable.printComparison(
            name + (snakeCase ? " snake_case" : ""), bytes: text.count, foundation: slow, fast: quick)
    }
}
