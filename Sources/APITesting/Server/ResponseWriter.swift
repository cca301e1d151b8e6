internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Turns a ``StubResponse`` into bytes, pauses and faults: asked for the next action, no I/O, no clock.
struct ResponseWriter {
    /// What the connection has to do next.
    enum Action {
        /// Send all of it, then ask again.
        case send(ArraySlice<UInt8>)
        /// Let the time pass, then ask again.
        case wait(Duration)
        /// Run the closure; hand what it writes to ``ResponseWriter/push(_:)``, then ask again.
        case runStream(@Sendable (StubBodyWriter) async throws -> Void)
        /// Wait for the closure to write more.
        case awaitStream
        /// The response is complete.
        case finished(closing: Bool)
        /// It breaks here.
        case fault(StubResponse.Fault)
    }

    private enum Step {
        case wait(Duration)
        case bytes([UInt8])
        case startCounting
        case generate(Range<Int>, @Sendable (Range<Int>) -> Data)
        case runStream(@Sendable (StubBodyWriter) async throws -> Void)
        case stream
    }

    private static let pieceSize = 64 * 1024

    private var steps: ArraySlice<Step>
    private var pending: ArraySlice<UInt8> = []
    private var isChunked = false
    private var closes: Bool
    private let drip: (bytes: Int, every: Duration, fromHead: Bool)?
    private var dripStart = 0
    private var owesPause = false
    private var fault: StubResponse.Fault?
    private var faultPosition = Int.max
    /// Bytes of the final response so far; `nil` until it begins.
    private var position: Int?
    private var streamEnded = false

    /// Lays out a response.
    ///
    /// - Parameters:
    ///   - response: What is to be sent.
    ///   - method: The request's method: HEAD gets no body.
    ///   - version: The request's version: HTTP/1.0 gets no chunks.
    ///   - keepsAlive: Whether the client wants the connection kept.
    init(_ response: StubResponse, method: String, version: HTTPVersion, keepsAlive: Bool) {
        drip = response.drip
        closes = response.closesConnection || !keepsAlive
        var steps: [Step] = []
        if response.delay > .zero { steps.append(.wait(response.delay)) }
        if case .raw(let data) = response.body {
            let bytes = [UInt8](data)
            steps += [.startCounting, .bytes(bytes)]
            self.steps = steps[...]
            setMarks(response, headLength: ResponseWriter.headLength(of: bytes))
            return
        }
        for interim in response.interim {
            steps.append(.bytes(ResponseWriter.head(interim.status, nil, interim.headers)))
        }
        self.steps = []
        let layout = Layout(response, method: method, version: version)
        isChunked = layout.isChunked
        closes = closes || layout.needsClose
        var headers = response.headers
        headers.merge(layout.framing)
        if closes, !headers.contains(.connection) { headers.append("close", for: .connection) }
        var head = ResponseWriter.head(response.status, response.reason, headers)
        setMarks(response, headLength: head.count)
        steps.append(.startCounting)
        // A small body goes out with its head, as real servers send it.
        if case .bytes(let data) = response.body, layout.sendsBody, !isChunked, response.bodyDelay == .zero,
            data.count <= ResponseWriter.pieceSize
        {
            head += data
            steps.append(.bytes(head))
        } else {
            steps.append(.bytes(head))
            if response.bodyDelay > .zero { steps.append(.wait(response.bodyDelay)) }
            if layout.sendsBody { appendBody(of: response, to: &steps) }
        }
        self.steps = steps[...]
    }

    private mutating func setMarks(_ response: StubResponse, headLength: Int) {
        dripStart = response.drip?.fromHead == true ? 0 : headLength
        guard let (fault, position) = response.fault else { return }
        self.fault = fault
        switch position {
        case .byte(let count): faultPosition = max(count, 0)
        case .bodyByte(let count): faultPosition = headLength.addingReportingOverflow(max(count, 0)).partialValue
        }
    }

    private func appendBody(of response: StubResponse, to steps: inout [Step]) {
        switch response.body {
        case .none, .raw: break
        case .bytes(let data): if !data.isEmpty { steps.append(.bytes(framed([UInt8](data)))) }
        case .chunks(let chunks):
            for chunk in chunks where !chunk.isEmpty { steps.append(.bytes(framed([UInt8](chunk)))) }
        case .generated(let length, let make): steps.append(.generate(0..<max(length, 0), make))
        case .stream(let write): steps += [.runStream(write), .stream]
        }
        if isChunked {
            let end = "0\r\n" + response.trailers.map { "\($0.name.rawValue): \($0.value)\r\n" }.joined() + "\r\n"
            steps.append(.bytes(Array(end.utf8)))
        }
    }

