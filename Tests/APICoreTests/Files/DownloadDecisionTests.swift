import Foundation
import Testing

@testable import APICore

struct DownloadDecisionTests {
    @Test(
        arguments: [
            ("bytes 0-499/1234", 0..<500, 1234), ("bytes 500-999/*", 500..<1000, nil), ("bytes */1234", nil, 1234),
            ("Bytes  0-0/1", 0..<1, 1), ("  bytes 1-1/2  ", 1..<2, 2),
        ] as [(String, Range<Int>?, Int?)])
    func contentRanges(_ text: String, _ range: Range<Int>?, _ total: Int?) {
        let parsed = ContentRange(text)
        #expect(parsed != nil)
        #expect(parsed?.range == range)
        #expect(parsed?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-499", "bytes 5-4/10", "bytes 0-10/10", "bytes */*", "items 0-4/10", "bytes 0-4/x",
        "bytes -4/10", "bytes 0-/10", "bytes +0-4/10", "bytes 0-4/10/3", "bytes 0-4, 6-8/10", "bytes 0-4/-1",
        "bytes 0-9223372036854775807/*", "bytes 0-4/99999999999999999999", "bytes=0-4/10",
    ])
    func wrongContentRanges(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func fuzzContentRanges() {
        var random = SeededGenerator(seed: 2)
        let pieces = ["bytes", " ", "0", "9", "-", "/", "*", "9223372036854775807", "x", "\u{0}"]
        for _ in 0..<3000 {
            var text = Bool.random(using: &random) ? "bytes " : ""
            for _ in 0..<Int.random(in: 0..<7, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            guard let parsed = ContentRange(text) else { continue }
            if let range = parsed.range { #expect(!range.isEmpty && range.upperBound <= parsed.total ?? .max) }
        }
    }

    private func validator(_ headers: HTTPHeaders) -> StrongValidator? {
        StrongValidator(ResponseHead(headers: headers))
    }

    @Test func strongValidators() {
        let date = "Tue, 01 Dec 2026 00:00:00 GMT"
        #expect(validator([.etag: "\"a\""]) == .etag("\"a\""))
        #expect(validator([.etag: "\"\""]) == .etag("\"\""))
        #expect(validator([.etag: "W/\"a\""]) == nil)
        #expect(validator([.etag: "a"]) == nil)
        #expect(validator([.etag: "W/\"a\"", .lastModified: "Mon, 30 Nov 2026 00:00:00 GMT", .date: date]) == nil)
        #expect(
            validator([.lastModified: "Mon, 30 Nov 2026 00:00:00 GMT", .date: date])
                == .lastModified("Mon, 30 Nov 2026 00:00:00 GMT"))
        #expect(validator([.lastModified: "Mon, 30 Nov 2026 23:59:30 GMT", .date: date]) == nil)
        #expect(validator([.lastModified: "Mon, 30 Nov 2026 00:00:00 GMT"]) == nil)
        #expect(validator([.lastModified: "yesterday", .date: date]) == nil)
        #expect(validator([:]) == nil)
    }

    private func decide(
        _ status: HTTPStatusCode, _ headers: HTTPHeaders, requested: Range<Int>? = 500..<Int.max, total: Int? = 1000
    ) -> String {
        let decision = DownloadDecision(
            ResponseHead(status: status, headers: headers), requested: requested, validator: .etag("\"v1\""),
            knownTotal: total)
        switch decision {
        case .append(let total): return "append \(total.map { "\($0)" } ?? "?")"
        case .startOver(let total): return "start over \(total.map { "\($0)" } ?? "?")"
        case .askAgain: return "ask again"
        case .fail(.api(let error)): return "fail \(error.status.rawValue)"
        case .fail: return "fail"
        }
    }

    @Test func answersToARange() {
        #expect(decide(206, [.contentRange: "bytes 500-999/1000"]) == "append 1000")
        #expect(decide(206, [.contentRange: "bytes 500-999/1000", .etag: "\"v1\""]) == "append 1000")
        #expect(decide(206, [.contentRange: "bytes 500-599/*"]) == "append 1000")
        // Less than was asked for is allowed (RFC 9110 section 15.3.7).
        #expect(decide(206, [.contentRange: "bytes 500-599/1000"]) == "append 1000")
        // Another copy, or another place.
        #expect(decide(206, [.contentRange: "bytes 500-999/1000", .etag: "\"v2\""]) == "ask again")
        #expect(decide(206, [.contentRange: "bytes 500-1999/2000"]) == "ask again")
        #expect(decide(206, [.contentRange: "bytes 0-999/1000"]) == "ask again")
        #expect(decide(206, [.contentRange: "bytes 501-999/1000"]) == "ask again")
        #expect(decide(206, [:]) == "ask again")
        #expect(decide(206, [.contentType: "multipart/byteranges; boundary=x"]) == "ask again")
        #expect(decide(206, [.contentRange: "bytes 500-999/1000", .contentEncoding: "gzip"]) == "ask again")
        #expect(decide(206, [.contentRange: "bytes 500-999/1000"], requested: 500..<600) == "ask again")
        #expect(decide(416, [.contentRange: "bytes */400"]) == "ask again")
        #expect(decide(200, [.contentLength: "1200"]) == "start over 1200")
        #expect(decide(200, [:]) == "start over ?")
        #expect(decide(200, [.contentLength: "12", .contentEncoding: "gzip"]) == "start over ?")
        #expect(decide(404, [:]) == "fail 404")
        #expect(decide(304, [:]) == "fail 304")
    }

    @Test func answersToARequestForEverything() {
        #expect(decide(200, [.contentLength: "10"], requested: nil, total: nil) == "start over 10")
        #expect(decide(206, [.contentRange: "bytes 0-9/10"], requested: nil, total: nil) == "fail")
        #expect(decide(416, [:], requested: nil, total: nil) == "fail 416")
    }

    private let state = DownloadState(identity: "i", validator: .etag("\"a\""), total: 1000)

    @Test func statesSurviveTheDisk() {
        var segments = state
        segments.layout = .segments(size: 300, completed: [0, 1, 3])
        for state in [state, segments] {
            #expect(DownloadState(state.encoded(), identity: "i") == state)
            #expect(DownloadState(state.encoded(), identity: "other") == nil)
        }
        #expect(state.completePrefix(fileSize: 700) == 700)
        #expect(state.completePrefix(fileSize: 1700) == 1000)
        #expect(state.completeSegments(size: 300, fileSize: 700) == [0, 1])
        #expect(state.completeSegments(size: 300, fileSize: 1000) == [0, 1, 2, 3])
        #expect(segments.completePrefix(fileSize: 1000) == 600)
        #expect(segments.completeSegments(size: 300, fileSize: 1000) == [0, 1, 3])
        #expect(segments.completeSegments(size: 200, fileSize: 1000) == [0, 1, 2])
        // A file that is shorter than its state says holds less.
        #expect(segments.completeSegments(size: 300, fileSize: 500) == [0])
    }

    @Test func damagedStatesAreNone() {
        var random = SeededGenerator(seed: 4)
        var segments = state
        segments.layout = .segments(size: 300, completed: [0, 1, 3])
        for original in [state.encoded(), segments.encoded()] {
            for _ in 0..<500 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
                }
                guard let state = DownloadState(bytes, identity: "i") else { continue }
                for size in [0, 500, 1000, Int.max] {
                    #expect(0...size ~= state.completePrefix(fileSize: size))
                    for index in state.completeSegments(size: 300, fileSize: min(size, 2000)) {
                        #expect(index >= 0)
                    }
                }
            }
        }
        #expect(DownloadState([], identity: "i") == nil)
        for text in [
            #"{"layout":{"segments":{"size":0,"completed":[0]}}}"#,
            #"{"version":1,"identity":"i","validator":{"etag":{"_0":"\"a\""}},"total":-1,"layout":{"sequential":{}}}"#,
            #"{"version":1,"identity":"i","validator":{"etag":{"_0":"a\r\nb"}},"layout":{"sequential":{}}}"#,
            #"{"version":2,"identity":"i","validator":{"etag":{"_0":"\"a\""}},"layout":{"sequential":{}}}"#,
            #"{"version":1,"identity":"i","validator":{"etag":{"_0":"x"}},"total":9,"layout":{"segments":{"size":3,"completed":[3]}}}"#,
        ] {
            #expect(DownloadState(Array(text.utf8), identity: "i") == nil)
        }
    }

    @Test func rates() {
        var meter = RateMeter(window: .seconds(4))
        let start = ContinuousClock.now
        #expect(meter.add(0, at: start) == 0)
        #expect(meter.add(1000, at: start + .seconds(1)) == 1000)
        #expect(meter.add(4000, at: start + .seconds(2)) == 2000)
        // What is older than the window does not count.
        for second in 3...20 { _ = meter.add(4000, at: start + .seconds(second)) }
        #expect(meter.add(4000, at: start + .seconds(21)) == 0)
        #expect(meter.add(0, at: start + .seconds(22)) == 0)
        #expect(meter.add(50, at: start + .seconds(22)) == 0)
        #expect(meter.add(100, at: start + .seconds(23)) == 100)

        let progress = TransferProgress(bytes: 250, total: 1000, bytesPerSecond: 50)
        #expect(progress.fraction == 0.25)
        #expect(progress.remaining == .seconds(15))
        #expect(TransferProgress(bytes: 0, total: 0).fraction == 1)
        #expect(TransferProgress(bytes: 5).fraction == nil)
        #expect(
            TransferProgress(bytes: 0, total: .max, bytesPerSecond: .leastNonzeroMagnitude).remaining == .seconds(1e9))
    }
}
