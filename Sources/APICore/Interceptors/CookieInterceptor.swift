#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends the cookies of a jar along, and keeps what responses set.
///
/// Belongs inside a ``RedirectInterceptor``, so that every hop gets and sets its own. Cookies that the caller put into
/// `Cookie` stay in front.
///
/// ```swift
/// let client = APIClient(environment: environment, interceptors: [CookieInterceptor(jar: CookieJar())])
/// ```
public struct CookieInterceptor: Interceptor {
    /// Where the cookies are kept.
    public let jar: CookieJar
    private let time: TimeSource

    /// Makes an interceptor.
    public init(jar: CookieJar, time: TimeSource = .system) {
        self.jar = jar
        self.time = time
    }

    /// Sends a request with its cookies.
    public func intercept(
        _ request: HTTPRequest, next: @escaping HTTPHandler
    ) async throws(NetworkError) -> HTTPResponse {
        var request = request
        if let cookies = jar.header(for: request.url, now: time.date()) {
            request.headers[.cookie] = request.headers[.cookie].map { $0 + "; " + cookies } ?? cookies
        }
        let response = try await next(request)
        jar.store(response.head, from: request.url, now: time.date())
        return response
    }
}
