import Synchronization

/// The names of enums of coding keys, ready to be written. Kept between encodes, in one pool per key strategy.
///
/// `@unchecked Sendable`: used by one thread at a time, the one that took it from the pool; the pool's lock orders the
/// threads.
final class EncodingKeyTables: @unchecked Sendable {
    let strategy: FastJSONEncoder.KeyEncodingStrategy
    private var tables: [ObjectIdentifier: EncodingKeyTable] = [:]

    private init(_ strategy: FastJSONEncoder.KeyEncodingStrategy) {
        self.strategy = strategy
    }

    /// The table for a type of keys; nil if its keys are not simple enums, or their names depend on the path.
    func table<Key: CodingKey>(for type: Key.Type) -> EncodingKeyTable? {
        if let table = tables[ObjectIdentifier(type)] { return table }
        if case .custom = strategy { return nil }
        guard KeyTag.isAvailable(for: type) else { return nil }
        let table = EncodingKeyTable()
        tables[ObjectIdentifier(type)] = table
        return table
    }

    /// The name to write for a key. `path` is evaluated for custom conversions only.
    func name(for key: any CodingKey, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.snakeCase(from: key.stringValue)
        case .custom(let convert): convert(path() + [key]).stringValue
        }
    }

    var isDefault: Bool {
        if case .useDefaultKeys = strategy { return true }
        return false
    }

    private static let plain = Mutex<[EncodingKeyTables]>([])
    private static let snakeCase = Mutex<[EncodingKeyTables]>([])
    private static let limit = 64

    static func take(for strategy: FastJSONEncoder.KeyEncodingStrategy) -> EncodingKeyTables {
        let pooled: EncodingKeyTables? =
            switch strategy {
            case .useDefaultKeys: plain.withLock { $0.popLast() }
            case .convertToSnakeCase: snakeCase.withLock { $0.popLast() }
            case .custom: nil
            }
        return pooled ?? EncodingKeyTables(strategy)
    }

    func giveBack() {
        switch strategy {
        case .useDefaultKeys: Self.plain.withLock { if $0.count < Self.limit { $0.append(self) } }
        case .convertToSnakeCase: Self.snakeCase.withLock { if $0.count < Self.limit { $0.append(self) } }
        case .custom: break
        }
    }
}

/// The names of one enum of coding keys in quotes and escaped, by the tag of the case.
final class EncodingKeyTable {
    private var names: [[UInt8]?] = Array(repeating: nil, count: KeyTable.capacity)

    /// The name of a case; `make` is called the first time.
    @inline(__always)
    func append(tag: Int, to buffer: JSONTextBuffer, make: () -> [UInt8]) {
        if let name = names[tag] {
            name.withUnsafeBufferPointer { buffer.append($0) }
        } else {
            let name = make()
            names[tag] = name
            name.withUnsafeBufferPointer { buffer.append($0) }
        }
    }
}
