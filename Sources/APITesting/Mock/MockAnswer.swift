public import APICore

/// One answer of a ``MockNetworkService``.
///
/// ```swift
/// mock.on(ListUsers.self, .failure(.timeout(TimeoutFailure(.idle, limit: nil))), .json("[]"))
/// mock.on(FindUser.self, .status(.notFound), .value(User(id: 1)).delayed(by: .seconds(1)))
/// ```
public struct MockAnswer: Sendable {
    enum Content: Sendable {
        case value(any Sendable)
        case response(DataResponse)
        case failure(NetworkError)
    }

    let content: Content
    var delay: Duration = .zero

    /// A decoded value, of the type the caller asks for.
    public static func value(_ value: any Sendable) -> MockAnswer {
        MockAnswer(content: .value(value))
    }

    /// A response, which goes through the resource's own decoding; a status that is no success becomes
    /// ``NetworkError/api(_:)``, as the client makes it.
    public static func response(_ response: DataResponse) -> MockAnswer {
        MockAnswer(content: .response(response))
    }

    /// JSON text, which goes through the resource's own decoding.
    public static func json(_ text: String, status: HTTPStatusCode = .ok) -> MockAnswer {
        .response(.json(text, status: status))
    }

    /// A response without a body.
    public static func status(_ status: HTTPStatusCode, headers: HTTPHeaders = [:]) -> MockAnswer {
        .response(DataResponse(status: status, headers: headers))
    }

    /// A failure.
    public static func failure(_ error: NetworkError) -> MockAnswer {
        MockAnswer(content: .failure(error))
    }

    /// The same answer after a while, on the mock's clock.
    public func delayed(by duration: Duration) -> MockAnswer {
        MockAnswer(content: content, delay: duration)
    }
}
