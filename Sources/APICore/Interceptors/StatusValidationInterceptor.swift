#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Turns an answer whose status is no success into ``NetworkError/api(_:)``: the first link of every client's chain.
struct StatusValidationInterceptor: Interceptor {
    /// The most bytes of an error's body that are kept. What is longer is cut off: it is read by people.
    static let errorBodyLimit = 1 << 20

    func intercept(_ request: HTTPRequest, next: @escaping HTTPHandler) async throws(NetworkError) -> HTTPResponse {
        let response = try await next(request)
        let validation = request.options.validation ?? .success
        guard !validation.accepts(response.status) else { return response }
        var summary = request.summary
        summary.attempt = max(summary.attempt, response.attempt)
        let body = await errorBody(of: response)
        let complete = DataResponse(head: response.head, body: body)
        throw .api(
            APIError(
                head: response.head, body: body, problem: ProblemDetails(head: response.head, body: body),
                payload: request.options.errorDecoder?.decode(complete), request: summary))
    }

    /// What can be read of the body. An error on the way is less important than the status that is known already.
    private func errorBody(of response: HTTPResponse) async -> Data {
        if let data = response.body.data { return data.prefix(StatusValidationInterceptor.errorBodyLimit) }
        var body = Data()
        do {
            for try await chunk in response.body {
                body.append(chunk.prefix(StatusValidationInterceptor.errorBodyLimit - body.count))
                if body.count >= StatusValidationInterceptor.errorBodyLimit { break }
            }
        } catch {
            return body
        }
        return body
    }
}