    /// The next thing to do.
    mutating func next() -> Action {
        while true {
            if let position, position >= faultPosition, let fault { return .fault(fault) }
            if !pending.isEmpty { return takePiece() }
            guard let step = steps.first else {
                if let fault { return .fault(fault) }
                return .finished(closing: closes)
            }
            switch step {
            case .wait(let duration):
                steps.removeFirst()
                return .wait(duration)
            case .bytes(let bytes):
                steps.removeFirst()
                pending = bytes[...]
            case .startCounting:
                steps.removeFirst()
                position = 0
            case .generate(let range, let make):
                steps.removeFirst()
                guard !range.isEmpty else { continue }
                let piece = range.lowerBound..<min(range.upperBound, range.lowerBound + ResponseWriter.pieceSize)
                steps = [.generate(piece.upperBound..<range.upperBound, make)] + steps
                var bytes = [UInt8](make(piece).prefix(piece.count))
                if bytes.count < piece.count { bytes += repeatElement(0, count: piece.count - bytes.count) }
                pending = framed(bytes)[...]
            case .runStream(let write):
                steps.removeFirst()
                return .runStream(write)
            case .stream:
                guard streamEnded else { return .awaitStream }
                steps.removeFirst()
            }
        }
    }

    /// Takes what the closure of a streamed body has written.
    mutating func push(_ bytes: [UInt8]) {
        pending += framed(bytes)
    }

    /// The closure of a streamed body has ended; after an error the connection is closed within the body.
    mutating func endStream(failed: Bool) {
        streamEnded = true
        guard failed else { return }
        steps = []
        fault = fault ?? .close
    }

    /// Whether everything pushed so far has been taken.
    var isDrained: Bool { pending.isEmpty }

    private mutating func takePiece() -> Action {
        var count = pending.count
        if let position {
            count = min(count, faultPosition - position)
            if let drip {
                if position < dripStart {
                    count = min(count, dripStart - position)
                } else {
                    if owesPause {
                        owesPause = false
                        return .wait(drip.every)
                    }
                    owesPause = true
                    count = min(count, drip.bytes)
                }
            }
            self.position = position + count
        }
        let piece = pending.prefix(count)
        pending.removeFirst(count)
        return .send(piece)
    }

    private func framed(_ bytes: [UInt8]) -> [UInt8] {
        guard isChunked, !bytes.isEmpty else { return bytes }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
    }

    private static func head(_ status: HTTPStatusCode, _ reason: String?, _ headers: HTTPHeaders) -> [UInt8] {
        var text = "HTTP/1.1 \(status.rawValue) \(reason ?? status.reasonPhrase)\r\n"
        for field in headers { text += "\(field.name.rawValue): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    private static func headLength(of bytes: [UInt8]) -> Int {
        bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
    }
}

/// How a response is framed.
private struct Layout {
    /// The header field that tells the end of the body.
    var framing: HTTPHeaders = [:]
    var isChunked = false
    var sendsBody: Bool
    /// Whether only the end of the connection ends the body.
    var needsClose = false

    init(_ response: StubResponse, method: String, version: HTTPVersion) {
        sendsBody = method != "HEAD" && !response.status.hasNoBody
        let length: Int?
        switch response.body {
        case .none: length = 0
        case .bytes(let data): length = data.count
        case .generated(let count, _): length = count
        case .chunks(let chunks): length = response.framing == .automatic ? nil : chunks.reduce(0) { $0 + $1.count }
        case .stream, .raw: length = nil
        }
        if response.headers.contains(.transferEncoding) { return }
        if let text = response.headers[.contentLength] {
            if sendsBody, let length, let announced = Int(text), announced > length { needsClose = true }
            return
        }
        switch response.framing {
        case .automatic:
            if response.status.isInformational || response.status == .noContent { return }
            if response.status == .notModified, case .none = response.body { return }
            if let length {
                framing = [.contentLength: String(length)]
            } else if version == .http1_0 {
                needsClose = true
            } else {
                chunk()
            }
        case .contentLength(let announced):
            framing = [.contentLength: String(announced)]
            if sendsBody, length.map({ announced > $0 }) ?? false { needsClose = true }
        case .chunked: chunk()
        case .untilClose: needsClose = true
        }
    }

    private mutating func chunk() {
        framing = [.transferEncoding: "chunked"]
        isChunked = true
    }
}
