#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EncodingNode {
    /// Writes a value as this node's value. The node may be continued afterwards if it is an object or array.
    @inline(__always)
    func encodeContents<T: Encodable>(_ value: T) throws {
        let kind = session.kinds.entry(of: T.self).pointee.kind
        if kind == .plain || kind == .array {
            try value.encode(to: ValueEncoder(node: self))
        } else {
            try encodeSpecial(value, kind)
        }
    }

    /// Writes a value as a member or element of this node; its name, if any, has been written.
    func encodeChild<T: Encodable>(_ value: T, key: (any CodingKey)?) throws {
        if level + 1 > session.options.maximumDepth { throw tooDeep(value, key) }
        let child = EncodingNode(session: session, text: text, parent: self, key: key, level: level + 1)
        try child.encodeContents(value)
        child.finish()
    }

    private func tooDeep(_ value: Any, _ key: (any CodingKey)?) -> EncodingError {
        let message = "Values are nested deeper than \(session.options.maximumDepth) levels."
        return .invalidValue(value, .init(codingPath: codingPath + [key].compactMap(\.self), debugDescription: message))
    }

    @inline(never)
    private func encodeSpecial<T: Encodable>(_ value: T, _ kind: TypeKind) throws {
        switch kind {
        case .string: try encodeScalar(value) { (string: String) in write(string) }
        case .bool: try encodeScalar(value) { (bool: Bool) in write(bool) }
        case .int: try encodeScalar(value) { (int: Int) in buffer.append(int) }
        case .double: try encodeScalar(value) { (double: Double) in try write(double, path: codingPath) }
        case .float: try encodeScalar(value) { (float: Float) in try write(float, path: codingPath) }
        case .date: try (value as? Date).map(encode(date:))
        case .data: try (value as? Data).map(encode(data:))
        case .url: try encodeScalar(value) { (url: URL) in write(url.absoluteString) }
        case .decimal: try encodeScalar(value) { (decimal: Decimal) in buffer.append(plain: decimal.description) }
        case .stringArray: try encodeArray(value) { (string: String, _) in write(string) }
        case .intArray: try encodeArray(value) { (int: Int, _) in buffer.append(int) }
        case .doubleArray:
            try encodeArray(value) { (double: Double, index) in
                try write(double, path: codingPath + [JSONKey(index: index)])
            }
        case .stringDictionary:
            // Its values may be decodable only.
            guard let dictionary = value as? any StringDictionaryEncodable else {
                return try value.encode(to: ValueEncoder(node: self))
            }
            try dictionary.encodeMembers(into: self)
        case .plain, .array: try value.encode(to: ValueEncoder(node: self))
        }
    }

    private func encodeScalar<T, Scalar>(_ value: T, _ write: (Scalar) throws -> Void) throws {
        guard let scalar = value as? Scalar else { return }
        try beginScalar(value)
        try write(scalar)
    }

    private func encodeArray<T, Element>(_ value: T, _ write: (Element, Int) throws -> Void) throws {
        guard let elements = value as? [Element] else { return }
        guard begin(.array) else { return try refuse(value) }
        for (index, element) in elements.enumerated() {
            beginMember()
            try write(element, index)
        }
    }

    private func encode(date: Date) throws {
        switch session.options.dateEncodingStrategy {
        case .deferredToDate:
            try encodeScalar(date.timeIntervalSinceReferenceDate) { (seconds: Double) in
                try write(seconds, path: codingPath)
            }
        case .secondsSince1970: try encode(seconds: date.timeIntervalSince1970)
        case .millisecondsSince1970: try encode(seconds: 1000 * date.timeIntervalSince1970)
        case .iso8601:
            try beginScalar(date)
            write(ISO8601.text(from: date) ?? date.formatted(.iso8601))
        case .custom(let encode): try encode(date, ValueEncoder(node: self))
        }
    }

    private func encode(seconds: Double) throws {
        guard seconds.isFinite else { throw Self.notRepresentable(seconds, path: codingPath) }
        try beginScalar(seconds)
        try write(seconds, path: codingPath)
    }

    private func encode(data: Data) throws {
        switch session.options.dataEncodingStrategy {
        case .deferredToData: try data.encode(to: ValueEncoder(node: self))
        case .base64:
            try beginScalar(data)
            write(data.base64EncodedString())
        case .custom(let encode): try encode(data, ValueEncoder(node: self))
        }
    }
}

/// Writing scalars; the place has been prepared.
extension EncodingNode {
    @inline(__always)
    func write(_ string: String) {
        buffer.append(quoted: string, escapingSlashes: session.escapesSlashes)
    }

    @inline(__always)
    func write(_ bool: Bool) {
        if bool { buffer.append("true") } else { buffer.append("false") }
    }

    @inline(__always)
    func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ number: Number, path: @autoclosure () -> [any CodingKey]
    ) throws {
        if !number.isFinite {
            try writeNonConforming(number, path: path())
            return
        }
        // Below the number of integers its significand can tell apart, a whole number's description is its digits.
        if number.magnitude < Number(1 << UInt64(Number.significandBitCount)), number == number.rounded(.towardZero),
            number != 0
        {
            buffer.append(Int64(number))
            return
        }
        // The shortest digits that give the number back, as everywhere in Swift.
        let text = number.description
        buffer.append(plain: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    private func writeNonConforming<Number: BinaryFloatingPoint>(_ number: Number, path: [any CodingKey]) throws {
        guard
            case .convertToString(let positive, let negative, let nan) =
                session.options.nonConformingFloatEncodingStrategy
        else { throw Self.notRepresentable(number, path: path) }
        write(number.isNaN ? nan : number > 0 ? positive : negative)
    }

    static func notRepresentable<Number: BinaryFloatingPoint>(
        _ number: Number, path: [any CodingKey]
    ) -> EncodingError {
        let message = "Unable to encode \(Number.self).\(number) directly in JSON."
        return .invalidValue(number, .init(codingPath: path, debugDescription: message))
    }
}

/// A dictionary with `String` keys, which are data and not converted.
protocol StringDictionaryEncodable {
    func encodeMembers(into node: EncodingNode) throws
}

extension Dictionary: StringDictionaryEncodable where Key == String, Value: Encodable {
    func encodeMembers(into node: EncodingNode) throws {
        guard node.begin(.object) else { return try node.refuse(self) }
        for (key, value) in self {
            node.beginMember()
            node.write(key)
            node.writeColon()
            try node.encodeChild(value, key: JSONKey(key))
        }
    }
}

extension EncodingNode {
    @inline(__always)
    func writeColon() {
        if isPretty { buffer.append(" : ") } else { buffer.append(ASCII.colon) }
    }
}
