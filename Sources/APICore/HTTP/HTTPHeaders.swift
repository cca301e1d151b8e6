/// Header fields in the order they were added or received; repeated fields stay apart (RFC 9110 section 5.3).
///
/// Names compare without case. The subscript reads and replaces; ``append(_:for:)`` adds another field of the name.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json"]
/// headers[.userAgent] = "billing/2.1"
/// headers.append("a=1", for: "X-Tag")
/// headers.append("b=2", for: "X-Tag")
/// headers.values(for: "x-tag")          // ["a=1", "b=2"]
/// headers[joined: "X-Tag"]              // "a=1, b=2"
/// ```
public struct HTTPHeaders: Sendable, Hashable {
    /// The fields in order.
    public private(set) var fields: [HTTPHeader]

    /// No fields.
    public init() {
        fields = []
    }

    /// The given fields, in their order; repeated names stay apart.
    public init(_ fields: some Sequence<HTTPHeader>) {
        self.fields = Array(fields)
    }

    /// The fields of a dictionary, in the alphabetical order of their names, so that what is sent is predictable.
    public init(_ dictionary: [HTTPHeaderKey: String]) {
        fields = dictionary.map { HTTPHeader(name: $0.key, value: $0.value) }
            .sorted { $0.name.rawValue.lowercased() < $1.name.rawValue.lowercased() }
    }

    /// The fields of a dictionary, in the alphabetical order of their names, so that what is sent is predictable.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.map { HTTPHeader(name: HTTPHeaderKey($0.key), value: $0.value) }
            .sorted { $0.name.rawValue.lowercased() < $1.name.rawValue.lowercased() }
    }

    /// Whether there is no field.
    public var isEmpty: Bool { fields.isEmpty }

    /// The number of fields, repeated ones counted each.
    public var count: Int { fields.count }

    /// The value of the first field of that name. Setting replaces every field of the name, in the first one's
    /// place; `nil` removes them.
    public subscript(key: HTTPHeaderKey) -> String? {
        get { fields.first { $0.name == key }?.value }
        set {
            guard let newValue else { return remove(key) }
            guard let index = fields.firstIndex(where: { $0.name == key }) else {
                fields.append(HTTPHeader(name: key, value: newValue))
                return
            }
            fields[index] = HTTPHeader(name: key, value: newValue)
            // Most names stand once: look before paying for a second pass.
            if fields[(index + 1)...].contains(where: { $0.name == key }) {
                var seen = false
                fields.removeAll { field in
                    guard field.name == key else { return false }
                    defer { seen = true }
                    return seen
                }
            }
        }
    }

    /// All values of the name joined with `", "` (RFC 9110 section 5.3), or `nil` when there is none.
    ///
    /// Not for `Set-Cookie`, whose values may hold commas: use ``values(for:)``.
    public subscript(joined key: HTTPHeaderKey) -> String? {
        var result: String?
        for field in fields where field.name == key {
            if result == nil { result = field.value } else { result? += ", " + field.value }
        }
        return result
    }

    /// Every value of that name, in order.
    public func values(for key: HTTPHeaderKey) -> [String] {
        fields.compactMap { $0.name == key ? $0.value : nil }
    }

    /// The members of a comma-separated list field over all its lines, trimmed, empty ones dropped
    /// (RFC 9110 section 5.6.1). Commas inside quoted strings do not separate.
    public func list(for key: HTTPHeaderKey) -> [String] {
        values(for: key).flatMap { $0.splitHTTPList() }
    }

    /// Whether there is a field of that name.
    public func contains(_ key: HTTPHeaderKey) -> Bool {
        fields.contains { $0.name == key }
    }

    /// Adds a field after the others, whether or not the name is there already.
    public mutating func append(_ value: String, for key: HTTPHeaderKey) {
        fields.append(HTTPHeader(name: key, value: value))
    }

    /// Adds a field after the others, whether or not the name is there already.
    public mutating func append(_ header: HTTPHeader) {
        fields.append(header)
    }

    /// Removes every field of that name.
    public mutating func remove(_ key: HTTPHeaderKey) {
        fields.removeAll { $0.name == key }
    }

    /// Keeps room for that many fields.
    public mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Lays other headers over these: each name in `other` replaces the fields of that name here, and brings all of
    /// its own.
    public mutating func merge(_ other: HTTPHeaders) {
        guard !other.isEmpty else { return }
        guard !isEmpty else { return self = other }
        fields.removeAll { field in other.contains(field.name) }
        fields.append(contentsOf: other.fields)
    }

    /// These headers with others laid over them, as ``merge(_:)`` does.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var result = self
        result.merge(other)
        return result
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// The pairs in the order they are written; a name may be repeated.
    public init(dictionaryLiteral elements: (HTTPHeaderKey, String)...) {
        fields = elements.map { HTTPHeader(name: $0.0, value: $0.1) }
    }

    /// The fields in the order they are written: `[.accept("text/plain"), .defaultUserAgent]`.
    public init(arrayLiteral elements: HTTPHeader...) {
        fields = elements
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One field a line, the values of credentials replaced by `<redacted>`.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}

extension StringProtocol {
    /// The members of one list field line (RFC 9110 section 5.6.1), respecting quoted strings.
    func splitHTTPList(separator: UInt8 = UInt8(ascii: ",")) -> [String] {
        var members: [String] = []
        var start = utf8.startIndex
        var index = start
        var quoted = false
        func take(_ end: Index) {
            let member = self[start..<end].trimmingOWS
            if !member.isEmpty { members.append(String(member)) }
        }
        while index < utf8.endIndex {
            let byte = utf8[index]
            if quoted, byte == UInt8(ascii: "\\") {
                index = utf8.index(after: index)
                if index == utf8.endIndex { break }
            } else if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == separator, !quoted {
                take(index)
                start = utf8.index(after: index)
            }
            index = utf8.index(after: index)
        }
        take(utf8.endIndex)
        return members
    }
}
