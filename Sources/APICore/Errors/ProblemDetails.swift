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

    /// Makes a description.
    public init(
        type: String = "about:blank", status: Int? = nil, title: String? = nil, detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.status = status
        self.title = title
        self.detail = detail
        self.instance = instance
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
    private enum CodingKeys: String, CodingKey {
        case type, status, title, detail, instance
    }

    /// Reads the members; one whose type does not match is ignored, as section 3.1 asks.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value: Decodable>(_ key: CodingKeys, as type: Value.Type = Value.self) -> Value? {
            (try? container.decodeIfPresent(type, forKey: key)) ?? nil
        }
        self.init(
            type: member(.type) ?? "about:blank", status: member(.status), title: member(.title),
            detail: member(.detail), instance: member(.instance))
    }
}
