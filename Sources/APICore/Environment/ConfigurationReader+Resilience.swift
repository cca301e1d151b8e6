internal import JSONCoding

/// The sections `retry`, `rateLimit`, `concurrency`, `circuitBreaker` and `log`.
extension ConfigurationReader {
    static let resilienceKeys = ["retry", "rateLimit", "concurrency", "circuitBreaker", "log"]

    mutating func resilience(_ members: JSONObject) throws(ConfigurationError) -> StandardResilience {
        var result = StandardResilience()
        if var section = try section("retry", of: members) {
            var policy = RetryPolicy()
            policy.maximumAttempts = try section.integer("maximumAttempts", in: 1...100) ?? policy.maximumAttempts
            policy.baseDelay = try section.duration("baseDelay", &self) ?? policy.baseDelay
            policy.maximumDelay = try section.duration("maximumDelay", &self) ?? policy.maximumDelay
            policy.maximumRetryAfter = try section.duration("maximumRetryAfter", &self) ?? policy.maximumRetryAfter
            try section.end()
            result.retry = policy
        } else if members["retry"] != nil {
            result.retry = nil
        }
        if var section = try section("rateLimit", of: members) {
            guard let rate = try section.number("requestsPerSecond", in: 0.000_001...1_000_000_000) else {
                throw ConfigurationError(file: file, key: "rateLimit.requestsPerSecond", .missingKey)
            }
            result.rateLimit = RateLimit(
                requestsPerSecond: rate, burst: try section.integer("burst", in: 1...1_000_000_000) ?? 1,
                isPerOrigin: try section.bool("perOrigin") ?? false,
                maximumWait: try section.duration("maximumWait", &self))
            try section.end()
        }
        if var section = try section("concurrency", of: members) {
            result.concurrency = ConcurrencyLimit(
                total: try section.integer("total", in: 1...1_000_000_000),
                perOrigin: try section.integer("perOrigin", in: 1...1_000_000_000),
                maximumWait: try section.duration("maximumWait", &self))
            try section.end()
        }
        if var section = try section("circuitBreaker", of: members) {
            var limits = CircuitBreaker.Limits()
            limits.failureRatio = try section.number("failureRatio", in: 0.01...1) ?? limits.failureRatio
            limits.minimumRequests =
                try section.integer("minimumRequests", in: 1...1_000_000_000) ?? limits.minimumRequests
            limits.window = try section.duration("window", &self) ?? limits.window
            limits.openDuration = try section.duration("openDuration", &self) ?? limits.openDuration
            limits.probes = try section.integer("probes", in: 1...1_000_000) ?? limits.probes
            try section.end()
            result.circuitBreaker = limits
        } else if members["circuitBreaker"] != nil {
            result.circuitBreaker = nil
        }
        return result
    }

    /// The section `log`, with the variable `API_LOG_LEVEL` laid over it.
    mutating func log(_ members: JSONObject) throws(ConfigurationError) -> LogSettings {
        var settings = LogSettings()
        if var section = try section("log", of: members) {
            if let value = section.take("level") {
                settings.level = try level(try text(value, key: "log.level"), file: file, key: "log.level")
            }
            settings.bodyLimit = try section.integer("bodyLimit", in: 0...1_000_000_000) ?? settings.bodyLimit
            try section.end()
        } else if members["log"] != nil {
            settings.level = .off
        }
        if let text = variables["API_LOG_LEVEL"], !text.isEmpty {
            settings.level = try level(text, file: nil, key: "API_LOG_LEVEL")
        }
        return settings
    }

    private func level(_ text: String, file: String?, key: String) throws(ConfigurationError) -> LogLevel {
        guard let level = LogLevel(rawValue: text) else {
            let allowed = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(file: file, key: key, .notAllowed(allowed: "one of \(allowed)"))
        }
        return level
    }

    /// The section's members; `nil` when it is missing, or `false`, which turns it off.
    private func section(_ name: String, of members: JSONObject) throws(ConfigurationError) -> Section? {
        guard let value = members[name] else { return nil }
        if case .bool(false) = value { return nil }
        return Section(name: name, members: try object(value, key: name), file: file)
    }

    /// Members of a section that are taken one after the other; what is left over at the end is unknown.
    private struct Section {
        let name: String
        let members: JSONObject
        let file: String
        private var known: [String] = []

        init(name: String, members: JSONObject, file: String) {
            self.name = name
            self.members = members
            self.file = file
        }

        mutating func take(_ key: String) -> JSONValue? {
            known.append(key)
            return members[key]
        }

        mutating func number(
            _ key: String, in range: ClosedRange<Double>
        ) throws(ConfigurationError) -> Double? {
            guard let value = take(key) else { return nil }
            guard case .number(let number) = value else { throw wrongType(key, expected: "a number", value) }
            guard range.contains(number.double) else {
                throw error(key, .notAllowed(allowed: "from \(range.lowerBound) to \(range.upperBound)"))
            }
            return number.double
        }

        mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
            guard let value = take(key) else { return nil }
            guard case .number(let number) = value else { throw wrongType(key, expected: "a number", value) }
            guard let integer = Int(exactly: number.double), range.contains(integer) else {
                throw error(
                    key, .notAllowed(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"))
            }
            return integer
        }

        mutating func bool(_ key: String) throws(ConfigurationError) -> Bool? {
            guard let value = take(key) else { return nil }
            guard case .bool(let bool) = value else { throw wrongType(key, expected: "a truth value", value) }
            return bool
        }

        mutating func duration(
            _ key: String, _ reader: inout ConfigurationReader
        ) throws(ConfigurationError) -> Duration? {
            guard let value = take(key) else { return nil }
            return try reader.duration(value, key: "\(name).\(key)")
        }

        func end() throws(ConfigurationError) {
            for key in members.names where !known.contains(key) { throw error(key, .unknownKey(known: known)) }
        }

        private func wrongType(_ key: String, expected: String, _ value: JSONValue) -> ConfigurationError {
            error(key, .wrongType(expected: expected, found: value.kind))
        }

        private func error(_ key: String, _ problem: ConfigurationError.Problem) -> ConfigurationError {
            ConfigurationError(file: file, key: "\(name).\(key)", problem)
        }
    }
}
