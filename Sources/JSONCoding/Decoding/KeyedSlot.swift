/// The state of a keyed container: which object it reads, and how far it has looked into it.
///
/// Names are looked up by moving a cursor over the members: in a text whose members come in the order in which the type
/// asks, each look-up is one comparison. Members passed on the way are noted by tag, so every member is identified at most
/// once and the first of several with the same name counts.
final class KeyedSlot {
    struct State {
        let reader: DocumentReader
        var entries: UnsafeMutablePointer<TapeEntry>
        var bytes: BytePointer
        /// The tape index of the object.
        var start = 0
        var depth = 0
        /// The tape index of the next name to look at, or of the object's end.
        var cursor = 0
        /// The number of members before the cursor, as far as they were identified one by one.
        var position = 0
        /// Distinguishes what `positions` holds for this object from what is left of earlier ones.
        var epoch: UInt32 = 0
        /// The version of the table when the cursor was at the start.
        var version: UInt32 = 0
        /// The table's names and version; nil if keys are looked up by string.
        let names: UnsafeMutablePointer<KeyTable.Name>?
        let tableVersion: UnsafeMutablePointer<UInt32>?
        /// By tag: the epoch in the high half, the tape index of the value in the low half.
        let positions: UnsafeMutablePointer<UInt64>?
        /// The slot itself and its table; it owns this state.
        unowned(unsafe) let slot: KeyedSlot
        let table: Unmanaged<KeyTable>?

        @inline(__always) var usesTags: Bool { names != nil }
    }

    let state: UnsafeMutablePointer<State>
    private let table: KeyTable?
    /// Values by key, for keys without tags, of the object with this epoch.
    private var index: [String: Int] = [:]
    private var indexEpoch: UInt32 = 0

    init<Key: CodingKey>(session: DecodingSession, keys: Key.Type) {
        table = session.keys.isPure && KeyTag.isAvailable(for: keys) ? session.keyTable(for: keys) : nil
        var positions: UnsafeMutablePointer<UInt64>?
        if table != nil {
            positions = .allocate(capacity: KeyTable.capacity)
            positions?.initialize(repeating: 0, count: KeyTable.capacity)
        }
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                reader: session.reader, entries: session.state.pointee.entries,
                bytes: BytePointer(session.state.pointee.bytes), names: table?.names, tableVersion: table?.version,
                positions: positions, slot: self, table: table.map(Unmanaged.passUnretained)))
    }

    deinit {
        state.pointee.positions?.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Starts reading the object at a tape index.
    @inline(__always)
    static func open(_ state: UnsafeMutablePointer<State>, _ start: Int, depth: Int) {
        let document = state.pointee.reader.state
        state.pointee.entries = document.pointee.entries
        state.pointee.bytes = BytePointer(document.pointee.bytes)
        state.pointee.start = start
        state.pointee.depth = depth
        rewind(state)
    }

    @inline(__always)
    fileprivate static func rewind(_ state: UnsafeMutablePointer<State>) {
        state.pointee.cursor = state.pointee.start &+ 1
        state.pointee.position = 0
        state.pointee.epoch &+= 1
        if state.pointee.epoch == 0 { forgetPositions(state) }
        if let version = state.pointee.tableVersion { state.pointee.version = version.pointee }
    }

    /// The epochs have come round.
    @inline(never)
    private static func forgetPositions(_ state: UnsafeMutablePointer<State>) {
        state.pointee.positions?.update(repeating: 0, count: KeyTable.capacity)
        state.pointee.slot.index = [:]
        state.pointee.slot.indexEpoch = 0
        state.pointee.epoch = 1
    }
}

