/// The registered status codes, by the name RFC 9110 and the IANA registry give them.
extension HTTPStatusCode {
    /// 100 Continue. RFC 9110 section 15.2.1.
    public static let `continue` = HTTPStatusCode(100)
    /// 101 Switching Protocols. RFC 9110 section 15.2.2.
    public static let switchingProtocols = HTTPStatusCode(101)
    /// 102 Processing. RFC 2518 section 10.1.
    public static let processing = HTTPStatusCode(102)
    /// 103 Early Hints. RFC 8297 section 2.
    public static let earlyHints = HTTPStatusCode(103)
    /// 104 Upload Resumption Supported. The resumable-upload draft.
    public static let uploadResumptionSupported = HTTPStatusCode(104)
    /// 200 OK. RFC 9110 section 15.3.1.
    public static let ok = HTTPStatusCode(200)
    /// 201 Created. RFC 9110 section 15.3.2.
    public static let created = HTTPStatusCode(201)
    /// 202 Accepted. RFC 9110 section 15.3.3.
    public static let accepted = HTTPStatusCode(202)
    /// 203 Non-Authoritative Information. RFC 9110 section 15.3.4.
    public static let nonAuthoritativeInformation = HTTPStatusCode(203)
    /// 204 No Content. RFC 9110 section 15.3.5.
    public static let noContent = HTTPStatusCode(204)
    /// 205 Reset Content. RFC 9110 section 15.3.6.
    public static let resetContent = HTTPStatusCode(205)
    /// 206 Partial Content. RFC 9110 section 15.3.7.
    public static let partialContent = HTTPStatusCode(206)
    /// 207 Multi-Status. RFC 4918 section 11.1.
    public static let multiStatus = HTTPStatusCode(207)
    /// 208 Already Reported. RFC 5842 section 7.1.
    public static let alreadyReported = HTTPStatusCode(208)
    /// 226 IM Used. RFC 3229 section 10.4.1.
    public static let imUsed = HTTPStatusCode(226)
    /// 300 Multiple Choices. RFC 9110 section 15.4.1.
    public static let multipleChoices = HTTPStatusCode(300)
    /// 301 Moved Permanently. RFC 9110 section 15.4.2.
    public static let movedPermanently = HTTPStatusCode(301)
    /// 302 Found. RFC 9110 section 15.4.3.
    public static let found = HTTPStatusCode(302)
    /// 303 See Other. RFC 9110 section 15.4.4.
    public static let seeOther = HTTPStatusCode(303)
    /// 304 Not Modified. RFC 9110 section 15.4.5.
    public static let notModified = HTTPStatusCode(304)
    /// 305 Use Proxy. RFC 9110 section 15.4.6.
    public static let useProxy = HTTPStatusCode(305)
    /// 306 Switch Proxy. RFC 9110 section 15.4.7.
    public static let switchProxy = HTTPStatusCode(306)
    /// 307 Temporary Redirect. RFC 9110 section 15.4.8.
    public static let temporaryRedirect = HTTPStatusCode(307)
    /// 308 Permanent Redirect. RFC 9110 section 15.4.9.
    public static let permanentRedirect = HTTPStatusCode(308)
    /// 400 Bad Request. RFC 9110 section 15.5.1.
    public static let badRequest = HTTPStatusCode(400)
    /// 401 Unauthorized. RFC 9110 section 15.5.2.
    public static let unauthorized = HTTPStatusCode(401)
    /// 402 Payment Required. RFC 9110 section 15.5.3.
    public static let paymentRequired = HTTPStatusCode(402)
    /// 403 Forbidden. RFC 9110 section 15.5.4.
    public static let forbidden = HTTPStatusCode(403)
    /// 404 Not Found. RFC 9110 section 15.5.5.
    public static let notFound = HTTPStatusCode(404)
    /// 405 Method Not Allowed. RFC 9110 section 15.5.6.
    public static let methodNotAllowed = HTTPStatusCode(405)
    /// 406 Not Acceptable. RFC 9110 section 15.5.7.
    public static let notAcceptable = HTTPStatusCode(406)
    /// 407 Proxy Authentication Required. RFC 9110 section 15.5.8.
    public static let proxyAuthenticationRequired = HTTPStatusCode(407)
    /// 408 Request Timeout. RFC 9110 section 15.5.9.
    public static let requestTimeout = HTTPStatusCode(408)
    /// 409 Conflict. RFC 9110 section 15.5.10.
    public static let conflict = HTTPStatusCode(409)
    /// 410 Gone. RFC 9110 section 15.5.11.
    public static let gone = HTTPStatusCode(410)
    /// 411 Length Required. RFC 9110 section 15.5.12.
    public static let lengthRequired = HTTPStatusCode(411)
    /// 412 Precondition Failed. RFC 9110 section 15.5.13.
    public static let preconditionFailed = HTTPStatusCode(412)
    /// 413 Content Too Large. RFC 9110 section 15.5.14.
    public static let contentTooLarge = HTTPStatusCode(413)
    /// 414 URI Too Long. RFC 9110 section 15.5.15.
    public static let uriTooLong = HTTPStatusCode(414)
    /// 415 Unsupported Media Type. RFC 9110 section 15.5.16.
    public static let unsupportedMediaType = HTTPStatusCode(415)
    /// 416 Range Not Satisfiable. RFC 9110 section 15.5.17.
    public static let rangeNotSatisfiable = HTTPStatusCode(416)
    /// 417 Expectation Failed. RFC 9110 section 15.5.18.
    public static let expectationFailed = HTTPStatusCode(417)
    /// 418 I'm a teapot. RFC 2324 section 2.3.2.
    public static let teapot = HTTPStatusCode(418)
    /// 421 Misdirected Request. RFC 9110 section 15.5.20.
    public static let misdirectedRequest = HTTPStatusCode(421)
    /// 422 Unprocessable Content. RFC 9110 section 15.5.21.
    public static let unprocessableContent = HTTPStatusCode(422)
    /// 423 Locked. RFC 4918 section 11.3.
    public static let locked = HTTPStatusCode(423)
    /// 424 Failed Dependency. RFC 4918 section 11.4.
    public static let failedDependency = HTTPStatusCode(424)
    /// 425 Too Early. RFC 8470 section 5.2.
    public static let tooEarly = HTTPStatusCode(425)
    /// 426 Upgrade Required. RFC 9110 section 15.5.22.
    public static let upgradeRequired = HTTPStatusCode(426)
    /// 428 Precondition Required. RFC 6585 section 3.
    public static let preconditionRequired = HTTPStatusCode(428)
    /// 429 Too Many Requests. RFC 6585 section 4.
    public static let tooManyRequests = HTTPStatusCode(429)
    /// 431 Request Header Fields Too Large. RFC 6585 section 5.
    public static let requestHeaderFieldsTooLarge = HTTPStatusCode(431)
    /// 451 Unavailable For Legal Reasons. RFC 7725 section 3.
    public static let unavailableForLegalReasons = HTTPStatusCode(451)
    /// 500 Internal Server Error. RFC 9110 section 15.6.1.
    public static let internalServerError = HTTPStatusCode(500)
    /// 501 Not Implemented. RFC 9110 section 15.6.2.
    public static let notImplemented = HTTPStatusCode(501)
    /// 502 Bad Gateway. RFC 9110 section 15.6.3.
    public static let badGateway = HTTPStatusCode(502)
    /// 503 Service Unavailable. RFC 9110 section 15.6.4.
    public static let serviceUnavailable = HTTPStatusCode(503)
    /// 504 Gateway Timeout. RFC 9110 section 15.6.5.
    public static let gatewayTimeout = HTTPStatusCode(504)
    /// 505 HTTP Version Not Supported. RFC 9110 section 15.6.6.
    public static let httpVersionNotSupported = HTTPStatusCode(505)
    /// 506 Variant Also Negotiates. RFC 2295 section 8.1.
    public static let variantAlsoNegotiates = HTTPStatusCode(506)
    /// 507 Insufficient Storage. RFC 4918 section 11.5.
    public static let insufficientStorage = HTTPStatusCode(507)
    /// 508 Loop Detected. RFC 5842 section 7.2.
    public static let loopDetected = HTTPStatusCode(508)
    /// 510 Not Extended. RFC 2774 section 7.
    public static let notExtended = HTTPStatusCode(510)
    /// 511 Network Authentication Required. RFC 6585 section 6.
    public static let networkAuthenticationRequired = HTTPStatusCode(511)

