public import JSONCoding

/// Where an API is and what every request to it has in common: production, sandbox, a developer's machine.
///
/// ```swift
/// let sandbox = try APIEnvironment.load("Sandbox")               // Configuration/Sandbox.json and variables
/// let local = try APIEnvironment(name: "local", baseURL: "http://127.0.0.1:8080/v1")
/// ```
///
/// Header values may be secrets: descriptions show the names of secret ones, never their values.
public struct APIEnvironment: Sendable {
    /// The name, for logs.
    public var name: String
    /// What the paths of requests are appended to.
    public var baseURL: RequestURL
    /// Header fields of every request to the base URL's origin.
    public var headers: HTTPHeaders
    /// Time limits.
    public var timeouts: Timeouts
    /// Values of the application's own, under `settings` in the file.
    public var settings: JSONObject
    /// The pipeline that `[any Interceptor].standard(for:)` makes: retries, limits, circuit breaker.
    public var resilience = StandardResilience()
    /// What that pipeline logs.
    public var log = LogSettings()
    /// The names of header fields and settings whose values came from `${VARIABLE}`s: never shown.
    var secretNames: Set<String>

    /// Makes an environment.
    public init(
        name: String = "default", baseURL: RequestURL, headers: HTTPHeaders = [:], timeouts: Timeouts = .standard,
        settings: JSONObject = [:]
    ) {
        self.name = name
        self.baseURL = baseURL
        self.headers = headers
        self.timeouts = timeouts
        self.settings = settings
        self.secretNames = []
    }

    /// Makes an environment from a URL as text.
    ///
    /// - Throws: ``InvalidRequest`` that says what is wrong with the URL.
    public init(
        name: String = "default", baseURL: String, headers: HTTPHeaders = [:], timeouts: Timeouts = .standard,
        settings: JSONObject = [:]
    ) throws(InvalidRequest) {
        self.init(
            name: name, baseURL: try RequestURL(baseURL), headers: headers, timeouts: timeouts, settings: settings)
    }
}

extension APIEnvironment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name, URL and the header fields, secret values replaced.
    public var description: String {
        let fields = headers.map { field in
            let secret =
                SensitiveNames.standard.containsHeader(field.name)
                || secretNames.contains(field.name.rawValue.lowercased())
            return "\(field.name): \(secret ? SensitiveNames.placeholder : field.value)"
        }
        return "\(name) (\(baseURL))" + (fields.isEmpty ? "" : " [" + fields.joined(separator: ", ") + "]")
    }

    /// The same as the description: a debugger's or a test's dump must not show secrets either.
    public var debugDescription: String { description }

    /// The description alone, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["environment": description]) }
}
