extension JSONValue: Codable {
    /// Decodes any value.
    public init(from decoder: any Decoder) throws {
        if let exact = decoder as? ValueDecoder {
            self = withExtendedLifetime(exact) { exact.reader.jsonValue(at: exact.index) }
            return
        }
        if let container = try? decoder.container(keyedBy: JSONKey.self) {
            var members = JSONObject()
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            self = .number(try container.decode(JSONNumber.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        if let exact = encoder as? ValueEncoder {
            try exact.node.write(self)
            return
        }
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: JSONKey.self)
            for (name, value) in members { try container.encode(value, forKey: JSONKey(name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }
}

extension DocumentReader {
    /// The value at a tape index. As deep as the document, which is limited.
    func jsonValue(at index: Int) -> JSONValue {
        let entries = state.pointee.entries
        let entry = entries[index]
        switch entry.kind {
        case Token.null: return .null
        case Token.true: return .bool(true)
        case Token.false: return .bool(false)
        case Token.integer, Token.real:
            return .number(JSONNumber(validated: String(decoding: text(of: entry), as: UTF8.self)))
        case Token.array:
            var elements: [JSONValue] = []
            var child = index + 1
            while entries[child].kind != Token.end {
                elements.append(jsonValue(at: child))
                child = entries.next(after: child)
            }
            return .array(elements)
        case Token.object:
            var members = JSONObject()
            var child = index + 1
            while entries[child].kind != Token.end {
                let name = string(entries[child])
                // Of several members with one name the first counts.
                if members[name] == nil { members[name] = jsonValue(at: child + 1) }
                child = entries.next(after: child + 1)
            }
            return .object(members)
        default: return .string(string(entry))
        }
    }
}

extension EncodingNode {
    /// Writes a value as this node's.
    func write(_ value: JSONValue) throws {
        switch value {
        case .object(let members):
            guard begin(.object) else { return try refuse(value) }
            for (name, member) in members {
                beginMember()
                write(name)
                writeColon()
                try encodeChild(member, key: JSONKey(name))
            }
        case .array(let elements):
            guard begin(.array) else { return try refuse(value) }
            for element in elements {
                let key = JSONKey(index: count)
                beginMember()
                try encodeChild(element, key: key)
            }
        case .null:
            try beginScalar(value)
            buffer.append("null")
        case .bool(let bool):
            try beginScalar(value)
            write(bool)
        case .string(let string):
            try beginScalar(value)
            write(string)
        case .number(let number):
            try beginScalar(value)
            buffer.append(plain: number.description)
        }
    }

    /// Throws: the node is something else already.
    func refuse(_ value: Any) throws {
        let message = "A value of another kind has been encoded already."
        throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: message))
    }
}
