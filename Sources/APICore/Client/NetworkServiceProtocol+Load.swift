#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A method together with what it sends, for ``NetworkServiceProtocol/load(_:path:method:headers:)``.
public struct LoadMethod: Sendable {
    let method: HTTPMethod
    let items: QueryParameters
    let body: HTTPBody

    /// GET.
    public static let get = LoadMethod(method: .get, items: [:], body: .none)
    /// DELETE.
    public static let delete = LoadMethod(method: .delete, items: [:], body: .none)

    /// GET with query items.
    public static func get(_ items: [URLQueryItem]?) -> LoadMethod {
        LoadMethod(method: .get, items: QueryParameters(items ?? []), body: .none)
    }

    /// GET with parameters.
    public static func get(_ parameters: QueryParameters) -> LoadMethod {
        LoadMethod(method: .get, items: parameters, body: .none)
    }

    /// POST with bytes, whose media type the header fields name.
    public static func post(_ body: Data?) -> LoadMethod { .sending(.post, body) }
    /// PUT with bytes, whose media type the header fields name.
    public static func put(_ body: Data?) -> LoadMethod { .sending(.put, body) }
    /// PATCH with bytes, whose media type the header fields name.
    public static func patch(_ body: Data?) -> LoadMethod { .sending(.patch, body) }

    /// Any method with any body.
    public static func custom(_ method: HTTPMethod, body: HTTPBody = .none) -> LoadMethod {
        LoadMethod(method: method, items: [:], body: body)
    }

    private static func sending(_ method: HTTPMethod, _ body: Data?) -> LoadMethod {
        LoadMethod(method: method, items: [:], body: body.map { .data($0, contentType: nil) } ?? .none)
    }
}

extension NetworkServiceProtocol {
    /// Loads a value from a path, typically a case of an enumeration.
    ///
    /// ```swift
    /// enum Path: String, RequestPathConvertible { case photos, albums }
    /// let photos = try await network.load([Photo].self, path: Path.photos)
    /// ```
    public func load<Value: Decodable & Sendable>(
        _ type: Value.Type, path: some RequestPathConvertible, method: LoadMethod = .get,
        headers: [HTTPHeader] = [.jsonContentType]
    ) async throws(NetworkError) -> Value {
        try await load(type, requestPath: path.requestPath, method: method, headers: headers)
    }

    /// Loads a value from a path that describes itself as URL text; its query is joined with the method's items.
    ///
    /// The description is taken as it is written. Where values come from outside, make the type a
    /// ``RequestPathConvertible`` whose ``RequestPath`` encodes them.
    ///
    /// ```swift
    /// enum Path: CustomStringConvertible {
    ///     case photos, user(id: Int)
    ///     var description: String {
    ///         switch self {
    ///         case .photos: "photos"
    ///         case .user(let id): "user/\(id)"
    ///         }
    ///     }
    /// }
    /// ```
    @_disfavoredOverload
    public func load<Value: Decodable & Sendable, Path: CustomStringConvertible>(
        _ type: Value.Type, path: Path, method: LoadMethod = .get, headers: [HTTPHeader] = [.jsonContentType]
    ) async throws(NetworkError) -> Value {
        try await load(type, requestPath: RequestPath(path.description), method: method, headers: headers)
    }

    private func load<Value: Decodable & Sendable>(
        _ type: Value.Type, requestPath: RequestPath, method: LoadMethod, headers: [HTTPHeader]
    ) async throws(NetworkError) -> Value {
        // A media type without a body would describe nothing (RFC 9110 section 8.3).
        let fields = method.body.isNone ? headers.filter { $0.name != .contentType } : headers
        return try await request(
            Endpoint(
                path: requestPath, method: method.method, parameters: method.items, headers: HTTPHeaders(fields),
                body: method.body))
    }
}
