/// The decoder that types get: a value of a document.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    /// The value's tape index.
    let index: Int
    let depth: Int

    var reader: DocumentReader { session.reader }
    var codingPath: [any CodingKey] { reader.path(to: index, depth: depth) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try reader.keyedContainer(type, at: index, depth: depth)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try reader.unkeyedContainer(at: index, depth: depth)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleValueContainer(session: session, index: index, depth: depth)
    }
}

extension DocumentReader {
    @inline(__always)
    func keyedContainer<Key: CodingKey>(
        _ type: Key.Type, at index: Int, depth: Int
    ) throws -> KeyedDecodingContainer<Key> {
        guard state.pointee.entries[index].kind == Token.object else {
            throw containerMismatch([String: Any].self, "keyed", at: index, depth: depth)
        }
        let address = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        if let holder = state.pointee.containers.reuse(address, start: index, depth: depth) {
            // The pool has it under the type of keys.
            return unsafeDowncast(holder, to: ContainerHolder<KeyedDecodingContainer<Key>>.self).get()
        }
        return state.pointee.containers.make(type, start: index, depth: depth, session: session)
    }

    @inline(__always)
    func unkeyedContainer(at index: Int, depth: Int) throws -> UnkeyedContainer {
        guard state.pointee.entries[index].kind == Token.array else {
            throw containerMismatch([Any].self, "unkeyed", at: index, depth: depth)
        }
        return UnkeyedContainer(session: session, start: index, depth: depth)
    }
}

/// The decoder `superDecoder()` gives for a member that is not there: it decodes as null.
struct AbsentValueDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw notFound([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw notFound([Any].self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode(_ type: Bool.Type) throws -> Bool {
        let message = "Expected to decode Bool but found null instead."
        throw DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: message))
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // These are looked at before the type decodes itself; others may well accept null, as Optional does.
        switch TypeKind.classify(type) {
        case .plain, .array: return try T(from: self)
        default: throw notFound(type)
        }
    }

    func decode(_ type: String.Type) throws -> String { throw notFound(type) }
    func decode(_ type: Double.Type) throws -> Double { throw notFound(type) }
    func decode(_ type: Float.Type) throws -> Float { throw notFound(type) }
    func decode(_ type: Int.Type) throws -> Int { throw notFound(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { throw notFound(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { throw notFound(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { throw notFound(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { throw notFound(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { throw notFound(type) }
    func decode(_ type: UInt.Type) throws -> UInt { throw notFound(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw notFound(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw notFound(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw notFound(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw notFound(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw notFound(type) }

    private func notFound(_ type: any Any.Type) -> DecodingError {
        let message = "Cannot get value of type \(type) -- found null value instead"
        return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: message))
    }
}
