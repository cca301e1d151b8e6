internal import APICore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One request and its response, as a recording keeps them: readable, and without secrets.
public struct RecordedExchange: Sendable, Hashable, Codable {
    /// What was sent.
    public struct Request: Sendable, Hashable, Codable {
        /// The method.
        public var method: String
        /// The URL; the values of sensitive query items are replaced.
        public var url: String
        /// The header fields in order; the values of sensitive ones are replaced.
        public var headers: [Field]
        /// The body; the values of sensitive JSON and form fields are replaced. `nil` when there was none.
        public var body: Body?
    }

    /// What came back.
    public struct Response: Sendable, Hashable, Codable {
        /// The status.
        public var status: Int
        /// The header fields in order; the values of sensitive ones are replaced.
        public var headers: [Field]
        /// The body after content decoding; the values of sensitive JSON and form fields are replaced.
        public var body: Body?
    }

    /// A header field.
    public struct Field: Sendable, Hashable, Codable {
        /// The name as it was written.
        public var name: String
        /// The value.
        public var value: String
    }

    /// A body: text where it is UTF-8, else Base64.
    public struct Body: Sendable, Hashable, Codable {
        /// The bytes as text.
        public var text: String?
        /// The bytes in Base64.
        public var base64: String?

        /// Keeps bytes; `nil` when there are none.
        public init?(_ data: Data) {
            guard !data.isEmpty else { return nil }
            if let text = String(validating: data, as: UTF8.self) {
                self.text = text
            } else {
                base64 = data.base64EncodedString()
            }
        }

        /// The bytes; empty when the Base64 is damaged.
        public var data: Data {
            text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } ?? Data()
        }
    }

    /// What was sent.
    public var request: Request
    /// What came back.
    public var response: Response
}

/// A file of recorded exchanges.
struct Recording: Codable, Sendable {
    /// The format's version.
    var version = 1
    var exchanges: [RecordedExchange] = []
}

/// A recording cannot be read or written.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// Which file, and what is wrong.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
