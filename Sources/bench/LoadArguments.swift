/// The arguments of `bench get` and `bench baseline`.
struct LoadArguments {
    var url = ""
    var requests = 20_000
    var concurrency = 64
    var isHTTP2 = false
    var isInsecure = false
    var transport = "curl"
    var decode = "none"
    var decoder = "fast"
    var connections: Int?
    var isStreamed = false
    var usesExecutor = false

    /// `nil`, with the reason, for arguments that make no sense.
    static func parse(_ arguments: [String]) -> (LoadArguments?, String) {
        var result = LoadArguments()
        var rest = arguments[...]
        func number(_ name: String) -> Int? { rest.popFirst().flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
        while let argument = rest.popFirst() {
            switch argument {
            case "--requests":
                guard let value = number(argument) else { return (nil, "\(argument) needs a number") }
                result.requests = value
            case "--concurrency":
                guard let value = number(argument) else { return (nil, "\(argument) needs a number") }
                result.concurrency = value
            case "--connections":
                guard let value = number(argument) else { return (nil, "\(argument) needs a number") }
                result.connections = value
            case "--http2": result.isHTTP2 = true
            case "--insecure": result.isInsecure = true
            case "--stream": result.isStreamed = true
            case "--executor": result.usesExecutor = true
            case "--transport": result.transport = rest.popFirst() ?? ""
            case "--decode": result.decode = rest.popFirst() ?? ""
            case "--decoder": result.decoder = rest.popFirst() ?? ""
            default:
                guard !argument.hasPrefix("-"), result.url.isEmpty else { return (nil, "unknown argument \(argument)") }
                result.url = argument
            }
        }
        return result.url.isEmpty ? (nil, "the URL is missing") : (result, "")
    }
}
