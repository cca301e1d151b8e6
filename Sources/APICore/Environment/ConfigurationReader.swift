internal import JSONCoding

/// Reads an environment out of a parsed file and the variables: a pure function of both.
struct ConfigurationReader {
    let file: String
    let variables: [String: String]
    private var secretNames: Set<String> = []

    private static let keys = ["name", "baseURL", "headers", "timeouts", "settings"] + resilienceKeys
    private static let timeoutKeys = ["connect", "idle", "overall", "attempt"]
    private static let headerPrefix = "API_HEADER_"

    init(file: String, variables: [String: String]) {
        self.file = file
        self.variables = variables
    }

    mutating func environment(
        _ root: JSONValue, name: String?
    ) throws(ConfigurationError) -> APIEnvironment {
        let members = try object(root, key: nil)
        try refuseUnknown(members, known: ConfigurationReader.keys, in: nil)
        var resilience = try resilience(members)
        let (timeouts, attemptTimeout) = try timeouts(members["timeouts"])
        resilience.attemptTimeout = attemptTimeout
        var environment = APIEnvironment(
            name: try members["name"].map { (value) throws(ConfigurationError) in try text(value, key: "name") } ?? name
                ?? "default",
            baseURL: try baseURL(members["baseURL"]),
            headers: try headers(members["headers"]),
            timeouts: timeouts.over(.standard),
            settings: try settings(members["settings"]))
        environment.resilience = resilience
        environment.log = try log(members)
        environment.secretNames = secretNames
        return environment
    }

    private mutating func baseURL(_ value: JSONValue?) throws(ConfigurationError) -> RequestURL {
        let fromVariable = variables["API_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
        let source = fromVariable == nil ? file : nil
        let key = fromVariable == nil ? "baseURL" : "API_BASE_URL"
        var url = fromVariable
        if url == nil, let value { url = try text(value, key: "baseURL") }
        guard let url else { throw ConfigurationError(file: file, key: "baseURL", .missingKey) }
        do {
            return try RequestURL(url)
        } catch {
            throw ConfigurationError(file: source, key: key, .invalidURL(error.reason))
        }
    }

    private mutating func headers(_ value: JSONValue?) throws(ConfigurationError) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if let value {
            for (name, value) in try object(value, key: "headers") {
                let key = "headers.\(name)"
                headers[HTTPHeaderKey(name)] = try text(value, key: key, secretName: name)
                try check(HTTPHeaderKey(name), headers[HTTPHeaderKey(name)] ?? "", file: file, key: key)
            }
        }
        for (variable, value) in variables.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix(ConfigurationReader.headerPrefix) {
            let name = ConfigurationReader.headerName(variable.dropFirst(ConfigurationReader.headerPrefix.count))
            try check(name, value, file: nil, key: variable)
            // The file's spelling is the one people know.
            let spelling = headers.first { $0.name == name }?.name ?? name
            headers[spelling] = value
            secretNames.insert(name.rawValue.lowercased())
        }
        return headers
    }

    private func check(
        _ name: HTTPHeaderKey, _ value: String, file: String?, key: String
    ) throws(ConfigurationError) {
        guard name.isValid, value.isHTTPFieldValue else {
            throw ConfigurationError(file: file, key: key, .invalidHeader)
        }
    }

