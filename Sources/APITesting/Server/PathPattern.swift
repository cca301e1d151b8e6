/// A pattern for request paths: literal segments, `:name` for one segment, `*` for any one, `**` at the end for the rest.
struct PathPattern: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
        case any
        case rest
    }

    let text: String
    private let segments: [Segment]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/").map { part in
            switch part {
            case "*": .any
            case "**": .rest
            case _ where part.first == ":": .parameter(String(part.dropFirst()))
            default: .literal(part.percentDecoded)
            }
        }
    }

    /// The values of the parameters when the path matches, else `nil`. Slashes at the ends do not matter.
    func match(_ path: some StringProtocol) -> [String: String]? {
        let parts = path.split(separator: "/")
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment == .rest { return parameters }
            guard index < parts.count else { return nil }
            switch segment {
            case .literal(let text): guard parts[index].percentDecoded == text else { return nil }
            case .parameter(let name): parameters[name] = parts[index].percentDecoded
            case .any, .rest: break
            }
        }
        return parts.count == segments.count ? parameters : nil
    }
}
