#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the cache keeps in the metadata of a storage's entry.
enum StoredRecord: Equatable {
    /// A response, whose body is the entry's.
    case response(StoredResponse)
    /// A pointer to responses that depend on request header fields.
    case variants(Variants)

    /// Which request header fields select among the responses of a URL.
    struct Variants: Equatable {
        /// Part of the keys of the responses: with a new one, those before are out of reach.
        var generation: UInt64
        /// Sets of field names, the latest first.
        var nameSets: [[String]]

        /// How many sets are kept: servers that send more than these mean something else.
        static let limit = 4
    }

    private static let version: UInt8 = 1

    var encoded: Data {
        var writer = RecordWriter()
        writer.byte(Self.version)
        switch self {
        case .response(let response):
            writer.byte(0)
            writer.number(UInt64(bitPattern: Int64(response.status.rawValue)))
            writer.number(response.identifier)
            writer.number(response.requestTime.bitPattern)
            writer.number(response.responseTime.bitPattern)
            writer.number(response.initialAge.bitPattern)
            writer.number(response.lifetime.bitPattern)
            writer.count(response.selectingFields.fields.count)
            for field in response.selectingFields.fields {
                writer.text(field.name)
                writer.byte(field.value == nil ? 0 : 1)
                if let value = field.value { writer.text(value) }
            }
            writer.count(response.headers.count)
            for field in response.headers {
                writer.text(field.name.rawValue)
                writer.text(field.value)
            }
        case .variants(let variants):
            writer.byte(1)
            writer.number(variants.generation)
            writer.count(variants.nameSets.count)
            for names in variants.nameSets {
                writer.count(names.count)
                for name in names { writer.text(name) }
            }
        }
        return Data(writer.bytes)
    }

    /// Reads a record; `nil` for anything that is not one: a storage may be shared with others.
    init?(_ data: Data) {
        let record = data.withUnsafeBytes { bytes -> StoredRecord? in
            var reader = RecordReader(bytes: bytes)
            guard reader.byte() == Self.version, let kind = reader.byte() else { return nil }
            let record = kind == 0 ? Self.readResponse(&reader) : kind == 1 ? Self.readVariants(&reader) : nil
            return reader.isAtEnd ? record : nil
        }
        guard let record else { return nil }
        self = record
    }

    private static func readResponse(_ reader: inout RecordReader) -> StoredRecord? {
        guard let status = reader.number(), let identifier = reader.number(),
            let requestTime = reader.double(), let responseTime = reader.double(),
            let initialAge = reader.double(), let lifetime = reader.double(), let fieldCount = reader.count()
        else { return nil }
        var fields: [SelectingFields.Field] = []
        for _ in 0..<fieldCount {
            guard let name = reader.text(), let flag = reader.byte() else { return nil }
            var value: String?
            if flag == 1 {
                guard let text = reader.text() else { return nil }
                value = text
            }
            fields.append(SelectingFields.Field(name: name, value: value))
        }
        guard let headerCount = reader.count() else { return nil }
        var headers = HTTPHeaders()
        headers.reserveCapacity(headerCount)
        for _ in 0..<headerCount {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            headers.append(value, for: HTTPHeaderKey(name))
        }
        return .response(
            StoredResponse(
                status: HTTPStatusCode(Int(Int64(bitPattern: status))), headers: headers, requestTime: requestTime,
                responseTime: responseTime, selectingFields: SelectingFields(fields: fields), identifier: identifier,
                initialAge: initialAge, lifetime: lifetime))
    }

    private static func readVariants(_ reader: inout RecordReader) -> StoredRecord? {
        guard let generation = reader.number(), let setCount = reader.count(), setCount <= Variants.limit else {
            return nil
        }
        var sets: [[String]] = []
        for _ in 0..<setCount {
            guard let count = reader.count() else { return nil }
            var names: [String] = []
            for _ in 0..<count {
                guard let name = reader.text() else { return nil }
                names.append(name)
            }
            sets.append(names)
        }
        return .variants(Variants(generation: generation, nameSets: sets))
    }
}

/// Numbers little-endian, texts and lists after their length in four bytes.
private struct RecordWriter {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func count(_ count: Int) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

private struct RecordReader {
    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func byte() -> UInt8? { take(1)?[0] }

    mutating func number() -> UInt64? {
        take(8).map { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// A time or duration; nothing that arithmetic could stumble over.
    mutating func double() -> Double? {
        guard let number = number().map({ Double(bitPattern: $0) }), number.isFinite, number.magnitude < 1e12 else {
            return nil
        }
        return number
    }

    /// A length, which the rest of the bytes must be able to hold.
    mutating func count() -> Int? {
        guard let count = take(4).map({ Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }),
            count <= bytes.count - position
        else { return nil }
        return count
    }

    mutating func text() -> String? {
        guard let count = count(), let text = take(count) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
