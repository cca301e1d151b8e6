public import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request as a ``StubServer`` received it, byte for byte.
///
/// ```swift
/// let request = try await server.waitForRequests(1)[0]
/// #expect(request.method == .post)
/// #expect(request.headers[.contentType] == "application/json")
/// #expect(request.text == #"{"name":"Ann"}"#)
/// ```
public struct RecordedRequest: Sendable {
    /// Its place in the order in which request heads arrived, from 0.
    public internal(set) var index: Int
    /// Which connection it came over, from 1, in the order in which they were accepted.
    public let connection: Int
    /// The method.
    public let method: HTTPMethod
    /// The request target as it came: normally path and query.
    public let target: String
    /// The version in the request line.
    public let version: HTTPVersion
    /// The header fields in their order, spelling kept.
    public let headers: HTTPHeaders
    /// Request line and header fields as they came, the empty line at the end included.
    public let rawHead: Data
    /// The body without its framing, up to ``StubServer/Options/recordedBodyLimit``.
    public var body: Data { decodedBody ?? rawBody }
    /// The body without its framing, where it had one.
    var decodedBody: Data?
    /// The body as it came, chunk framing included, up to ``StubServer/Options/recordedBodyLimit``.
    public internal(set) var rawBody = Data()
    /// How many bytes of body there were, whether or not they were kept.
    public internal(set) var bodyLength = 0
    /// The trailer fields of a chunked body.
    public internal(set) var trailers: HTTPHeaders = [:]
    /// The values of the path pattern's parameters, percent-decoded: of `/users/:id` the value for `id`.
    public internal(set) var parameters: [String: String] = [:]
    /// Whether the whole request has arrived. `false` for one whose connection ended within its body, and for one
    /// that was answered before its body.
    public internal(set) var isComplete = false

    /// Everything as it came.
    public var rawBytes: Data { rawHead + rawBody }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The target's path as it came: without its query, and without scheme and host where it has them.
    public var path: String {
        // A proxy gets the absolute form (RFC 9112 section 3.2.2).
        let target = target.withoutOrigin
        return String(target.prefix { $0 != "?" })
    }

    /// The target's query without its question mark, as it came.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The items of the query, percent-decoded, in their order; `+` stands for a space.
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (pair[0].formDecoded, pair.count > 1 ? pair[1].formDecoded : "")
        }
    }

    /// The first value of a query item, percent-decoded.
    public func queryItem(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// Decodes the body as JSON, its keys as they are unless another decoder is given.
    ///
    /// - Throws: The decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: any DataDecoder = DefaultCoders.plainDecoder
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// Method, target and connection.
    public var description: String {
        "#\(index) \(method) \(target) (connection \(connection), \(bodyLength) bytes of body)"
    }
}

extension StringProtocol {
    /// A request target in absolute form without scheme and authority; any other as it is.
    fileprivate var withoutOrigin: SubSequence {
        guard !hasPrefix("/"), let authority = firstRange(of: "://")?.upperBound else { return self[...] }
        guard let path = self[authority...].firstIndex(of: "/") else { return self[endIndex...] }
        return self[path...]
    }

    /// The text with its percent-escapes decoded as UTF-8; what is no escape stays.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text decoded as the WHATWG URL standard decodes forms.
    var formDecoded: String {
        String(map { $0 == "+" ? " " : $0 }).percentDecoded
    }
}
