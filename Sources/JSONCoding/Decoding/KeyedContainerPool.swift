/// The keyed containers a session has made, by type of keys and depth, to be used again for the next object.
///
/// `KeyedDecodingContainer` is one reference to a box, and making the box is what costs most in decoding a small object. A
/// box whose only reference is the pool's can be opened on another object; one that somebody still holds is left alone.
struct KeyedContainerPool {
    private struct Entry {
        var type: UnsafeRawPointer?
        var depth = 0
        var box: AnyObject?
        var slot: KeyedSlot?
    }

    private static let capacity = 64
    private static let probes = 4
    private let entries: UnsafeMutablePointer<Entry>
    /// The entries handed out in this decode, as bits.
    private var touched: UInt64 = 0

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(), count: Self.capacity)
    }

    /// Called by the session's deinitialiser.
    func deallocate() {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
    }

    /// A container for the object at `start`.
    @inline(__always) mutating func container<Key: CodingKey>(
        keyedBy keys: Key.Type, start: Int, depth: Int, session: DecodingSession
    ) -> KeyedDecodingContainer<Key> {
        let type = unsafeBitCast(keys as Any.Type, to: UnsafeRawPointer.self)
        let hash = Int(bitPattern: type) &>> 4
        let first = hash ^ (hash &>> 6) ^ (depth &* 11)
        for probe in 0..<Self.probes {
            let position = (first &+ probe) & (Self.capacity &- 1)
            let entry = entries + position
            if entry.pointee.type == type && entry.pointee.depth == depth {
                guard isKnownUniquelyReferenced(&entry.pointee.box), let slot = entry.pointee.slot,
                    let box = entry.pointee.box
                else { break }
                slot.open(start, depth: depth)
                touched |= 1 &<< UInt64(position)
                return unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
            }
            if entry.pointee.type == nil {
                return makePooled(keys, type, start: start, depth: depth, session: session, at: position)
            }
        }
        return Self.makeOwning(keys, start: start, depth: depth, session: session)
    }

    @inline(never) private mutating func makePooled<Key: CodingKey>(
        _ keys: Key.Type, _ type: UnsafeRawPointer, start: Int, depth: Int, session: DecodingSession, at position: Int
    ) -> KeyedDecodingContainer<Key> {
        // Pooling relies on the container being exactly one reference.
        guard session.isPooling, MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else {
            return Self.makeOwning(keys, start: start, depth: depth, session: session)
        }
        let slot = KeyedSlot(session: session, keys: keys)
        slot.open(start, depth: depth)
        let container = KeyedDecodingContainer(KeyedContainer<Key>(slot: slot))
        entries[position] = Entry(
            type: type, depth: depth, box: unsafeBitCast(container, to: AnyObject.self), slot: slot)
        touched |= 1 &<< UInt64(position)
        return container
    }

    /// A container that keeps the session itself.
    @inline(never) static func makeOwning<Key: CodingKey>(
        _ keys: Key.Type, start: Int, depth: Int, session: DecodingSession
    ) -> KeyedDecodingContainer<Key> {
        let slot = KeyedSlot(session: session, keys: keys)
        slot.retainSession()
        slot.open(start, depth: depth)
        return KeyedDecodingContainer(KeyedContainer<Key>(slot: slot))
    }

    /// Takes back what was handed out. A container that somebody kept leaves the pool and keeps the session; then the
    /// result is false.
    mutating func reclaim(from session: DecodingSession) -> Bool {
        var isComplete = true
        while touched != 0 {
            let position = touched.trailingZeroBitCount
            touched &= touched &- 1
            if !isKnownUniquelyReferenced(&entries[position].box) {
                entries[position].slot?.retainSession()
                entries[position] = Entry()
                isComplete = false
            }
        }
        return isComplete
    }

    mutating func removeAll() {
        for position in 0..<Self.capacity { entries[position] = Entry() }
        touched = 0
    }
}
