/// A link from a `Link` header field (RFC 8288).
///
/// ```swift
/// let links = WebLink.links(in: response.headers)
/// links.first { $0.hasRelation("next") }?.target
/// ```
public struct WebLink: Sendable, Hashable {
    /// The target as it stands there: often a reference relative to the response's URL.
    public var target: String
    /// The relation types, those registered in lower case (section 2.1.1).
    public var relations: [String]
    /// The other parameters in order; names in lower case, `title*` and the like decoded (RFC 8187).
    public var parameters: [Parameter]

    /// A parameter of a link.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public var name: String
        /// The value, without quotes and escapes.
        public var value: String

        /// Makes a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a link.
    public init(target: String, relations: [String], parameters: [Parameter] = []) {
        self.target = target
        self.relations = relations
        self.parameters = parameters
    }

    /// The first parameter of that name, compared without case.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// Whether the link has that relation, compared without case.
    public func hasRelation(_ relation: String) -> Bool {
        relations.contains { $0.equalsIgnoringASCIICase(relation) }
    }

    /// The links of a response, in order.
    public static func links(in headers: HTTPHeaders) -> [WebLink] {
        headers.values(for: .link).flatMap { links(in: $0) }
    }

    /// The links of a field value, in order. What is malformed is left out, as appendix B.2 says.
    public static func links(in value: String) -> [WebLink] {
        var parser = LinkHeaderParser(Array(value.utf8))
        return parser.links()
    }
}
