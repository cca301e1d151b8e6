/// The names of enums of coding keys, ready to be written. Kept between encodes, in one pool per key strategy.
///
/// `@unchecked Sendable`: used by one thread at a time, the one that took it from the pool; the pool's lock orders the
/// threads.
final class EncodingKeyTables: @unchecked Sendable {
    let strategy: FastJSONEncoder.KeyEncodingStrategy
    let kinds = TypeKindCache()
    private var tables: [ObjectIdentifier: EncodingKeyTable] = [:]
    /// The tables met lately.
    private let recent: UnsafeMutablePointer<(type: UnsafeRawPointer?, table: Unmanaged<EncodingKeyTable>?)>
    private static let recentCapacity = 64

    private init(_ strategy: FastJSONEncoder.KeyEncodingStrategy) {
        self.strategy = strategy
        recent = .allocate(capacity: Self.recentCapacity)
        recent.initialize(repeating: (nil, nil), count: Self.recentCapacity)
    }

    deinit {
        kinds.deallocate()
        recent.deallocate()
    }

    /// The table for a type of keys; nil if its keys are not simple enums, or their names depend on the path.
    @inline(__always)
    func table<Key: CodingKey>(for type: Key.Type) -> EncodingKeyTable? {
        let address = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        let hash = (UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15) &>> 58
        let entry = recent + Int(hash)
        if entry.pointee.type == address { return entry.pointee.table?.takeUnretainedValue() }
        let table = makeTable(for: type)
        entry.pointee = (address, table.map(Unmanaged.passUnretained))
        return table
    }

    @inline(never)
    private func makeTable<Key: CodingKey>(for type: Key.Type) -> EncodingKeyTable? {
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

    private static let plain = LockedValue<[EncodingKeyTables]>([])
    private static let snakeCase = LockedValue<[EncodingKeyTables]>([])
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
    private let names: UnsafeMutablePointer<UnsafeMutableBufferPointer<UInt8>>

    init() {
        names = .allocate(capacity: KeyTable.capacity)
        names.initialize(repeating: UnsafeMutableBufferPointer(start: nil, count: 0), count: KeyTable.capacity)
    }

    deinit {
        for tag in 0..<KeyTable.capacity { names[tag].deallocate() }
        names.deallocate()
    }

    /// Writes the name of a case; `make` is called the first time.
    @inline(__always)
    func append(tag: Int, to buffer: JSONTextBuffer, make: () -> [UInt8]) {
        if names[tag].baseAddress == nil {
            let name = make()
            names[tag] = .allocate(capacity: name.count)
            _ = names[tag].initialize(from: name)
        }
        buffer.append(UnsafeBufferPointer(names[tag]))
    }
}
