/// A resumable upload to a server that speaks tus 1.0 (tus.io), to an upload resource that was created already.
///
/// ```swift
/// let upload = try TusUpload(url: "https://example.com/files/24e533e", content: .file("/data/video.mp4"))
/// for try await progress in client.upload(upload) { … }
/// ```
public struct TusUpload: ResumableUpload {
    /// The upload resource.
    public let url: RequestURL
    /// What is sent.
    public var content: UploadContent
    /// The most bytes to send with one request; `nil` sends all that is left.
    public var maximumPartSize: Int?

    /// Makes an upload.
    ///
    /// - Parameters:
    ///   - url: The upload resource: what the server gave as `Location` when it was created.
    ///   - content: What is sent.
    ///   - maximumPartSize: The most bytes to send with one request.
    /// - Throws: ``InvalidRequest`` when it is not an absolute `http` or `https` URL.
    public init(
        url: some RequestURLConvertible, content: UploadContent, maximumPartSize: Int? = nil
    ) throws(InvalidRequest) {
        self.url = try url.requestURL()
        self.content = content
        self.maximumPartSize = maximumPartSize
    }

    /// Asks for the offset.
    public struct Query: Requestable {
        let url: RequestURL
        /// HEAD.
        public let method = HTTPMethod.head
        /// The upload resource's own.
        public let path = ""
        /// The version of the protocol. Answers must not come from a cache.
        public let headers: HTTPHeaders = ["Tus-Resumable": "1.0.0", .cacheControl: "no-store"]
        /// At the upload resource.
        public var options: RequestOptions { RequestOptions(baseURL: url) }
    }

    /// Sends bytes from an offset on.
    public struct Part: APIRequest {
        /// Nothing comes back.
        public typealias Response = Void
        let url: RequestURL
        let offset: Int
        /// PATCH.
        public let method = HTTPMethod.patch
        /// The upload resource's own.
        public let path = ""
        /// The version of the protocol, and where the bytes go.
        public var headers: HTTPHeaders {
            [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                .contentType: "application/offset+octet-stream",
            ]
        }
        /// At the upload resource.
        public var options: RequestOptions { RequestOptions(baseURL: url) }
    }

    /// The request for the offset.
    public func query() -> Query { Query(url: url) }

    /// The `Upload-Offset` field.
    public func receivedBytes(_ response: DataResponse) throws -> Int {
        guard let offset = response.headers["Upload-Offset"].flatMap({ Int(digits: $0) }) else {
            throw InvalidResponse("there is no Upload-Offset")
        }
        return offset
    }

    /// The request that sends these bytes.
    public func part(_ range: Range<Int>, of total: Int) -> Part { Part(url: url, offset: range.lowerBound) }
}
