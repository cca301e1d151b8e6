import JSONCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `bench decode`: typed decoding of JSON, by this package and by Foundation.
enum DecodeBenchmark: Subcommand {
    static let name = "decode"
    static let usage = """
        decode FILE [--iterations N] [--decoder fast|foundation] [--snake-case] [--type users|mixed|user]
          decode --generate users|mixed|user FILE [--snake-case]
          decode --compare [--iterations N]
        """

    static func run(_ arguments: Arguments) async throws {
        var arguments = arguments
        let snakeCase = arguments.flag("snake-case")
        let iterations = try arguments.number("iterations")
        if arguments.flag("compare") {
            try arguments.finish()
            try DecodeComparison(iterations: iterations ?? 15).run()
            return
        }
        if let name = try arguments.value("generate") {
            guard let document = DecodeDocument(rawValue: name), let file = arguments.next() else {
                throw Arguments.UsageError(description: "--generate needs users, mixed or user, and a file")
            }
            try arguments.finish()
            try document.data(snakeCase: snakeCase).write(to: URL(fileURLWithPath: file))
            return
        }
        let decoder = try DecoderChoice(name: try arguments.value("decoder") ?? "fast", snakeCase: snakeCase)
        let type = try arguments.value("type")
        guard let file = arguments.next() else { throw Arguments.UsageError(description: usage) }
        try arguments.finish()
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let document = try type.map(document(named:)) ?? guessDocument(data)
        let seconds = try measure(document, data, decoder, iterations: iterations ?? 100)
        let median = seconds.sorted()[seconds.count / 2]
        print(
            """
            {"document":"\(document.rawValue)","decoder":"\(decoder.name)","snake_case":\(snakeCase),\
            "bytes":\(data.count),"iterations":\(seconds.count),"seconds_median":\(median),\
            "megabytes_per_second":\(Double(data.count) / 1e6 / median)}
            """)
    }

    private static func document(named name: String) throws -> DecodeDocument {
        guard let document = DecodeDocument(rawValue: name) else {
            throw Arguments.UsageError(description: "--type needs users, mixed or user")
        }
        return document
    }

    /// Tells the built-in documents apart by what they start with.
    private static func guessDocument(_ data: Data) -> DecodeDocument {
        if data.first == UInt8(ascii: "{") { return .user }
        let head = String(decoding: data.prefix(4000), as: UTF8.self)
        return head.contains("username") ? .users : .mixed
    }

    /// Decodes a document again and again, after a few rounds that are not counted.
    static func measure(
        _ document: DecodeDocument, _ data: Data, _ decoder: DecoderChoice, iterations: Int
    ) throws -> [Double] {
        for _ in 0..<3 { try decode(document, data, decoder) }
        return try (0..<iterations).map { _ in try time { try decode(document, data, decoder) } }
    }

    /// Seconds that `body` takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let duration = try clock.measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    static func decode(_ document: DecodeDocument, _ data: Data, _ decoder: DecoderChoice) throws {
        switch document {
        case .users: guard try decoder.decode([User].self, data).count > 0 else { throw EmptyResult() }
        case .mixed: guard try decoder.decode([Record].self, data).count > 0 else { throw EmptyResult() }
        case .user: guard try decoder.decode(User.self, data).id > 0 else { throw EmptyResult() }
        }
    }

    struct EmptyResult: Error {}
}

/// One of the decoders that are compared, set up once as a client would.
enum DecoderChoice {
    case fast(FastJSONDecoder)
    case foundation(JSONDecoder)

    init(name: String, snakeCase: Bool) throws {
        switch name {
        case "fast":
            var decoder = snakeCase ? FastJSONDecoder.snakeCaseConverting : FastJSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            self = .fast(decoder)
        case "foundation":
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            if snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            self = .foundation(decoder)
        default:
            throw Arguments.UsageError(description: "--decoder needs fast or foundation")
        }
    }

    var name: String {
        switch self {
        case .fast: "fast"
        case .foundation: "foundation"
        }
    }

    func decode<T: Decodable>(_ type: T.Type, _ data: Data) throws -> T {
        switch self {
        case .fast(let decoder): try decoder.decode(type, from: data)
        case .foundation(let decoder): try decoder.decode(type, from: data)
        }
    }
}
