/// The state of a keyed container: which object it reads, and how far it has looked into it.
///
/// Names are looked up by moving a cursor over the members: in a text whose members come in the order in which the type
/// asks, each look-up is one comparison. Members passed on the way are noted by tag, so every member is identified at most
/// once and the first of several with the same name counts.
final class KeyedSlot {
    struct State {
        var entries: UnsafeMutablePointer<TapeEntry>
        var bytes: BytePointer
        /// The tape index of the object.
        var start = 0
        var depth = 0
        /// The tape index of the next name to look at, or of the object's end.
        var cursor = 0
        /// Distinguishes what `positions` holds for this object from what is left of earlier ones.
        var epoch: UInt32 = 0
        /// The version of the table when the cursor was at the start.
        var version: UInt32 = 0
        /// Whether keys are looked up by tag.
        var usesTags: Bool
        var names: UnsafeMutablePointer<KeyTable.Name>?
        /// By tag: the epoch in the high half, the tape index of the value in the low half.
        var positions: UnsafeMutablePointer<UInt64>?
    }

    let state: UnsafeMutablePointer<State>
    /// The session while it owns the container; it outlives it. See `keepAlive`.
    unowned(unsafe) let session: DecodingSession
    private let table: KeyTable?
    /// The session, once the container does not belong to it.
    private var keepAlive: DecodingSession?
    /// Values by key, for keys without tags.
    private var index: [String: Int]?

    init<Key: CodingKey>(session: DecodingSession, keys: Key.Type) {
        self.session = session
        table = session.keys.isPure && KeyTag.isAvailable(for: keys) ? session.keyTable(for: keys) : nil
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                entries: session.state.pointee.entries, bytes: BytePointer(session.state.pointee.bytes),
                usesTags: table != nil, names: table?.names))
        if table != nil {
            let positions = UnsafeMutablePointer<UInt64>.allocate(capacity: KeyTable.capacity)
            positions.initialize(repeating: 0, count: KeyTable.capacity)
            state.pointee.positions = positions
        }
    }

    deinit {
        state.pointee.positions?.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Makes the container keep the session, because it may outlive the decode.
    func retainSession() {
        keepAlive = session
    }

    /// Starts reading the object at a tape index.
    @inline(__always) func open(_ start: Int, depth: Int) {
        let state = state
        state.pointee.entries = session.state.pointee.entries
        state.pointee.bytes = BytePointer(session.state.pointee.bytes)
        state.pointee.start = start
        state.pointee.depth = depth
        rewind()
        if !state.pointee.usesTags { index = nil }
    }

    @inline(__always) private func rewind() {
        let state = state
        state.pointee.cursor = state.pointee.start &+ 1
        state.pointee.epoch &+= 1
        if state.pointee.epoch == 0 { forgetPositions() }
        if let table { state.pointee.version = table.version }
    }

    /// The epochs have come round.
    @inline(never) private func forgetPositions() {
        state.pointee.positions?.update(repeating: 0, count: KeyTable.capacity)
        state.pointee.epoch = 1
    }

    /// The tape index of the value for a key, or 0 if there is none.
    @inline(__always) func find<Key: CodingKey>(_ key: Key) -> Int {
        let state = state
        guard state.pointee.usesTags, let names = state.pointee.names, let positions = state.pointee.positions else {
            return findByString(key.stringValue)
        }
        let tag = KeyTag.tag(of: key)
        let name = names + tag
        let entry = state.pointee.entries[state.pointee.cursor]
        if entry.head == name.pointee.head {
            let start = state.pointee.bytes + entry.offset
            let first = (start.word() ^ name.pointee.firstWord) & name.pointee.firstMask
            let second = ((start + 8).word() ^ name.pointee.secondWord) & name.pointee.secondMask
            if first | second == 0 && (entry.length <= 16 || endIsEqual(start, name))
                && positions[tag] &>> 32 != UInt64(state.pointee.epoch) && isCurrent
            {
                return take(tag, positions)
            }
        }
        return findByTag(key, tag)
    }

    @inline(__always) private var isCurrent: Bool {
        table.unsafelyUnwrapped.version == state.pointee.version
    }

    @inline(never) private func endIsEqual(_ start: BytePointer, _ name: UnsafeMutablePointer<KeyTable.Name>) -> Bool {
        guard let bytes = name.pointee.bytes else { return false }
        return equal(start + 16, bytes + 16, Int(name.pointee.length) - 16)
    }

    /// Notes the member at the cursor as that of a tag, moves on, and returns its value.
    @inline(__always) private func take(_ tag: Int, _ positions: UnsafeMutablePointer<UInt64>) -> Int {
        let value = state.pointee.cursor &+ 1
        positions[tag] = UInt64(state.pointee.epoch) &<< 32 | UInt64(truncatingIfNeeded: value)
        state.pointee.cursor = state.pointee.entries.next(after: value)
        return value
    }

    @inline(never) private func findByTag<Key: CodingKey>(_ key: Key, _ askedTag: Int) -> Int {
        guard let table, let positions = state.pointee.positions else { return 0 }
        var tag = askedTag
        let head = table.names[tag].head
        if head == 0 { tag = table.register(tag: tag, name: key.stringValue) }
        if table.version != state.pointee.version { rewind() }
        if positions[tag] &>> 32 == UInt64(state.pointee.epoch) { return Int(positions[tag] & 0xFFFF_FFFF) }
        let entries = state.pointee.entries
        while entries[state.pointee.cursor].kind != Token.end {
            let entry = entries[state.pointee.cursor]
            let found = table.tag(of: entry, in: state.pointee.bytes) { session.string(entry) }
            let value = state.pointee.cursor + 1
            if found >= 0 && positions[found] &>> 32 != UInt64(state.pointee.epoch) {
                _ = take(found, positions)
                if found == tag { return value }
            } else {
                state.pointee.cursor = entries.next(after: value)
            }
        }
        return 0
    }
}