    /// `X_API_KEY` to `X-Api-Key`.
    private static func headerName(_ variable: Substring) -> HTTPHeaderKey {
        HTTPHeaderKey(
            variable.split(separator: "_", omittingEmptySubsequences: false)
                .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: "-"))
    }

    private mutating func timeouts(
        _ value: JSONValue?
    ) throws(ConfigurationError) -> (timeouts: Timeouts, attempt: Duration?) {
        var values: [String: Duration] = [:]
        if let value {
            let members = try object(value, key: "timeouts")
            try refuseUnknown(members, known: ConfigurationReader.timeoutKeys, in: "timeouts")
            for (name, value) in members {
                values[name] = try duration(value, key: "timeouts.\(name)")
            }
        }
        for name in ConfigurationReader.timeoutKeys {
            let variable = "API_TIMEOUT_\(name.uppercased())"
            guard let text = variables[variable], !text.isEmpty else { continue }
            guard let duration = ConfigurationReader.duration(from: text) else {
                throw ConfigurationError(file: nil, key: variable, .invalidDuration)
            }
            values[name] = duration
        }
        let timeouts = Timeouts(connect: values["connect"], idle: values["idle"], overall: values["overall"])
        return (timeouts, values["attempt"])
    }

    mutating func duration(_ value: JSONValue, key: String) throws(ConfigurationError) -> Duration {
        let duration: Duration?
        switch value {
        case .number(let seconds): duration = ConfigurationReader.duration(seconds: seconds.double)
        case .string: duration = ConfigurationReader.duration(from: try text(value, key: key))
        default:
            throw ConfigurationError(file: file, key: key, .wrongType(expected: "a duration", found: value.kind))
        }
        guard let duration else { throw ConfigurationError(file: file, key: key, .invalidDuration) }
        return duration
    }

    /// Positive, and short enough that a deadline can be computed: a century is plenty.
    static func duration(seconds: Double) -> Duration? {
        guard seconds > 0, seconds <= 3_155_760_000 else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    /// `250ms`, `30s`, `2m`, `1h`, or a number of seconds.
    static func duration(from text: String) -> Duration? {
        for (suffix, factor) in [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)] where text.hasSuffix(suffix) {
            return Double(text.dropLast(suffix.count)).flatMap { duration(seconds: $0 * factor) }
        }
        return Double(text).flatMap { duration(seconds: $0) }
    }

    private mutating func settings(_ value: JSONValue?) throws(ConfigurationError) -> JSONObject {
        guard let value else { return JSONObject() }
        return try expand(try object(value, key: "settings"), key: "settings")
    }

    private mutating func expand(_ members: JSONObject, key: String) throws(ConfigurationError) -> JSONObject {
        var result = JSONObject()
        for (name, value) in members { result[name] = try expand(value, key: "\(key).\(name)") }
        return result
    }

    private mutating func expand(
        _ value: JSONValue, key: String
    ) throws(ConfigurationError) -> JSONValue {
        switch value {
        case .string: return .string(try text(value, key: key))
        case .object(let members): return .object(try expand(members, key: key))
        case .array(let values):
            var result: [JSONValue] = []
            for (index, value) in values.enumerated() { result.append(try expand(value, key: "\(key)[\(index)]")) }
            return .array(result)
        case .null, .bool, .number: return value
        }
    }

    func object(
        _ value: JSONValue, key: String?
    ) throws(ConfigurationError) -> JSONObject {
        guard case .object(let members) = value else {
            throw ConfigurationError(file: file, key: key, .wrongType(expected: "an object", found: value.kind))
        }
        return members
    }

    private func refuseUnknown(
        _ members: JSONObject, known: [String], in parent: String?
    ) throws(ConfigurationError) {
        for name in members.names where !known.contains(name) {
            let key = parent.map { "\($0).\(name)" } ?? name
            throw ConfigurationError(file: file, key: key, .unknownKey(known: known))
        }
    }

    /// A text with its `${NAME}` and `${NAME:-default}` replaced. A replaced one is a secret under `secretName`.
    mutating func text(
        _ value: JSONValue, key: String, secretName: String? = nil
    ) throws(ConfigurationError) -> String {
        guard case .string(let text) = value else {
            throw ConfigurationError(file: file, key: key, .wrongType(expected: "a string", found: value.kind))
        }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "${") {
            guard let close = rest[open.upperBound...].firstIndex(of: "}") else {
                throw ConfigurationError(file: file, key: key, .unterminatedVariable)
            }
            let expression = rest[open.upperBound..<close]
            let separator = expression.firstRange(of: ":-")
            let name = String(expression[..<(separator?.lowerBound ?? expression.endIndex)])
            let set = variables[name].flatMap { $0.isEmpty ? nil : $0 }
            guard let replacement = set ?? separator.map({ String(expression[$0.upperBound...]) }) else {
                throw ConfigurationError(file: file, key: key, .missingVariable(name))
            }
            if let secretName { secretNames.insert(secretName.lowercased()) }
            result += rest[..<open.lowerBound] + replacement
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension JSONValue {
    /// What kind of value it is, for error messages: the value itself may be secret.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
