import APICore
import APITesting
import Foundation
import Testing

private struct User: Decodable, Equatable, Sendable {
    let id: Int
    let fullName: String
}

private struct ListUsers: APIRequest {
    typealias Response = [User]
    let path = "users"
}

private struct FindUser: APIRequest {
    typealias Response = User?
    let id: Int
    var path: RequestPath { "users/\(id)" }
}

private struct DeleteUser: APIRequest {
    typealias Response = Void
    let id: Int
    let method = HTTPMethod.delete
    var path: RequestPath { "users/\(id)" }
}

private struct FetchUserListRequest: Requestable {
    let path = "users/"
}

private struct ServerMessage: Decodable, Sendable, Equatable {
    let code: String
}

private struct Strict: APIRequest {
    typealias Response = User
    let path = "strict"
    var options: RequestOptions {
        RequestOptions(errorDecoder: .json(ServerMessage.self), operationName: "strict lookup")
    }
}

private struct UserService {
    let network: any NetworkServiceProtocol

    func names() async throws(NetworkError) -> [String] {
        try await network.send(ListUsers()).map(\.fullName)
    }
}

private let ann = User(id: 1, fullName: "Ann")

@Suite struct MockNetworkServiceTests {
    @Test func aServiceIsTestedInAFewLines() async throws {
        let mock = MockNetworkService { Issue.record($0) }
        mock.on(ListUsers.self) { request in [ann] }
        #expect(try await UserService(network: mock).names() == ["Ann"])
        #expect(mock.calls(ListUsers.self).count == 1)
    }

    @Test func anyRequestableIsAnsweredWithAValueOfTheTypeAskedFor() async throws {
        let mock = MockNetworkService()
        mock.on(FetchUserListRequest.self) { _ in [ann] }
        let resource = Resource<[User], FetchUserListRequest>(request: FetchUserListRequest())
        #expect(try await mock.dataTask(with: resource) == [ann])
    }

    @Test func theAnswerSeesTheRequest() async throws {
        let mock = MockNetworkService()
        mock.on(FindUser.self) { request in User(id: request.id, fullName: "User \(request.id)") }
        #expect(try await mock.send(FindUser(id: 7))?.fullName == "User 7")
        #expect(mock.calls(FindUser.self).map(\.id) == [7])
        #expect(mock.calls.map(\.path) == ["users/7"])
    }

    @Test func nilAndVoidAreAnswers() async throws {
        let mock = MockNetworkService()
        mock.on(FindUser.self) { _ in nil }
        mock.on(DeleteUser.self) { _ in }
        #expect(try await mock.send(FindUser(id: 7)) == nil)
        try await mock.send(DeleteUser(id: 7))
        #expect(mock.calls(DeleteUser.self).map(\.id) == [7])
    }

