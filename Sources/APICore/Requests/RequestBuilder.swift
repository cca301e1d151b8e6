/// Turns an endpoint into the request that is sent: a pure function of the endpoint and the client's settings.
struct RequestBuilder: Sendable {
    let environment: APIEnvironment
    let configuration: ClientConfiguration

    /// Builds a request, or says what is wrong with it. Nothing has been sent when it throws.
    func build<Request: Requestable>(
        _ request: Request, delivery: ResponseDelivery
    ) throws(NetworkError) -> HTTPRequest {
        let operation = RequestBuilder.operationName(of: Request.self)
        do {
            return try assemble(request, operation: operation, delivery: delivery)
        } catch {
            let path = request._requestPath()
            throw error.with(
                request: RequestSummary(
                    operation: operation, method: request._requestMethod(), url: "…/" + path.description))
        }
    }

    private func assemble<Request: Requestable>(
        _ request: Request, operation: String, delivery: ResponseDelivery
    ) throws(NetworkError) -> HTTPRequest {
        var options = request._requestOptions()
        options.timeouts = options.timeouts.over(environment.timeouts)
        options.redirects = options.redirects ?? configuration.redirects
        options.validation = options.validation ?? configuration.validation
        options.errorDecoder = options.errorDecoder ?? configuration.errorDecoder
        options.maximumBodySize = options.maximumBodySize ?? configuration.maximumBodySize
        let encoder = options.encoder ?? configuration.encoder

        let method = request._requestMethod()
        guard method.isValid else { throw .invalidRequest(InvalidRequest(.invalidMethod(method.rawValue))) }

        let base = options.baseURL ?? environment.baseURL
        var url: RequestURL
        do {
            url = try base.appending(request._requestPath())
        } catch {
            throw .invalidRequest(error)
        }

        var body = try request._requestBody(encoder: encoder)
        let parameters = request._requestParameters()
        if !parameters.isEmpty {
            switch parameters.destination {
            case .query:
                url = url.appending(encodedQuery: parameters.queryEncoded(style: configuration.parameterStyle))
            case .body(let format):
                guard body.isNone else { throw .invalidRequest(InvalidRequest(.twoBodies)) }
                body = try parameters.body(as: format, encoder: encoder, style: configuration.parameterStyle)
            }
        }

        var headers = configuration.defaultHeaders
        // The environment's header fields may be credentials: they belong to the environment's origin alone.
        if url.origin == environment.baseURL.origin { headers.merge(environment.headers) }
        if let contentType = body.contentType { headers[.contentType] = contentType }
        headers.merge(request._requestHeaders())
        if let key = options.idempotencyKey { headers[.idempotencyKey] = key }
        try RequestBuilder.check(headers, body: body)

        var context = RequestContext(operation: operation)
        if let overall = options.timeouts.overall { context.deadline = configuration.time.now() + overall }
        return HTTPRequest(
            method: method, url: url, headers: headers, body: body, options: options, context: context,
            delivery: delivery)
    }

    /// Refuses what could smuggle a line break, and what would contradict the framing the transport decides
    /// (RFC 9112 section 6).
    static func check(_ headers: HTTPHeaders, body: HTTPBody) throws(NetworkError) {
        for field in headers {
            guard field.name.isValid else {
                throw .invalidRequest(InvalidRequest(.invalidHeaderName(field.name.rawValue)))
            }
            guard field.value.isHTTPFieldValue else {
                throw .invalidRequest(InvalidRequest(.invalidHeaderValue(name: field.name.rawValue)))
            }
        }
        if headers.contains(.transferEncoding) {
            let reason = "the transport frames the body"
            throw .invalidRequest(InvalidRequest(.reservedHeader(name: "Transfer-Encoding", reason: reason)))
        }
        if let text = headers[.contentLength], let length = body.length, Int(text) != length {
            throw .invalidRequest(InvalidRequest(.contentLengthMismatch(header: text, body: length)))
        }
    }

    /// The type's name without its module and without the placeholders of generics.
    static func operationName(of type: Any.Type) -> String {
        String(describing: type)
    }
}

extension QueryParameters {
    /// The parameters as a body of the given format.
    func body(
        as format: BodyFormat, encoder: any DataEncoder, style: ParameterStyle
    ) throws(NetworkError) -> HTTPBody {
        switch format {
        case .form:
            HTTPBody.text(formEncoded(style: style), contentType: "application/x-www-form-urlencoded")
        case .json:
            try jsonBody(encoder: encoder, style: style)
        }
    }
}
