internal import DiskCache

extension NetworkServiceProtocol {
    /// Downloads to a file.
    ///
    /// The file is written beside its place and gets its name when it is complete and verified: at the path there is
    /// never half a file. After a lost connection the download goes on where it stopped, and so does another process
    /// that downloads the same to the same path later; a copy that changed on the server is fetched anew.
    ///
    /// ```swift
    /// let transfer = client.download(Export(), to: "/data/export.zip", options: .init(sha256: digest))
    /// for try await progress in transfer { print(progress.bytes, progress.total ?? 0) }
    /// let file = try await transfer.value
    /// ```
    ///
    /// Meanwhile `path` with `.part` behind it holds the bytes, and with `.part-state` what is needed to go on. Both
    /// are kept when the download fails or is cancelled and can be resumed. A file error, such as
    /// ``FileFailure/Kind/diskFull``, removes them.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: Where the file goes.
    ///   - options: How it is done.
    /// - Returns: The transfer, which starts when it is iterated or its value is asked for. It fails with
    ///   ``NetworkError/file(_:)`` when the file cannot be written or is not the expected one, and with the request's
    ///   errors.
    public func download<Request: Requestable>(
        _ request: Request, to path: String, options: DownloadOptions = DownloadOptions()
    ) -> Transfer<DownloadedFile> {
        download(request, to: path, options: options, access: .system)
    }

    func download<Request: Requestable>(
        _ request: Request, to path: String, options: DownloadOptions, access: FileAccess
    ) -> Transfer<DownloadedFile> {
        let time = configuration.time
        let identity = options.isResumable && request._requestMethod() == .get ? identity(of: request, options) : nil
        return Transfer(time: time, interval: options.progressInterval) { (reporter) async throws(NetworkError) in
            let download = FileDownload(
                connect: { (headers) async throws(NetworkError) in
                    try await self.stream(RequestOverlay(request, headers: headers))
                },
                target: path, options: options, identity: identity, access: access, time: time, reporter: reporter)
            do throws(NetworkError) {
                return try await download.run()
            } catch {
                throw error.with(
                    request: RequestSummary(
                        operation: request._requestOptions().operationName
                            ?? RequestBuilder.operationName(of: Request.self),
                        method: request._requestMethod(), url: "…/" + request._requestPath().description))
            }
        }
    }

    /// Tells resources apart without showing them: URLs may hold secrets.
    private func identity(of request: some Requestable, _ options: DownloadOptions) -> String {
        if let key = options.resumeKey { return SHA256.hash(key.utf8).hexadecimal }
        let base = request._requestOptions().baseURL ?? (self as? APIClient)?.environment.baseURL
        let query = request._requestParameters().queryEncoded(style: configuration.parameterStyle)
        let text = "\(base?.string ?? "")\n\(request._requestPath().description)\n\(query)"
        return SHA256.hash(text.utf8).hexadecimal
    }
}
