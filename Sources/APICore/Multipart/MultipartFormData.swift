#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A form with files: `multipart/form-data` (RFC 7578), encoded as the WHATWG HTML standard says.
///
/// It is streamed: files are read while they are sent, and memory does not grow with them.
///
/// ```swift
/// struct UploadPhoto: Requestable {
///     let album: String, file: String
///     let method = HTTPMethod.post
///     var path: RequestPath { "albums/\(album)" }
///     var body: HTTPBody {
///         .multipart {
///             FormPart("title", "Holiday")
///             FormPart("photo", file: file, contentType: "image/jpeg")
///         }
///     }
/// }
/// ```
public struct MultipartFormData: Sendable {
    /// The parts in order.
    public var parts: [FormPart]
    /// What separates the parts.
    public let boundary: String

    /// Makes a form.
    ///
    /// - Parameters:
    ///   - parts: The parts in order.
    ///   - boundary: What separates the parts, a token of 1 to 70 characters (RFC 2046 section 5.1.1 allows a few more)
    ///     that occurs in no part; by default 128 random bits.
    public init(_ parts: [FormPart], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? Self.randomBoundary()
    }

    /// Makes a form from its parts.
    public init(boundary: String? = nil, @MultipartBuilder _ parts: () -> [FormPart]) {
        self.init(parts(), boundary: boundary)
    }

    /// The value for `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The form as a body. Its length is known when every part's is.
    public var body: HTTPBody {
        body(access: .system)
    }

    func body(access: FileAccess) -> HTTPBody {
        let segments = BodyStream(segments, access: access)
        let failure = boundaryFailure ?? parts.lazy.compactMap(\.failure).first
        let stream = BodyStream(length: segments.length, isReplayable: segments.isReplayable) {
            if let failure { throw failure }
            return try segments.makeSource()
        }
        return HTTPBody(.stream(stream), contentType: contentType)
    }

    /// Headers and contents in the order they are sent.
    private var segments: [BodySegment] {
        var segments: [BodySegment] = []
        var text = ""
        for part in parts {
            text += "--\(boundary)\r\n\(part.header)"
            segments.append(.bytes(Data(text.utf8)))
            segments.append(part.content)
            text = "\r\n"
        }
        text += "--\(boundary)--\r\n"
        segments.append(.bytes(Data(text.utf8)))
        return segments
    }

    /// The form is framed by it, so a boundary that is none must not be sent.
    private var boundaryFailure: NetworkError? {
        let isValid = 1...70 ~= boundary.utf8.count && boundary.utf8.allSatisfy { $0.isHTTPTokenByte }
        return isValid ? nil : .invalidRequest(InvalidRequest(.other("the form's boundary is not a token of 1 to 70")))
    }

    private static func randomBoundary() -> String {
        let digits = Array("0123456789abcdef")
        return "form-" + String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
    }
}

extension HTTPBody {
    /// A form with files (`multipart/form-data`), streamed.
    ///
    /// ```swift
    /// var body: HTTPBody {
    ///     .multipart {
    ///         FormPart("title", title)
    ///         for path in photos { FormPart("photo", file: path, contentType: "image/jpeg") }
    ///     }
    /// }
    /// ```
    public static func multipart(boundary: String? = nil, @MultipartBuilder _ parts: () -> [FormPart]) -> HTTPBody {
        MultipartFormData(parts(), boundary: boundary).body
    }
}

/// Collects the parts of a form, with `if`, `for` and the like.
@resultBuilder
public enum MultipartBuilder {
    /// One part.
    public static func buildExpression(_ part: FormPart) -> [FormPart] { [part] }
    /// Parts made elsewhere.
    public static func buildExpression(_ parts: [FormPart]) -> [FormPart] { parts }
    /// A part that may be missing.
    public static func buildExpression(_ part: FormPart?) -> [FormPart] { part.map { [$0] } ?? [] }
    /// One after the other.
    public static func buildBlock(_ parts: [FormPart]...) -> [FormPart] { parts.flatMap { $0 } }
    /// `if` without `else`.
    public static func buildOptional(_ parts: [FormPart]?) -> [FormPart] { parts ?? [] }
    /// The first branch.
    public static func buildEither(first parts: [FormPart]) -> [FormPart] { parts }
    /// The second branch.
    public static func buildEither(second parts: [FormPart]) -> [FormPart] { parts }
    /// `for`.
    public static func buildArray(_ parts: [[FormPart]]) -> [FormPart] { parts.flatMap { $0 } }
    /// `if #available`.
    public static func buildLimitedAvailability(_ parts: [FormPart]) -> [FormPart] { parts }
}
