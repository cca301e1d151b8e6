/// The place of a request in a distributed trace (W3C Trace Context, Recommendation of 23 November 2021).
///
/// ```swift
/// let incoming = TraceContext(headers: request.headers)       // in a server, from the request it serves
/// try await TraceContext.$current.withValue(incoming) {
///     try await client.send(ListUsers())                      // continues the trace
/// }
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The trace of the current task, which requests continue.
    @TaskLocal public static var current: TraceContext?

    /// The trace: 32 lower-case hexadecimal digits, not all zero.
    public let traceID: String
    /// The span that makes the call: 16 lower-case hexadecimal digits, not all zero.
    public let parentID: String
    /// The flags; bit 0 says that the caller records the trace (section 3.2.2.5).
    public let flags: UInt8
    /// What tracing systems add, passed on as it is (section 3.3).
    public let state: String?

    /// Whether the caller records the trace.
    public var isSampled: Bool { flags & 1 == 1 }

    /// The value of the `traceparent` field, in version 00.
    public var traceparent: String {
        "00-\(traceID)-\(parentID)-" + TraceContext.hex(UInt64(flags), digits: 2)
    }

    /// Reads the fields of a request or response; `nil` when `traceparent` is missing, given twice, or malformed
    /// (section 3.2).
    public init?(headers: HTTPHeaders) {
        let parents = headers.values(for: .traceparent)
        guard parents.count == 1 else { return nil }
        self.init(traceparent: parents[0], tracestate: headers[joined: "tracestate"])
    }

    /// Reads the values of the fields.
    ///
    /// A version above 00 is read as far as it is known (section 4.3); `ff` is no version. A `tracestate` of more than
    /// 32 members, or with one that is no `key=value`, is dropped, and the trace goes on without it (section 3.3.1.1).
    public init?(traceparent: String, tracestate: String? = nil) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = TraceContext.number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || (version > 0 && bytes[55] == dash),
            TraceContext.isIdentifier(bytes[3..<35]), TraceContext.isIdentifier(bytes[36..<52]),
            let flags = TraceContext.number(bytes[53..<55])
        else { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
        parentID = String(decoding: bytes[36..<52], as: UTF8.self)
        self.flags = flags
        state = tracestate.flatMap { TraceContext.isState($0) ? $0 : nil }
    }

    private init(traceID: String, parentID: String, flags: UInt8, state: String?) {
        self.traceID = traceID
        self.parentID = parentID
        self.flags = flags
        self.state = state
    }

    /// Starts a trace.
    public static func generate(isSampled: Bool = true, random: RandomSource = .system) -> TraceContext {
        TraceContext(
            traceID: identifier(words: 2, random: random), parentID: identifier(words: 1, random: random),
            flags: isSampled ? 1 : 0, state: nil)
    }

    /// The same trace with a new span, for a call within this one. Flags that are not known are cleared
    /// (section 3.2.2.5.2).
    public func child(random: RandomSource = .system) -> TraceContext {
        TraceContext(
            traceID: traceID, parentID: TraceContext.identifier(words: 1, random: random), flags: flags & 1,
            state: state)
    }

    private static func identifier(words: Int, random: RandomSource) -> String {
        var numbers = (0..<words).map { _ in random.next() }
        // All zero means no identifier.
        if numbers.allSatisfy({ $0 == 0 }) { numbers[words - 1] = 1 }
        return numbers.map { hex($0, digits: 16) }.joined()
    }

    private static func hex(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        guard bytes.allSatisfy(isLowerHex) else { return nil }
        return UInt8(String(decoding: bytes, as: UTF8.self), radix: 16)
    }

    private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy(isLowerHex) && bytes.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isState(_ text: String) -> Bool {
        let members = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingOWS }
            .filter { !$0.isEmpty }
        guard !members.isEmpty, members.count <= 32 else { return false }
        return members.allSatisfy { member in
            guard let equals = member.firstIndex(of: "="), equals > member.startIndex else { return false }
            let key = member[..<equals]
            let value = member[member.index(after: equals)...]
            return key.utf8.count <= 256 && !value.isEmpty && value.utf8.count <= 256
                && key.utf8.allSatisfy { byte in
                    byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || "_-*/@".utf8.contains(byte)
                }
                && value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
        }
    }
}
