internal import APICore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Replaces secrets by ``SensitiveNames/placeholder`` in what a recording keeps.
struct SecretRedactor: Sendable {
    let names: SensitiveNames

    func fields(_ headers: HTTPHeaders) -> [RecordedExchange.Field] {
        headers.map { field in
            let value = names.containsHeader(field.name) ? SensitiveNames.placeholder : field.value
            return RecordedExchange.Field(name: field.name.rawValue, value: value)
        }
    }

    func url(_ url: RequestURL) -> String { url.redacted(names) }

    /// The body with the values of sensitive fields replaced, where the media type says it has fields.
    func body(_ data: Data, mediaType: String?) -> Data {
        guard let type = mediaType.flatMap({ MediaType($0) }) else { return data }
        if type.isJSON { return json(data) }
        if type.essence == "application/x-www-form-urlencoded" { return form(data) }
        return data
    }

    /// Replaces in place, so that everything else keeps its bytes.
    private func json(_ data: Data) -> Data {
        var scanner = JSONSecretScanner(bytes: [UInt8](data), names: names)
        return Data(scanner.redacted())
    }

    private func form(_ data: Data) -> Data {
        let items = String(decoding: data, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)
        let redacted = items.map { item -> String in
            guard let equals = item.firstIndex(of: "="), names.containsField(item[..<equals].formDecoded) else {
                return String(item)
            }
            return item[...equals] + SensitiveNames.placeholder
        }
        return Data(redacted.joined(separator: "&").utf8)
    }
}

/// Finds the values of sensitive members in JSON text and replaces each by a string. Text that is no JSON passes
/// through as far as it makes no sense.
struct JSONSecretScanner {
    private let bytes: [UInt8]
    private let names: SensitiveNames
    private var index = 0
    private var output: [UInt8] = []

    init(bytes: [UInt8], names: SensitiveNames) {
        self.bytes = bytes
        self.names = names
    }

    mutating func redacted() -> [UInt8] {
        output.reserveCapacity(bytes.count)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let key = takeString()
            let afterKey = index
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":"), isSensitive(key) else {
                index = afterKey
                continue
            }
            index += 1
            skipSpace()
            output += bytes[afterKey..<index]
            skipValue()
            output += Array("\"\(SensitiveNames.placeholder)\"".utf8)
        }
        return output
    }

    /// Copies a string with its quotes, and returns what is between them.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = index
        skipString()
        output += bytes[start..<index]
        return bytes[start..<index].dropFirst().dropLast()
    }

    private mutating func skipString() {
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { index = min(index + 1, bytes.count) }
        }
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    /// A string, a container with everything in it, or whatever stands before the next delimiter.
    private mutating func skipValue() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                index += 1
                if depth == 0 { return }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return }
                index += 1
            default: index += 1
            }
        }
    }

    /// Names with escapes in them (`"p\u0061ssword"`) are decoded before they are compared.
    private func isSensitive(_ key: ArraySlice<UInt8>) -> Bool {
        guard key.contains(UInt8(ascii: "\\")) else { return names.containsField(String(decoding: key, as: UTF8.self)) }
        let text = Data([UInt8(ascii: "\"")] + key + [UInt8(ascii: "\"")])
        guard let name = try? JSONDecoder().decode(String.self, from: text) else { return false }
        return names.containsField(name)
    }
}
