#if os(Linux)
internal import CurlTransport
#else
internal import URLSessionTransport
#endif

extension APIClient {
    /// Makes a client over the platform's own transport: libcurl on Linux, URLSession on Apple platforms.
    ///
    /// ```swift
    /// let client = APIClient(environment: try APIEnvironment.load("Sandbox"))
    /// ```
    ///
    /// Clients made this way share one transport, and with it connections. To configure it, make one:
    /// `APIClient(environment: environment, transport: CurlTransport(configuration: configuration))`.
    ///
    /// - Parameters:
    ///   - environment: Where the API is.
    ///   - interceptors: Links of the chain, the outermost first.
    ///   - configuration: How requests are treated.
    public convenience init(
        environment: APIEnvironment, interceptors: [any Interceptor] = [],
        configuration: ClientConfiguration = ClientConfiguration()
    ) {
        self.init(
            environment: environment, transport: defaultTransport, interceptors: interceptors,
            configuration: configuration)
    }

    /// Makes a client of the API below a base URL, over the platform's own transport.
    ///
    /// - Throws: ``InvalidRequest`` that says what is wrong with the URL.
    public convenience init(
        basePath: String, interceptors: [any Interceptor] = [],
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws(InvalidRequest) {
        self.init(
            environment: try APIEnvironment(baseURL: basePath), interceptors: interceptors,
            configuration: configuration)
    }
}

/// The transport of clients that name none.
public var defaultTransport: any HTTPTransport {
    #if os(Linux)
    CurlTransport.shared
    #else
    URLSessionTransport.shared
    #endif
}

/// A default service over the platform's own transport, under the name the documents of this field use.
public typealias DefaultNetworkService = APIClient