extension KeyedSlot {
    /// The tape index of the value for a key's string value, or 0 if there is none: for keys that are not simple enums, and
    /// for custom conversions.
    @inline(never) func findByString(_ name: String) -> Int {
        let entries = state.pointee.entries
        let start = state.pointee.start
        if session.keys.isNone && entries.memberCount(of: start) <= 8 {
            var member = start + 1
            while entries[member].kind != Token.end {
                if isEqual(entries[member], name) { return member + 1 }
                member = entries.next(after: member + 1)
            }
            return 0
        }
        if let index { return index[name] ?? 0 }
        let built = makeIndex()
        index = built
        return built[name] ?? 0
    }

    private func isEqual(_ entry: TapeEntry, _ name: String) -> Bool {
        var name = name
        if entry.kind == Token.asciiString {
            return name.withUTF8 { utf8 in
                guard utf8.count == entry.length else { return false }
                guard let start = utf8.baseAddress else { return true }
                // The name's bytes are not padded: compare without loading words past its end.
                return (0..<utf8.count).allSatisfy { state.pointee.bytes[entry.offset + $0] == start[$0] }
            }
        }
        return session.string(entry) == name
    }

    private func makeIndex() -> [String: Int] {
        var built: [String: Int] = [:]
        built.reserveCapacity(state.pointee.entries.memberCount(of: state.pointee.start))
        forEachKey { key, value in
            if built[key] == nil { built[key] = value }
        }
        return built
    }

    /// The members' keys, converted, with the tape indices of their values, in document order.
    func forEachKey(_ body: (String, Int) -> Void) {
        let entries = state.pointee.entries
        lazy var path = session.path(to: state.pointee.start, depth: state.pointee.depth)
        var member = state.pointee.start + 1
        while entries[member].kind != Token.end {
            body(session.keys.key(for: session.string(entries[member]), path: path), member + 1)
            member = entries.next(after: member + 1)
        }
    }
}
