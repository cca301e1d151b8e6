public import JSONCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A machine-readable description of an error (RFC 9457).
public struct ProblemDetails: Sendable, Hashable {
    /// A URI reference that names the kind of problem; `about:blank` when absent (section 3.1.1).
    public var type: String
    /// The status as the origin generated it (section 3.1.2).
    public var status: Int?
    /// A short summary of the kind of problem (section 3.1.3).
    public var title: String?
    /// What happened this time (section 3.1.4).
    public var detail: String?
    /// A URI reference that names this occurrence (section 3.1.5).
    public var instance: String?
    /// The members of the problem type's own (section 3.2).
    public var extensions: JSONObject

    /// Makes a description.
    public init(
        type: String = "about:blank", status: Int? = nil, title: String? = nil, detail: String? = nil,
        instance: String? = nil, extensions: JSONObject = JSONObject()
    ) {
        self.type = type
        self.status = status
        self.title = title
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Reads the details from an answer whose media type is `application/problem+json`; else `nil`.
    public init?(head: ResponseHead, body: Data) {
        guard let value = head.headers[.contentType], MediaType(value)?.essence == "application/problem+json",
            let details = try? DefaultCoders.plainDecoder.decode(ProblemDetails.self, from: body)
        else { return nil }
        self = details
    }
}

extension ProblemDetails: Codable {
    /// Reads the members; one whose type does not match is ignored, as section 3.1 asks.
    public init(from decoder: any Decoder) throws {
        var members = try JSONObject(from: decoder)
        func take(_ name: String) -> JSONValue? {
            defer { members[name] = nil }
            return members[name]
        }
        self.init(
            type: take("type")?.stringValue ?? "about:blank", status: take("status")?.intValue,
            title: take("title")?.stringValue, detail: take("detail")?.stringValue,
            instance: take("instance")?.stringValue)
        extensions = members
    }

    /// Writes the members that are there, the extensions behind them.
    public func encode(to encoder: any Encoder) throws {
        var members: JSONObject = ["type": .string(type)]
        members["title"] = title.map { .string($0) }
        members["status"] = status.map { .number($0) }
        members["detail"] = detail.map { .string($0) }
        members["instance"] = instance.map { .string($0) }
        for (name, value) in extensions where members[name] == nil { members[name] = value }
        try members.encode(to: encoder)
    }
}
