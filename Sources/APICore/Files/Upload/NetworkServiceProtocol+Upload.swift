#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension NetworkServiceProtocol {
    /// Sends a request and tells how much of its body is sent.
    ///
    /// Any body will do: bytes, a file, a sequence, a form. What is not in memory is read while it is sent.
    ///
    /// ```swift
    /// let transfer = client.upload(AddPhoto(file: "/home/ann/beach.jpg"))
    /// for try await progress in transfer { print(progress.fraction ?? 0) }
    /// let photo = try await transfer.value.value
    /// ```
    ///
    /// Progress counts what the transport has taken to send. When the request is sent again, after a redirect or an
    /// error, it starts again.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progressInterval: The shortest time between two reports of progress.
    public func upload<Request: APIRequest>(
        _ request: Request, progressInterval: Duration = .milliseconds(100)
    ) -> Transfer<APIResponse<Request.Response>> {
        upload(Resource(request), progressInterval: progressInterval)
    }

    /// Sends a resource's request and tells how much of its body is sent.
    public func upload<Response, Request>(
        _ resource: Resource<Response, Request>, progressInterval: Duration = .milliseconds(100)
    ) -> Transfer<APIResponse<Response>> {
        Transfer(time: configuration.time, interval: progressInterval) { (reporter) async throws(NetworkError) in
            let options = resource.request._requestOptions()
            let body = try resource.request._requestBody(encoder: options.encoder ?? configuration.encoder)
            let counted = try await body.counted(by: reporter, access: .system)
            let overlay = RequestOverlay(resource.request, body: counted)
            let decoder = options.decoder ?? configuration.decoder
            let counting = Resource<Response, RequestOverlay<Request>>(request: overlay) { data, head in
                try resource.decode(DataResponse(head: head, body: data), decoder: decoder)
            }
            return try await response(for: counting)
        }
    }
}

extension HTTPBody {
    /// The same body, which tells how much of it is taken.
    func counted(by reporter: ProgressReporter, access: FileAccess) async throws(NetworkError) -> HTTPBody {
        let stream: BodyStream
        switch content {
        case .none:
            return self
        case .bytes(let data):
            stream = BodyStream([.bytes(data)], access: access)
        case .file(let path):
            stream = BodyStream([.file(path: path, range: 0..<(try await access.size(of: path)))], access: access)
        case .stream(let other):
            stream = other
        }
        reporter.setTotal(stream.length)
        let total = stream.length
        let counted = BodyStream(length: stream.length, isReplayable: stream.isReplayable) {
            CountingSource(try stream.makeSource()) { reporter.update($0, isLast: $0 == total) }
        }
        return HTTPBody(.stream(counted), contentType: contentType)
    }
}
