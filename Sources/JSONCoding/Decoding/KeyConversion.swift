/// How names in the text become the string values of keys.
enum KeyConversion {
    case none
    case snakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)

    init(_ strategy: FastJSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .none
        case .convertFromSnakeCase: self = .snakeCase
        case .custom(let convert): self = .custom(convert)
        }
    }

    /// Whether the key depends on the name alone, so that conversions can be remembered.
    var isPure: Bool {
        if case .custom = self { return false }
        return true
    }

    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// The string value of the key for a name. `path` is evaluated for custom conversions only.
    func key(for name: String, path: @autoclosure () -> [any CodingKey]) -> String {
        switch self {
        case .none: name
        case .snakeCase: SnakeCase.camelCase(from: name)
        case .custom(let convert): convert(path() + [JSONKey(name)]).stringValue
        }
    }
}

/// A key for coding paths: a name, or the index of an array's element.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String, intValue: Int? = nil) {
        stringValue = name
        self.intValue = intValue
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    static let `super` = JSONKey("super")
}
