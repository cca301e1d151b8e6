internal import JSONCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension APIEnvironment {
    /// Loads an environment by name: `Configuration/<name>.json` with environment variables laid over it.
    ///
    /// ```json
    /// {
    ///   "baseURL": "https://sandbox.example.com/v1",
    ///   "headers": { "Authorization": "Bearer ${API_TOKEN}", "X-Client": "billing" },
    ///   "timeouts": { "connect": 5, "idle": "30s", "attempt": "10s", "overall": "2m" },
    ///   "retry": { "maximumAttempts": 4, "baseDelay": "100ms", "maximumDelay": "5s", "maximumRetryAfter": "1m" },
    ///   "rateLimit": { "requestsPerSecond": 50, "burst": 10, "perOrigin": true, "maximumWait": "5s" },
    ///   "concurrency": { "total": 100, "perOrigin": 20 },
    ///   "circuitBreaker": { "failureRatio": 0.5, "minimumRequests": 20, "window": "10s", "openDuration": "15s" },
    ///   "log": { "level": "basic", "bodyLimit": 1024 },
    ///   "settings": { "pageSize": 50 }
    /// }
    /// ```
    ///
    /// `false` in the place of a section turns it off. The sections from `retry` to `log`, and `timeouts.attempt`, take
    /// effect in a client whose interceptors are made by `[any Interceptor].standard(for:)`.
    ///
    /// `${NAME}` in a text is replaced by the environment variable, `${NAME:-default}` by the default when it is not
    /// set or empty; such values count as secrets and are never shown. Over the file go these variables, where they
    /// are set: `API_BASE_URL`, `API_TIMEOUT_CONNECT`, `API_TIMEOUT_IDLE`, `API_TIMEOUT_OVERALL`, `API_TIMEOUT_ATTEMPT`, `API_LOG_LEVEL`, and
    /// `API_HEADER_X_CLIENT` for the header `X-Client`.
    ///
    /// - Parameters:
    ///   - name: The name of the file without its extension; `nil` takes the variable `API_ENVIRONMENT`, or
    ///     `Production`.
    ///   - directory: Where the file is; `nil` takes the variable `API_CONFIGURATION_DIRECTORY`, or `Configuration`
    ///     in the working directory.
    ///   - variables: The environment variables; the process's own by default.
    /// - Throws: ``ConfigurationError`` that names file and key.
    public static func load(
        _ name: String? = nil, directory: String? = nil,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> APIEnvironment {
        let name = name ?? variables["API_ENVIRONMENT"] ?? "Production"
        let directory = directory ?? variables["API_CONFIGURATION_DIRECTORY"] ?? "Configuration"
        guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0) else {
            throw ConfigurationError(file: nil, key: "API_ENVIRONMENT", .fileNotFound(searched: ["\(directory)/"]))
        }
        return try load(file: "\(directory)/\(name).json", name: name, variables: variables)
    }

    /// Loads an environment from a file, with environment variables laid over it.
    ///
    /// - Throws: ``ConfigurationError`` that names file and key.
    public static func load(
        file: String, name: String? = nil, variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> APIEnvironment {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch {
            guard FileManager.default.fileExists(atPath: file) else {
                throw ConfigurationError(file: file, key: nil, .fileNotFound(searched: [file]))
            }
            throw ConfigurationError(file: file, key: nil, .unreadableFile("it is a folder or not readable"))
        }
        return try load(json: data, file: file, name: name, variables: variables)
    }

    /// Reads an environment from JSON, with environment variables laid over it.
    ///
    /// - Parameters:
    ///   - json: The content of the file.
    ///   - file: What errors call it.
    ///   - name: The environment's name, if the content has none.
    ///   - variables: The environment variables.
    public static func load(
        json: Data, file: String = "configuration", name: String? = nil, variables: [String: String]
    ) throws(ConfigurationError) -> APIEnvironment {
        let root: JSONValue
        do {
            root = try DefaultCoders.plainDecoder.decode(JSONValue.self, from: json)
        } catch {
            throw ConfigurationError(file: file, key: nil, .malformedJSON(describe(error)))
        }
        var reader = ConfigurationReader(file: file, variables: variables)
        return try reader.environment(root, name: name)
    }

    private static func describe(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
        return context.debugDescription + (context.underlyingError.map { ": \($0)" } ?? "")
    }
}