extension UnsafeMutablePointer<KeyedSlot.State> {
    /// The tape index of the value for a key, or 0 if there is none.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int {
        guard let names = pointee.names, let positions = pointee.positions else { return findByString(key.stringValue) }
        let tag = KeyTag.tag(of: key)
        let name = names + tag
        let entry = pointee.entries[pointee.cursor]
        if entry.head == name.pointee.head {
            let start = pointee.bytes + entry.offset
            let first = (start.word() ^ name.pointee.firstWord) & name.pointee.firstMask
            let second = ((start + 8).word() ^ name.pointee.secondWord) & name.pointee.secondMask
            if first | second == 0 && (entry.length <= 16 || endIsEqual(start, name))
                && positions[tag] &>> 32 != UInt64(pointee.epoch)
                && pointee.version == pointee.tableVersion.unsafelyUnwrapped.pointee
            {
                return take(tag, positions)
            }
        }
        return findByTag(key, tag)
    }

    @inline(never)
    private func endIsEqual(_ start: BytePointer, _ name: UnsafeMutablePointer<KeyTable.Name>) -> Bool {
        guard let bytes = name.pointee.bytes else { return false }
        return equal(start + 16, bytes + 16, Int(name.pointee.length) - 16)
    }

    /// Notes the member at the cursor as that of a tag, moves on, and returns its value.
    @inline(__always)
    private func take(_ tag: Int, _ positions: UnsafeMutablePointer<UInt64>) -> Int {
        let value = pointee.cursor &+ 1
        positions[tag] = UInt64(pointee.epoch) &<< 32 | UInt64(truncatingIfNeeded: value)
        pointee.cursor = pointee.entries.next(after: value)
        return value
    }

    @inline(never)
    private func findByTag<Key: CodingKey>(_ key: Key, _ askedTag: Int) -> Int {
        guard let table = pointee.table, let positions = pointee.positions else { return 0 }
        // The slot keeps the table; counting references here would cost as much as the look-up.
        return table._withUnsafeGuaranteedRef { findByTag(key, askedTag, $0, positions) }
    }

    @inline(__always)
    private func findByTag<Key: CodingKey>(
        _ key: Key, _ askedTag: Int, _ table: KeyTable, _ positions: UnsafeMutablePointer<UInt64>
    ) -> Int {
        var tag = askedTag
        if table.names[tag].head == 0 { tag = table.register(tag: tag, name: key.stringValue) }
        if table.version.pointee != pointee.version { KeyedSlot.rewind(self) }
        if positions[tag] &>> 32 == UInt64(pointee.epoch) { return Int(positions[tag] & 0xFFFF_FFFF) }
        let entries = pointee.entries
        while entries[pointee.cursor].kind != Token.end {
            let entry = entries[pointee.cursor]
            let found = table.tag(of: entry, at: pointee.position, in: pointee.bytes) { pointee.reader.string(entry) }
            pointee.position &+= 1
            let value = pointee.cursor + 1
            if found >= 0 && positions[found] &>> 32 != UInt64(pointee.epoch) {
                _ = take(found, positions)
                if found == tag { return value }
            } else {
                pointee.cursor = entries.next(after: value)
            }
        }
        return 0
    }

    /// The tape index of the value for a key's string value, or 0 if there is none: for keys that are not simple enums, and
    /// for custom conversions.
    @inline(never)
    func findByString(_ name: String) -> Int {
        let entries = pointee.entries
        let start = pointee.start
        if pointee.reader.session.keys.isNone && entries.memberCount(of: start) <= 8 {
            var member = start + 1
            while entries[member].kind != Token.end {
                if isEqual(entries[member], name) { return member + 1 }
                member = entries.next(after: member + 1)
            }
            return 0
        }
        return pointee.slot.indexedValue(name)
    }

    private func isEqual(_ entry: TapeEntry, _ name: String) -> Bool {
        var name = name
        if entry.kind == Token.asciiString {
            return name.withUTF8 { utf8 in
                guard utf8.count == entry.length else { return false }
                // The name's bytes are not padded: compare without loading words past its end.
                return utf8.indices.allSatisfy { pointee.bytes[entry.offset + $0] == utf8[$0] }
            }
        }
        return pointee.reader.string(entry) == name
    }

    /// The members' keys, converted, with the tape indices of their values, in document order.
    func forEachKey(_ body: (String, Int) -> Void) {
        let entries = pointee.entries
        let reader = pointee.reader
        let keys = reader.session.keys
        lazy var path = reader.path(to: pointee.start, depth: pointee.depth)
        var member = pointee.start + 1
        while entries[member].kind != Token.end {
            body(keys.key(for: reader.string(entries[member]), path: path), member + 1)
            member = entries.next(after: member + 1)
        }
    }
}

extension KeyedSlot {
    /// The value for a key, from an index that is made once per object.
    fileprivate func indexedValue(_ name: String) -> Int {
        if indexEpoch != state.pointee.epoch {
            index.removeAll(keepingCapacity: true)
            state.forEachKey { key, value in
                if index[key] == nil { index[key] = value }
            }
            indexEpoch = state.pointee.epoch
        }
        return index[name] ?? 0
    }
}
