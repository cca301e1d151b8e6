#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One part of a form: a field, or a file (RFC 7578 section 4).
///
/// ```swift
/// FormPart("title", "Holiday")
/// FormPart("photo", file: "/home/ann/beach.jpg", contentType: "image/jpeg")
/// FormPart("notes", data: text, fileName: "notes.txt", contentType: "text/plain; charset=UTF-8")
/// FormPart("settings", json: settings)
/// ```
public struct FormPart: Sendable {
    /// The field's name.
    public let name: String
    /// The file's name, as the server gets to know it; `nil` for a plain field.
    public let fileName: String?
    /// The part's media type; `nil` for a plain field.
    public let contentType: String?
    let content: BodySegment
    /// Why the part cannot be sent.
    let failure: NetworkError?

    init(name: String, fileName: String?, contentType: String?, content: BodySegment, failure: NetworkError? = nil) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
        if let contentType, !contentType.isHTTPFieldValue {
            self.failure = .invalidRequest(InvalidRequest(.invalidHeaderValue(name: "Content-Type")))
        } else {
            self.failure = failure
        }
    }

    /// A field of text. Line breaks in it are sent as CR LF, as browsers do.
    public init(_ name: String, _ value: String) {
        self.init(
            name: name, fileName: nil, contentType: nil, content: .bytes(Data(value.withCRLF.utf8)))
    }

    /// A field of anything that can be written as text: numbers, flags.
    public init(_ name: String, _ value: some LosslessStringConvertible & Sendable) {
        self.init(name, value.description)
    }

    /// Bytes in memory, as a file when they have a file name.
    public init(
        _ name: String, data: Data, fileName: String? = nil, contentType: String? = "application/octet-stream"
    ) {
        self.init(name: name, fileName: fileName, contentType: contentType, content: .bytes(data))
    }

    /// A value as JSON, with the media type `application/json`. That it cannot be encoded is thrown when the form is
    /// sent.
    public init(_ name: String, json value: some Encodable, encoder: any DataEncoder = DefaultCoders.encoder) {
        do {
            let data = try encoder.encode(value)
            self.init(name: name, fileName: nil, contentType: "application/json", content: .bytes(data))
        } catch {
            let failure = EncodingFailure(type: String(describing: type(of: value)), underlying: error)
            self.init(
                name: name, fileName: nil, contentType: nil, content: .bytes(Data()), failure: .encoding(failure))
        }
    }

    /// A file, read while it is sent.
    ///
    /// Its length is asked for here, once: it is part of the form's `Content-Length`. A file that cannot be found then
    /// is an error when the form is sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - path: Where the file is.
    ///   - fileName: The name the server gets to know; by default the last part of the path.
    ///   - contentType: The media type.
    public init(
        _ name: String, file path: String, fileName: String? = nil, contentType: String = "application/octet-stream"
    ) {
        self.init(name, file: path, fileName: fileName, contentType: contentType, operations: POSIXFileOperations())
    }

    init(
        _ name: String, file path: String, fileName: String?, contentType: String, operations: any FileOperations
    ) {
        let length = try? operations.openForReading(path).with(operations) { try? operations.size(of: $0) }
        let lastComponent = path.split(separator: "/").last.map { String($0) } ?? path
        self.init(
            name: name, fileName: fileName ?? lastComponent, contentType: contentType,
            content: length.map { .file(path: path, range: 0..<$0) } ?? .wholeFile(path: path))
    }

    /// Chunks that are made while they are sent.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - chunks: The chunks.
    ///   - length: The number of bytes, where it is known: with it the whole form has a length.
    ///   - fileName: The name the server gets to know.
    ///   - contentType: The media type.
    ///   - isReplayable: Whether iterating the sequence again gives the same bytes.
    public init<Chunks: AsyncSequence & Sendable>(
        _ name: String, stream chunks: Chunks, length: Int? = nil, fileName: String? = nil,
        contentType: String? = "application/octet-stream", isReplayable: Bool = false
    ) where Chunks.Element == Data {
        let body = HTTPBody.stream(chunks, length: length, isReplayable: isReplayable)
        guard case .stream(let stream) = body.content else {
            self.init(name: name, fileName: fileName, contentType: contentType, content: .bytes(Data()))
            return
        }
        self.init(name: name, fileName: fileName, contentType: contentType, content: .stream(stream))
    }

    /// The part's header, up to and with the empty line.
    var header: String {
        var text = "Content-Disposition: form-data; name=\"\(name.withCRLF.escapedForDisposition)\""
        if let fileName { text += "; filename=\"\(fileName.escapedForDisposition)\"" }
        text += "\r\n"
        if let contentType { text += "Content-Type: \(contentType)\r\n" }
        return text + "\r\n"
    }
}

extension OpenFile {
    /// Uses the file and closes it.
    fileprivate func with<Result>(_ operations: any FileOperations, _ body: (OpenFile) -> Result) -> Result {
        defer { operations.close(self) }
        return body(self)
    }
}

extension String {
    /// CR LF for every CR and LF that is not part of one (WHATWG HTML, "multipart/form-data encoding algorithm").
    fileprivate var withCRLF: String {
        guard utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return self }
        var result: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == 0x0A, previous != 0x0D { result.append(0x0D) }
            if previous == 0x0D, byte != 0x0A { result.append(0x0A) }
            result.append(byte)
            previous = byte
        }
        if previous == 0x0D { result.append(0x0A) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Quotes and line breaks as `%22`, `%0D` and `%0A`, nothing else (the same algorithm).
    fileprivate var escapedForDisposition: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
