#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `bench decode --compare`: both decoders over all documents, turn by turn so that both see the same machine.
struct DecodeComparison {
    let iterations: Int

    func run() throws {
        print(BenchTable.row("document", "bytes", "foundation MB/s", "fast MB/s", "ratio"))
        for document in DecodeDocument.allCases {
            for snakeCase in [false, true] {
                try compare(document, snakeCase: snakeCase)
            }
        }
    }

    private func compare(_ document: DecodeDocument, snakeCase: Bool) throws {
        let data = try document.data(snakeCase: snakeCase)
        let fast = try DecoderChoice(name: "fast", snakeCase: snakeCase)
        let foundation = try DecoderChoice(name: "foundation", snakeCase: snakeCase)
        try check(document, data, fast, foundation)
        // A small document is decoded many times per measurement, to be well above the clock's resolution.
        let repeats = max(1, 400_000 / data.count)
        var fastSeconds: [Double] = []
        var foundationSeconds: [Double] = []
        for round in 0..<iterations + 2 {
            let slow = try seconds(document, data, foundation, repeats)
            let quick = try seconds(document, data, fast, repeats)
            if round < 2 { continue }
            foundationSeconds.append(slow)
            fastSeconds.append(quick)
        }
        BenchTable.printComparison(
            document.rawValue + (snakeCase ? " snake_case" : ""), bytes: data.count, foundation: foundationSeconds,
            fast: fastSeconds)
    }

    /// Measuring makes sense only if both find the same.
    private func check(
        _ document: DecodeDocument, _ data: Data, _ fast: DecoderChoice, _ foundation: DecoderChoice
    ) throws {
        func equal<T: Decodable & Equatable>(_ type: T.Type) throws -> Bool {
            try fast.decode(type, data) == foundation.decode(type, data)
        }
        let isEqual =
            switch document {
            case .users: try equal([User].self)
            case .mixed: try equal([Record].self)
            case .user: try equal(User.self)
            }
        if !isEqual { throw Arguments.UsageError(description: "the decoders disagree on \(document.rawValue)") }
    }

    private func seconds(
        _ document: DecodeDocument, _ data: Data, _ decoder: DecoderChoice, _ repeats: Int
    ) throws -> Double {
        let total = try DecodeBenchmark.time {
            for _ in 0..<repeats { try DecodeBenchmark.decode(document, data, decoder) }
        }
        return total / Double(repeats)
    }
}
