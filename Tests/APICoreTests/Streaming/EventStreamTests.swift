import Foundation
import Testing

@testable import APICore

struct EventStreamTests {
    private struct Prices: Requestable { let path = "prices" }
    private struct Completion: Requestable {
        let path = "completions"
        let method = HTTPMethod.post
        let body = ["prompt": "hi"]
    }
    private struct Delta: Codable, Sendable, Equatable { let text: String }

    private static let steady = ReconnectionPolicy(jitter: 0)

    private func collect(_ stream: EventStream) async -> (events: [ServerSentEvent], error: NetworkError?) {
        var events: [ServerSentEvent] = []
        do throws(NetworkError) {
            for try await event in stream { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    @Test func connectsAgainWithTheLastEventID() async throws {
        let sleeps = RecordedSleeps()
        let transport = ScriptedTransport { (_, index) async throws(NetworkError) in
            switch index {
            case 0: .events("retry: 250\nid: 1\ndata: a\n\n", "id: 2\nda", "ta: b\n\nid: 3\ndata: lost")
            case 1: .events("data: c\n\n", error: .connectionLost)
            default: HTTPResponse(status: .noContent)
            }
        }
        let stream = try transport.client(time: sleeps.time)
            .events(for: Prices(), options: EventStreamOptions(reconnection: Self.steady))
        let (events, error) = await collect(stream)
        #expect(error == nil)
        #expect(
            events == [
                ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "b", id: "2"),
                ServerSentEvent(data: "c", id: "2"),
            ])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2", "2"])
        #expect(transport.requests.allSatisfy { $0.headers[.accept] == "text/event-stream" })
        #expect(transport.requests.allSatisfy { $0.delivery == .streamed && $0.context.operation != nil })
        #expect(transport.requests[0].summary.operation == "Prices")
        #expect(sleeps.durations == [.milliseconds(250), .milliseconds(250)])
    }

    @Test func goesOnWhereAnotherProcessStopped() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in HTTPResponse(status: .noContent) }
        _ = await collect(
            try transport.client().events(for: Prices(), options: EventStreamOptions(lastEventID: "41")))
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == ["41"])
    }

    @Test func anEventIDThatIsNoHeaderFieldIsNotSent() async throws {
        let transport = ScriptedTransport { (_, index) async throws(NetworkError) in
            index == 0 ? .events("id: a\u{7}b\ndata: x\n\n") : HTTPResponse(status: .noContent)
        }
        let (events, error) = await collect(try transport.client().events(for: Prices()))
        #expect(events.count == 1 && error == nil)
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil])
    }

    @Test func theDelayDoublesWhileItFails() async throws {
        let sleeps = RecordedSleeps()
        let transport = ScriptedTransport { (_, index) async throws(NetworkError) in
            if index == 3 { return .events("data: x\n\n") }
            throw .connectionLost
        }
        let policy = ReconnectionPolicy(maximumAttempts: 3, delay: .seconds(1), maximumDelay: .seconds(3), jitter: 0)
        let stream = try transport.client(time: sleeps.time)
            .events(for: Prices(), options: EventStreamOptions(reconnection: policy))
        let (events, error) = await collect(stream)
        #expect(events.count == 1)
        guard case .connectivity = error else { Issue.record("\(String(describing: error))"); return }
        // An event starts the count again.
        #expect(sleeps.durations == [1, 2, 3, 1, 2, 3].map { .seconds($0) })
        #expect(transport.requests.count == 7)
    }

    @Test func jitterMakesTheDelayLonger() {
        let policy = ReconnectionPolicy(delay: .seconds(10), jitter: 0.5, random: { 0.5 })
        #expect(policy.delay(afterFailures: 0, serverDelay: nil) == .seconds(12.5))
    }

    @Test func aBusyServerIsAskedAgainWhenItSaysSo() async throws {
        let sleeps = RecordedSleeps()
        let transport = ScriptedTransport { (_, index) async throws(NetworkError) in
            switch index {
            case 0: HTTPResponse(status: .serviceUnavailable, headers: [.retryAfter: "7"])
            case 1: .events("data: x\n\n")
            default: HTTPResponse(status: .noContent)
            }
        }
        let (events, error) = await collect(
            try transport.client(time: sleeps.time)
                .events(for: Prices(), options: EventStreamOptions(reconnection: Self.steady)))
        #expect(events.count == 1 && error == nil)
        #expect(sleeps.durations.first == .seconds(7))
    }

    @Test func otherStatusesAndTypesAreFinal() async throws {
        let notFound = ScriptedTransport { (_, _) async throws(NetworkError) in HTTPResponse(status: .notFound) }
        #expect(await collect(try notFound.client().events(for: Prices())).error?.status == .notFound)
        #expect(notFound.requests.count == 1)

        let html = ScriptedTransport { (_, _) async throws(NetworkError) in
            HTTPResponse(status: .ok, headers: [.contentType: "text/html"], body: Data("<p>".utf8))
        }
        guard case .invalidResponse = await collect(try html.client().events(for: Prices())).error else {
            Issue.record("expected an invalid response")
            return
        }
        #expect(html.requests.count == 1)
    }

    @Test func aPostIsNotSentAgain() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in .events("data: {\"text\":\"a\"}\n\n") }
        var deltas: [Delta] = []
        for try await delta in try transport.client().events(of: Delta.self, for: Completion()) {
            deltas.append(delta)
        }
        #expect(deltas == [Delta(text: "a")])
        #expect(transport.requests.count == 1)
        #expect(transport.requests[0].body.length ?? 0 > 0)
    }

    @Test func theEndMarkerEndsTheStream() async throws {
        let body = ScriptedBody([
            Data("data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\ndata: {\"text\":\"c\"}\n\n".utf8),
            Data("never read".utf8),
        ])
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            HTTPResponse(
                head: ResponseHead(headers: [.contentType: "text/event-stream"]), body: .stream(body))
        }
        var deltas: [Delta] = []
        let options = EventStreamOptions(endMarker: "[DONE]")
        for try await delta in try transport.client().events(of: Delta.self, for: Completion(), options: options) {
            deltas.append(delta)
        }
        #expect(deltas == [Delta(text: "a"), Delta(text: "b")])
        #expect(body.isCancelled && body.remaining == 1)
    }

    @Test func aStreamThatEndsBeforeItsMarkerIsTruncated() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in .events("data: a\n\n") }
        let options = EventStreamOptions(endMarker: "[DONE]")
        let (events, error) = await collect(try transport.client().events(for: Completion(), options: options))
        #expect(events.count == 1)
        guard case .truncated = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test func eventsOfOtherTypesAreLeftOut() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            .events("event: ping\ndata: -\n\nevent: delta\ndata: {\"text\":\"a\"}\n\n")
        }
        var deltas: [Delta] = []
        let stream = try transport.client().events(of: Delta.self, for: Completion(), types: ["delta"])
        for try await delta in stream { deltas.append(delta) }
        #expect(deltas == [Delta(text: "a")])
    }

    @Test func dataOfAnotherTypeIsADecodingErrorAndTheStreamGoesOn() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            .events("data: nonsense\n\ndata: {\"text\":\"a\"}\n\n")
        }
        var iterator = try transport.client().events(of: Delta.self, for: Completion()).makeAsyncIterator()
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == Delta(text: "a"))
        #expect(try await iterator.next() == nil)
    }

    @Test func cancellingEndsIt() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in throw .connectionLost }
        var time = TimeSource.instant
        time.sleep = { _ in try await Task.sleep(for: .seconds(3600)) }
        let client = try transport.client(time: time)
        let task = Task { await collect(client.events(for: Prices())) }
        task.cancel()
        #expect(await task.value.error?.isCancellation == true)
    }

    @Test func aServerThatOnlyEndsStreamsIsNotAskedForEver() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in .events(": hello\n\n") }
        let (events, error) = await collect(try transport.client().events(for: Prices()))
        #expect(events.isEmpty)
        guard case .connectivity = error else { Issue.record("\(String(describing: error))"); return }
        #expect(transport.requests.count == 9)
    }

    @Test func jsonLines() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            .streamed(["{\"text\":\"a\"}\n{\"te", "xt\":\"b\"}\r\n\n", "{\"text\":\"c\"}"])
        }
        var rows: [Delta] = []
        for try await row in try transport.client().jsonLines(of: Delta.self, for: Prices()) { rows.append(row) }
        #expect(rows.map(\.text) == ["a", "b", "c"])
        #expect(transport.requests[0].headers[.accept]?.contains("ndjson") == true)
    }

    @Test func jsonSequenceSkipsWhatWasCutOff() async throws {
        let stream = ["\u{1E}{\"text\":\"a\"}\n\u{1E}{\"te", "\u{1E}{\"text\":\"b\"}\n\u{1E}{\"text\":1}\n"]
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in .streamed(stream) }
        let client = try transport.client()
        var rows: [Delta] = []
        for try await row in client.jsonSequence(of: Delta.self, for: Prices(), invalidRecords: .skip) {
            rows.append(row)
        }
        #expect(rows.map(\.text) == ["a", "b"])

        var iterator = client.jsonSequence(of: Delta.self, for: Prices()).makeAsyncIterator()
        #expect(try await iterator.next() == Delta(text: "a"))
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == Delta(text: "b"))
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func aLostConnectionEndsJSONLinesWithAnError() async throws {
        let transport = ScriptedTransport { (_, _) async throws(NetworkError) in
            .streamed(["{\"text\":\"a\"}\n{\"text\":\"b\"}"], error: .connectionLost)
        }
        var iterator = try transport.client().jsonLines(of: Delta.self, for: Prices()).makeAsyncIterator()
        #expect(try await iterator.next() == Delta(text: "a"))
        // The second record may be cut off: it is not given out.
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}
