internal import APICore

/// When a ``StubServer`` answers a request.
public enum AnswerTime: Sendable, Hashable {
    /// When all of its body is here.
    case afterBody
    /// When its head is here: what a server does that refuses an upload early. The body is read on meanwhile.
    case afterHead
    /// When its head is here, and the body is not read until the response is complete: an upload meets a full window.
    case afterHeadWithoutReading
}

/// Numbers about a ``StubServer``'s life.
public struct ServerCounters: Sendable, Hashable {
    /// Connections accepted since the start.
    public internal(set) var connectionsOpened = 0
    /// Connections that are open now.
    public internal(set) var openConnections = 0
    /// The most connections that were open at a time.
    public internal(set) var maximumOpenConnections = 0
    /// Requests whose head has arrived and whose response is not complete.
    public internal(set) var activeRequests = 0
    /// The most requests that were active at a time.
    public internal(set) var maximumActiveRequests = 0
    /// Responses sent to their end.
    public internal(set) var responsesCompleted = 0
    /// Bytes received.
    public internal(set) var bytesReceived = 0
    /// Bytes the system has taken for sending.
    public internal(set) var bytesSent = 0
}

/// What the server's thread and its user share.
struct ServerState: Sendable {
    enum Responder: Sendable {
        case sequence([StubResponse])
        case immediate(@Sendable (RecordedRequest) throws -> StubResponse)
        case asynchronous(@Sendable (RecordedRequest) async throws -> StubResponse)
    }

    struct Route: Sendable {
        var identifier: Int
        var method: HTTPMethod?
        var pattern: PathPattern
        var answerTime: AnswerTime
        var responder: Responder
        var hits = 0
    }

    var routes: [Route] = []
    var nextRoute = 0
    /// Complete requests, and those answered before their body, in the order their heads arrived.
    var requests: [RecordedRequest] = []
    var arrivals = 0
    /// Requests whose connection ended within their body.
    var aborted: [RecordedRequest] = []
    var unmatched: [RecordedRequest] = []
    var malformed: [String] = []
    var counters = ServerCounters()

    /// The route for a request, the latest one first, with the values of its pattern's parameters.
    func route(method: String, path: some StringProtocol) -> (route: Route, parameters: [String: String])? {
        for route in routes.reversed() where route.method == nil || route.method?.rawValue == method {
            if let parameters = route.pattern.match(path) { return (route, parameters) }
        }
        return nil
    }

    /// Counts a use of the route and takes the answer its sequence has for it.
    mutating func use(_ identifier: Int) -> Responder? {
        guard let index = routes.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        defer { routes[index].hits += 1 }
        guard case .sequence(let responses) = routes[index].responder else { return routes[index].responder }
        guard !responses.isEmpty else { return .sequence([.ok]) }
        return .sequence([responses[min(routes[index].hits, responses.count - 1)]])
    }

    /// Puts the request at its place in the order of arrival, or in place of what was recorded of it before.
    mutating func record(_ request: RecordedRequest) {
        var index = requests.endIndex
        while index > 0, requests[index - 1].index >= request.index { index -= 1 }
        if index < requests.endIndex, requests[index].index == request.index {
            requests[index] = request
        } else {
            requests.insert(request, at: index)
        }
    }
}
