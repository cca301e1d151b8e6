/// An upload that can go on where it stopped, told by how its API does that.
///
/// The client asks how much the server has, sends the rest, and after a lost connection asks again. ``TusUpload`` is
/// one; for another API:
///
/// ```swift
/// struct VideoUpload: ResumableUpload {
///     let session: String, file: String
///     var content: UploadContent { .file(file) }
///
///     struct Status: Requestable { let session: String; var path: RequestPath { "uploads/\(session)" } }
///     struct Part: APIRequest {
///         typealias Response = Video?
///         let session: String, range: Range<Int>, total: Int
///         let method = HTTPMethod.put
///         var path: RequestPath { "uploads/\(session)" }
///         var headers: HTTPHeaders {
///             [.contentRange: range.isEmpty ? "bytes */\(total)"
///                 : "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"]
///         }
///     }
///
///     func query() -> Status { Status(session: session) }
///     func receivedBytes(_ response: DataResponse) throws -> Int {
///         try DefaultCoders.decoder.decode(Progress.self, from: response.body).received
///     }
///     func part(_ range: Range<Int>, of total: Int) -> Part { Part(session: session, range: range, total: total) }
/// }
/// let video = try await client.upload(VideoUpload(session: id, file: path)).value
/// ```
public protocol ResumableUpload: Sendable {
    /// Sends a part of the content. The answer to the last part is the upload's.
    associatedtype Part: APIRequest
    /// Asks how much the server has.
    associatedtype Query: Requestable

    /// What is sent.
    var content: UploadContent { get }

    /// The most bytes to send with one request; `nil`, the default, sends all that is left.
    var maximumPartSize: Int? { get }

    /// The request that asks how much the server has.
    func query() -> Query

    /// How many bytes the server has, from its answer to ``query()``.
    ///
    /// - Throws: Anything, when the answer does not say so; it becomes ``NetworkError/decoding(_:)``.
    func receivedBytes(_ response: DataResponse) throws -> Int

    /// The request that sends these bytes; its body is put in by the client.
    ///
    /// - Parameters:
    ///   - range: The bytes. Empty, at the end, when the server has everything and only its answer is missing.
    ///   - total: Bytes altogether.
    func part(_ range: Range<Int>, of total: Int) -> Part
}

extension ResumableUpload {
    /// All that is left.
    public var maximumPartSize: Int? { nil }
}

extension NetworkServiceProtocol {
    /// Sends what the server does not have yet, and goes on after a lost connection.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - reconnection: How often, and after what time, a lost connection is made again. Bytes that arrive start the
    ///     count again.
    ///   - progressInterval: The shortest time between two reports of progress.
    public func upload<Upload: ResumableUpload>(
        _ upload: Upload, reconnection: ReconnectionPolicy = DownloadOptions.standardReconnection,
        progressInterval: Duration = .milliseconds(100)
    ) -> Transfer<APIResponse<Upload.Part.Response>> {
        Transfer(time: configuration.time, interval: progressInterval) { (reporter) async throws(NetworkError) in
            let session = UploadSession(
                service: self, upload: upload, total: try await upload.content.length(.system),
                policy: reconnection, reporter: reporter)
            return try await session.run()
        }
    }
}

/// One resumable upload under way.
private struct UploadSession<Service: NetworkServiceProtocol, Upload: ResumableUpload>: Sendable {
    let service: Service
    let upload: Upload
    let total: Int
    let policy: ReconnectionPolicy
    let reporter: ProgressReporter

    func run() async throws(NetworkError) -> APIResponse<Upload.Part.Response> {
        reporter.setTotal(total)
        var failures = 0
        var offset: Int?
        var furthest = 0
        while true {
            do throws(NetworkError) {
                let start: Int
                if let offset { start = offset } else { start = try await askOffset() }
                if start > furthest { failures = 0 }
                furthest = max(furthest, start)
                reporter.update(start)
                let end = upload.maximumPartSize.map { start + min(max($0, 1), total - start) } ?? total
                if end == total { return try await send(start..<end) { try await service.response(for: $0) } }
                _ = try await send(start..<end) { resource in
                    try await service.response(for: Resource<Void, _>(request: resource.request))
                }
                offset = end
            } catch {
                let isBusy = error.apiError.map { policy.retriedStatuses.contains($0.status) } ?? false
                guard isBusy || error.isLostConnection, failures < policy.maximumAttempts ?? .max else { throw error }
                try await wait(afterFailures: failures, error)
                failures += 1
                offset = nil
            }
        }
    }

    private func askOffset() async throws(NetworkError) -> Int {
        let total = total
        let resource = Resource<Int, Upload.Query>(request: upload.query()) { data, head in
            let received = try upload.receivedBytes(DataResponse(head: head, body: data))
            guard 0...total ~= received else {
                throw InvalidResponse("the server has \(received) bytes of an upload of \(total)")
            }
            return received
        }
        return try await service.response(for: resource).value
    }

    private func send<Value>(
        _ range: Range<Int>,
        _ perform: (Resource<Upload.Part.Response, RequestOverlay<Upload.Part>>) async throws -> Value
    ) async throws(NetworkError) -> Value {
        let request = upload.part(range, of: total)
        let stream = BodyStream([upload.content.segment(range)])
        let counted = BodyStream(length: range.count, isReplayable: true) {
            CountingSource(try stream.makeSource()) {
                reporter.update(range.lowerBound + $0, isLast: range.lowerBound + $0 == total)
            }
        }
        let contentType = request._requestHeaders()[.contentType] ?? "application/octet-stream"
        let overlay = RequestOverlay(request, body: HTTPBody(.stream(counted), contentType: contentType))
        let decoder = request._requestOptions().decoder ?? service.configuration.decoder
        let resource = Resource<Upload.Part.Response, RequestOverlay<Upload.Part>>(request: overlay) { data, head in
            try request.decode(DataResponse(head: head, body: data), using: decoder)
        }
        do {
            return try await perform(resource)
        } catch {
            throw NetworkError(error)
        }
    }

    private func wait(afterFailures failures: Int, _ error: NetworkError) async throws(NetworkError) {
        let time = service.configuration.time
        var delay = policy.delay(afterFailures: failures, serverDelay: nil)
        if let asked = error.apiError?.retryAfter(now: time.date()) { delay = max(delay, asked) }
        do {
            try await time.sleep(delay)
        } catch {
            throw .cancelled
        }
    }
}