    @Test func jsonGoesThroughTheResourcesDecoding() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self, json: #"[{"id": 1, "full_name": "Ann"}]"#)
        #expect(try await mock.send(ListUsers()) == [ann])
        let count = Resource(ListUsers()).map(\.count)
        #expect(try await mock.dataTask(with: count) == 1)
    }

    @Test func jsonOfTheWrongShapeIsADecodingError() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self, json: #"[{"id": "one"}]"#)
        let error = await #expect(throws: NetworkError.self) { try await mock.send(ListUsers()) }
        guard case .decoding(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.request?.operation == "ListUsers")
    }

    @Test func statusesBecomeAPIErrors() async throws {
        let mock = MockNetworkService()
        mock.on(Strict.self, json: #"{"code": "no_such_user"}"#, status: .notFound)
        let error = await #expect(throws: NetworkError.self) { try await mock.send(Strict()) }
        #expect(error?.apiError?.status == .notFound)
        #expect(error?.apiError?.payload(as: ServerMessage.self) == ServerMessage(code: "no_such_user"))
        #expect(error?.apiError?.request?.operation == "strict lookup")
    }

    @Test func answersComeInSequenceAndTheLastStays() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self, .status(.serviceUnavailable), .value([ann]), .value([User]()))
        await #expect(throws: NetworkError.self) { try await mock.send(ListUsers()) }
        #expect(try await mock.send(ListUsers()) == [ann])
        #expect(try await mock.send(ListUsers()) == [])
        #expect(try await mock.send(ListUsers()) == [])
    }

    @Test func failuresAreThrownAsTheyAre() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self, throws: .timeout(TimeoutFailure(.idle, limit: .seconds(1))))
        mock.on(FindUser.self) { _ in throw CocoaError(.fileNoSuchFile) }
        let timeout = await #expect(throws: NetworkError.self) { try await mock.send(ListUsers()) }
        guard case .timeout = timeout else {
            Issue.record("\(String(describing: timeout))")
            return
        }
        let other = await #expect(throws: NetworkError.self) { try await mock.send(FindUser(id: 1)) }
        guard case .other(let error) = other, error is CocoaError else {
            Issue.record("\(String(describing: other))")
            return
        }
        #expect(mock.unexpected.isEmpty)
    }

    @Test func anUnexpectedRequestIsReportedWithWhatIsRegistered() async throws {
        let reported = Reports()
        let mock = MockNetworkService { reported.add($0.description) }
        mock.on(FindUser.self) { _ in nil }
        mock.on(.get, "posts", .json("[]"))
        let error = await #expect(throws: NetworkError.self) { try await mock.send(ListUsers()) }
        let text = "MockNetworkService: no answer for ListUsers (GET users); registered: FindUser, GET posts"
        #expect(error?.description == text)
        #expect(mock.unexpected.map(\.description) == [text])
        #expect(reported.all == [text])
        #expect(mock.calls(ListUsers.self).count == 1)
    }

    @Test func nothingRegisteredIsSaid() async throws {
        let mock = MockNetworkService()
        let error = await #expect(throws: NetworkError.self) { try await mock.send(ListUsers()) }
        #expect(error?.description == "MockNetworkService: no answer for ListUsers (GET users); nothing is registered")
    }

    @Test func anAnswerOfTheWrongTypeIsDiagnosed() async throws {
        let reported = Reports()
        let mock = MockNetworkService { reported.add($0.description) }
        mock.on(FetchUserListRequest.self) { _ in 42 }
        let error = await #expect(throws: NetworkError.self) {
            try await mock.dataTask(with: Resource<[User], FetchUserListRequest>(request: .init()))
        }
        #expect(error?.description.contains("FetchUserListRequest was answered with a value of type Int") == true)
        #expect(error?.description.contains("the caller asked for Array<User>") == true)
        #expect(reported.all.count == 1)
    }

    @Test func endpointsAreAnsweredByMethodAndPath() async throws {
        let mock = MockNetworkService()
        mock.on(.get, "users/:id") { call in .json(#"{"id": \#(call.parameters["id"] ?? ""), "full_name": "Ann"}"#) }
        mock.on(.delete, "users/**", .status(.noContent))
        let user: User = try await mock.request(Endpoint(path: "users/1"))
        #expect(user == ann)
        try await mock.request(Endpoint(path: "users/1/photos", method: .delete))
        #expect(mock.calls.map(\.method) == [.get, .delete])
    }

    @Test func theTypeComesBeforeThePath() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self) { _ in [ann] }
        mock.on(nil, "**", .json("[]"))
        #expect(try await mock.send(ListUsers()) == [ann])
    }

    @Test func aLaterAnswerReplacesAnEarlierOne() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self) { _ in [] }
        mock.on(ListUsers.self) { _ in [ann] }
        #expect(try await mock.send(ListUsers()) == [ann])
    }

    @Test func aClosureChoosesBetweenKindsOfAnswers() async throws {
        let mock = MockNetworkService()
        mock.on(FindUser.self) { request in request.id == 1 ? MockAnswer.value(ann) : .status(.gone) }
        #expect(try await mock.send(FindUser(id: 1)) == ann)
        let error = await #expect(throws: NetworkError.self) { try await mock.send(FindUser(id: 2)) }
        #expect(error?.status == .gone)
    }

    @Test func delaysAreTakenFromTheClock() async throws {
        let clock = ManualClock()
        let mock = MockNetworkService(time: clock.timeSource)
        mock.on(ListUsers.self, .value([ann]).delayed(by: .seconds(3600)))
        async let users = mock.send(ListUsers())
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3600))
        #expect(try await users == [ann])
    }

    @Test func cancellationEndsADelayedAnswer() async throws {
        let clock = ManualClock()
        let mock = MockNetworkService(time: clock.timeSource)
        mock.on(ListUsers.self, .value([ann]).delayed(by: .seconds(3600)))
        let task = Task { try await mock.send(ListUsers()) }
        try await clock.waitForSleepers(1)
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    @Test func bodiesAreStreamed() async throws {
        let mock = MockNetworkService()
        mock.on(FetchUserListRequest.self) { _ in
            HTTPResponse(head: ResponseHead(), body: .stream(StubBodySource([Data("a".utf8), Data("b".utf8)])))
        }
        var chunks: [String] = []
        for try await chunk in try await mock.stream(FetchUserListRequest()).body {
            chunks.append(String(decoding: chunk, as: UTF8.self))
        }
        #expect(chunks == ["a", "b"])
        mock.on(FetchUserListRequest.self, json: "[]")
        #expect(try await mock.stream(FetchUserListRequest()).body.collect() == Data("[]".utf8))
    }

    @Test func callsCanBeWaitedFor() async throws {
        let mock = MockNetworkService()
        mock.on(ListUsers.self) { _ in [] }
        async let waited = mock.waitForCalls(ListUsers.self, count: 2)
        _ = try await mock.send(ListUsers())
        _ = try await mock.send(ListUsers())
        #expect(try await waited.count == 2)
        await #expect(throws: WaitTimeout.self) {
            try await mock.waitForCalls(FindUser.self, timeout: .milliseconds(1))
        }
    }

    @Test func aMockByHandIsThreeLines() async throws {
        struct OneUser: NetworkServiceProtocol {
            func response<R, Q>(for resource: Resource<R, Q>) async throws(NetworkError) -> APIResponse<R> {
                APIResponse(try resource.decode(.json(#"[{"id": 1, "full_name": "Ann"}]"#)))
            }
        }
        #expect(try await UserService(network: OneUser()).names() == ["Ann"])
    }
}

/// What was reported, from any thread.
final class Reports: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var texts: [String] = []

    var all: [String] { lock.withLock { texts } }

    func add(_ text: String) { lock.withLock { texts.append(text) } }
}
