import Foundation
import Testing

@testable import APICore

/// RFC 7578 and WHATWG HTML, "multipart/form-data encoding algorithm".
struct MultipartFormDataTests {
    private func bytes(of body: HTTPBody) async throws -> Data {
        guard case .stream(let stream) = body.content else { return Data() }
        let source = try stream.makeSource()
        var result = Data()
        while let chunk = try await source.next() { result += chunk }
        return result
    }

    private func text(boundary: String = "B", @MultipartBuilder _ parts: () -> [FormPart]) async throws -> String {
        let body = HTTPBody.multipart(boundary: boundary, parts)
        let bytes = try await bytes(of: body)
        #expect(body.length == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func theWholeForm() async throws {
        let text = try await text {
            FormPart("title", "Holiday")
            FormPart("photo", data: Data("JPEG".utf8), fileName: "a.jpg", contentType: "image/jpeg")
        }
        #expect(
            text == """
                --B\r
                Content-Disposition: form-data; name="title"\r
                \r
                Holiday\r
                --B\r
                Content-Disposition: form-data; name="photo"; filename="a.jpg"\r
                Content-Type: image/jpeg\r
                \r
                JPEG\r
                --B--\r

                """)
    }

    @Test func aFormWithoutParts() async throws {
        #expect(try await text {} == "--B--\r\n")
    }

    static let names: [(name: String, escaped: String)] = [
        ("plain", "plain"), ("a\"b", "a%22b"), ("a\nb", "a%0D%0Ab"), ("a\rb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"),
        ("a\n\rb", "a%0D%0A%0D%0Ab"), ("a\r", "a%0D%0A"), ("100%", "100%"), ("a%22", "a%22"), ("größe€😀", "größe€😀"),
        ("a\\b", "a\\b"), ("", ""),
    ]

    @Test(arguments: names) func namesAreEscapedAsTheStandardSays(_ example: (name: String, escaped: String))
        async throws
    {
        let text = try await text { FormPart(example.name, "x") }
        #expect(text == "--B\r\nContent-Disposition: form-data; name=\"\(example.escaped)\"\r\n\r\nx\r\n--B--\r\n")
    }

    @Test(arguments: [
        ("a\"b.txt", "a%22b.txt"), ("a\nb", "a%0Ab"), ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1"), ("ä.txt", "ä.txt"),
    ])
    func fileNamesAreEscapedWithoutNormalizingLineBreaks(_ name: String, _ escaped: String) async throws {
        let text = try await text { FormPart("f", data: Data(), fileName: name, contentType: "text/plain") }
        #expect(text.contains("name=\"f\"; filename=\"\(escaped)\"\r\nContent-Type: text/plain\r\n\r\n\r\n--B--"))
    }

    @Test(arguments: [
        ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\n", "\r\n\r\n"), ("\r\r\n", "\r\n\r\n"),
    ])
    func lineBreaksInValuesAreNormalized(_ value: String, _ sent: String) async throws {
        #expect(try await text { FormPart("v", value) }.contains("\r\n\r\n\(sent)\r\n--B--"))
    }

    @Test func aMediaTypeCannotAddHeaderFields() async throws {
        let body = HTTPBody.multipart { FormPart("f", data: Data(), contentType: "text/plain\r\nX-Evil: 1") }
        await #expect(throws: NetworkError.self) { try await bytes(of: body) }
    }

    @Test func aBoundaryMustBeOne() async throws {
        for boundary in ["", "a b", "a\r\nb", String(repeating: "x", count: 71)] {
            let body = HTTPBody.multipart(boundary: boundary) {}
            await #expect(throws: NetworkError.self) { try await bytes(of: body) }
        }
    }

    @Test func boundariesDiffer() {
        let boundaries = Set((0..<100).map { _ in MultipartFormData([]).boundary })
        #expect(boundaries.count == 100)
        #expect(MultipartFormData([], boundary: "x").contentType == "multipart/form-data; boundary=x")
    }

    @Test func theBuilderTakesConditionsAndLoops() async throws {
        let caption: String? = nil
        let form = MultipartFormData {
            if let caption { FormPart("caption", caption) }
            for number in 1...3 { FormPart("n", number) }
            if caption == nil { FormPart("a", "1") } else { FormPart("b", "2") }
            FormPart("meta", json: ["userName": 1])
        }
        #expect(form.parts.map(\.name) == ["n", "n", "n", "a", "meta"])
        #expect(form.parts.last?.contentType == "application/json")
    }

    @Test func filesAreStreamedWithAKnownLength() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("beach.jpg")
        let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: URL(fileURLWithPath: path))
        let body = HTTPBody.multipart(boundary: "B") { FormPart("photo", file: path, contentType: "image/jpeg") }
        let head =
            "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"beach.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
        let expected = Data(head.utf8) + content + Data("\r\n--B--\r\n".utf8)
        #expect(body.length == expected.count)
        #expect(body.isReplayable)
        #expect(try await bytes(of: body) == expected)
        // Again, as a retry would.
        #expect(try await bytes(of: body) == expected)

        guard case .stream(let stream) = body.content else { return }
        let source = try stream.makeSource()
        var largest = 0
        while let chunk = try await source.next() { largest = max(largest, chunk.count) }
        #expect(largest <= bodyChunkSize)
    }

    @Test func aFileThatIsMissingOrBecomesShorter() async throws {
        let folder = try TemporaryFolder()
        let missing = HTTPBody.multipart { FormPart("f", file: folder.path("missing")) }
        #expect(missing.length == nil)
        await #expect { try await bytes(of: missing) } throws: { error in
            if case .file(let failure) = error as? NetworkError { failure.kind == .notFound } else { false }
        }

        let path = folder.path("log")
        try Data(repeating: 1, count: 1000).write(to: URL(fileURLWithPath: path))
        let shorter = HTTPBody.multipart { FormPart("f", file: path) }
        try Data(repeating: 1, count: 900).write(to: URL(fileURLWithPath: path))
        await #expect { try await bytes(of: shorter) } throws: { error in
            if case .file(let failure) = error as? NetworkError { failure.kind == .changedWhileRead } else { false }
        }
        // What was added meanwhile is not sent: the length is promised.
        let longer = HTTPBody.multipart(boundary: "B") { FormPart("f", file: path) }
        try Data(repeating: 1, count: 2000).write(to: URL(fileURLWithPath: path))
        #expect(try await bytes(of: longer).count == longer.length)
    }

    @Test func sequencesAreStreamed() async throws {
        let chunks = AsyncStream<Data> { continuation in
            continuation.yield(Data("ab".utf8))
            continuation.yield(Data())
            continuation.yield(Data("c".utf8))
            continuation.finish()
        }
        let body = HTTPBody.multipart(boundary: "B") { FormPart("s", stream: chunks, contentType: nil) }
        #expect(body.length == nil && !body.isReplayable)
        let text = String(decoding: try await bytes(of: body), as: UTF8.self)
        #expect(text == "--B\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\nabc\r\n--B--\r\n")
        let known = HTTPBody.multipart(boundary: "B") { FormPart("s", stream: chunks, length: 3, contentType: nil) }
        #expect(known.length == text.utf8.count)
    }

    @Test func aValueThatCannotBeEncoded() async throws {
        let body = HTTPBody.multipart { FormPart("n", json: Double.infinity) }
        await #expect { try await bytes(of: body) } throws: { error in
            if case .encoding = error as? NetworkError { true } else { false }
        }
    }
}
