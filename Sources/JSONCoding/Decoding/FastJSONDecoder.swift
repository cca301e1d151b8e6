#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes values of `Decodable` types from JSON, six times and more as fast as Foundation's `JSONDecoder`.
///
/// ```swift
/// struct User: Decodable { let id: Int; let firstName: String }
///
/// let users = try FastJSONDecoder.snakeCaseConverting.decode([User].self, from: data)
///
/// var decoder = FastJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601
/// let event = try decoder.decode(Event.self, from: data)
/// ```
///
/// It takes the options of `JSONDecoder` and gives the same values and the same `DecodingError`s with the same coding
/// paths; an error also knows its place in the text (`DecodingError.jsonLocation`). It differs where `JSONDecoder` leaves
/// RFC 8259 or drops information:
///
/// * The whole text is checked before anything is decoded: trailing commas, UTF-16 and malformed values in places
///   nobody decodes are refused. A byte order mark is skipped.
/// * A number is decoded as an integer exactly or not at all: 1.0 and 1e2 are integers, 1.0000000000000001 is not.
/// * ISO 8601 dates keep their fraction of a second, need no offset (then they are UTC), are read in the Gregorian calendar
///   also before 1582, and must be real dates with nothing after them.
///
/// When an object has a name twice, the first member counts. The names of an `enum` used as `CodingKey` are read once per
/// type and remembered, so its `stringValue` must not change while the program runs.
///
/// One decoder may be used from many threads at once. A container or decoder that a type keeps after its `init(from:)`
/// stays valid and keeps the document in memory.
public struct FastJSONDecoder: Sendable {
    /// The options, shared with the decodes that are under way.
    private var shared = Shared(options: Options())

    /// Creates a decoder with the default options, which are those of Foundation's `JSONDecoder`.
    public init() {}

    /// A decoder that converts names from `snake_case` to `camelCase`.
    public static let snakeCaseConverting: FastJSONDecoder = {
        var decoder = FastJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    /// Decodes a value from a JSON text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a `JSONSyntaxError` underneath if the text is not JSON or exceeds
    ///   the limits; any `DecodingError` of the type being decoded; whatever else its `init(from:)` throws.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try data.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a value from the bytes of a JSON text.
    ///
    /// - Throws: As `decode(_:from:)` for `Data`.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try bytes.withUnsafeBytes { try decode(type, from: $0) }
    }

    /// Decodes a value from a JSON text in memory, which is copied.
    ///
    /// - Throws: As `decode(_:from:)` for `Data`.
    public func decode<T: Decodable>(_ type: T.Type, from bytes: UnsafeRawBufferPointer) throws -> T {
        var session = DecodingSession.take(for: shared)
        let result: T
        do {
            try session.load(bytes)
            result = try session.reader.value(T.self, at: 0, depth: 0, element: 0)
        } catch {
            DecodingSession.giveBack(&session)
            throw error
        }
        DecodingSession.giveBack(&session)
        return result
    }
}

extension FastJSONDecoder {
    /// How names in the text become the keys of types. The default is `.useDefaultKeys`.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { shared.options.keys }
        set { change { $0.keys = newValue } }
    }

    /// How dates are decoded. The default is `.deferredToDate`.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { shared.options.dates }
        set { change { $0.dates = newValue } }
    }

    /// How `Data` is decoded. The default is `.base64`.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { shared.options.data }
        set { change { $0.data = newValue } }
    }

    /// How infinities and not-a-number, which JSON has no numbers for, are decoded. The default is `.throw`.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { shared.options.floats }
        set { change { $0.floats = newValue } }
    }

    /// What the types being decoded find in `Decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { shared.options.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    /// How deep arrays and objects may be nested. The default is 512, as in Foundation.
    ///
    /// The text is read without recursion, but a recursive type decodes itself on the stack: a higher limit needs a
    /// larger one.
    public var maximumDepth: Int {
        get { shared.options.maximumDepth }
        set { change { $0.maximumDepth = max(0, newValue) } }
    }

    /// How long a text may be, in bytes. The default, and the most there can be, is 4 GiB less one byte.
    public var maximumByteCount: Int {
        get { shared.options.maximumByteCount }
        set { change { $0.maximumByteCount = min(max(0, newValue), JSONTokenizer.maximumByteCount) } }
    }

    private mutating func change(_ body: (inout Options) -> Void) {
        var options = shared.options
        body(&options)
        shared = Shared(options: options)
    }

    struct Options: Sendable {
        var keys = KeyDecodingStrategy.useDefaultKeys
        var dates = DateDecodingStrategy.deferredToDate
        var data = DataDecodingStrategy.base64
        var floats = NonConformingFloatDecodingStrategy.throw
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        var maximumDepth = 512
        var maximumByteCount = JSONTokenizer.maximumByteCount
    }

    /// The options behind one reference, so that handing them to a decode costs one retain.
    final class Shared: Sendable {
        let options: Options

        init(options: Options) {
            self.options = options
        }
    }
}