    /// The same code under its name before RFC 9110.
    public static var payloadTooLarge: HTTPStatusCode { .contentTooLarge }
    /// The same code under its name before RFC 9110.
    public static var urlTooLong: HTTPStatusCode { .uriTooLong }
    /// The same code under its name before RFC 9110.
    public static var unprocessableEntity: HTTPStatusCode { .unprocessableContent }
    /// The same code under a shorter name.
    public static var used: HTTPStatusCode { .imUsed }

    /// The registered codes with their standard reason phrases.
    static let reasonPhrases: [Int: String] = [
        100: "Continue",
        101: "Switching Protocols",
        102: "Processing",
        103: "Early Hints",
        104: "Upload Resumption Supported",
        200: "OK",
        201: "Created",
        202: "Accepted",
        203: "Non-Authoritative Information",
        204: "No Content",
        205: "Reset Content",
        206: "Partial Content",
        207: "Multi-Status",
        208: "Already Reported",
        226: "IM Used",
        300: "Multiple Choices",
        301: "Moved Permanently",
        302: "Found",
        303: "See Other",
        304: "Not Modified",
        305: "Use Proxy",
        306: "Switch Proxy",
        307: "Temporary Redirect",
        308: "Permanent Redirect",
        400: "Bad Request",
        401: "Unauthorized",
        402: "Payment Required",
        403: "Forbidden",
        404: "Not Found",
        405: "Method Not Allowed",
        406: "Not Acceptable",
        407: "Proxy Authentication Required",
        408: "Request Timeout",
        409: "Conflict",
        410: "Gone",
        411: "Length Required",
        412: "Precondition Failed",
        413: "Content Too Large",
        414: "URI Too Long",
        415: "Unsupported Media Type",
        416: "Range Not Satisfiable",
        417: "Expectation Failed",
        418: "I'm a teapot",
        421: "Misdirected Request",
        422: "Unprocessable Content",
        423: "Locked",
        424: "Failed Dependency",
        425: "Too Early",
        426: "Upgrade Required",
        428: "Precondition Required",
        429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error",
        501: "Not Implemented",
        502: "Bad Gateway",
        503: "Service Unavailable",
        504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
        506: "Variant Also Negotiates",
        507: "Insufficient Storage",
        508: "Loop Detected",
        510: "Not Extended",
        511: "Network Authentication Required",
    ]
}
