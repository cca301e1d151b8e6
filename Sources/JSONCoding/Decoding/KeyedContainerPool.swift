/// The keyed containers a session has made, by type of keys and depth, to be used again for the next object.
///
/// `KeyedDecodingContainer` is one reference to a box, and making the box is what costs most in decoding a small object. A
/// box whose only reference is the pool's can be opened on another object; one that somebody still holds is left alone.
///
/// What is in a pooled box is a pointer to its slot and no more, because the standard library copies it on every call.
/// The pool owns the slot and lives as long as the box is held by anybody else.
struct KeyedContainerPool {
    private struct Entry {
        var type: UnsafeRawPointer?
        var depth = 0
        var slot: UnsafeMutablePointer<KeyedSlot.State>?
        /// The only reference of the pool to the box.
        var holder: AnyObject?
        var owner: KeyedSlot?
    }

    private static let capacity = 64
    private static let probes = 4
    private let entries: UnsafeMutablePointer<Entry>
    /// The boxes by entry, without references of their own; of entries in use only.
    private let boxes: UnsafeMutablePointer<Unmanaged<AnyObject>>
    /// The entries handed out in this decode, as bits.
    private var touched: UInt64 = 0

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(), count: Self.capacity)
        boxes = .allocate(capacity: Self.capacity)
    }

    /// Called by the session's deinitialiser.
    func deallocate() {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
        boxes.deallocate()
    }

    /// Whether nobody but the pool holds the container of an entry in use.
    @inline(__always)
    private func isFree(_ position: Int) -> Bool {
        (boxes + position).withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }

    @inline(__always)
    private static func firstPosition(_ type: UnsafeRawPointer, _ depth: Int) -> Int {
        let hash = Int(bitPattern: type) &>> 4
        return hash ^ (hash &>> 6) ^ (depth &* 11)
    }

    /// The holder of a container made before, opened on the object at `start`; nil if there is none that is free.
    @inline(__always)
    mutating func reuse(_ type: UnsafeRawPointer, start: Int, depth: Int) -> AnyObject? {
        let first = Self.firstPosition(type, depth)
        for probe in 0..<Self.probes {
            let position = (first &+ probe) & (Self.capacity &- 1)
            let entry = entries + position
            if entry.pointee.type == type && entry.pointee.depth == depth {
                guard isFree(position) else { return nil }
                KeyedSlot.open(entry.pointee.slot.unsafelyUnwrapped, start, depth: depth)
                touched |= 1 &<< UInt64(position)
                return entry.pointee.holder
            }
            if entry.pointee.type == nil { return nil }
        }
        return nil
    }

    /// A new container for the object at `start`, pooled if there is room.
    @inline(never)
    mutating func make<Key: CodingKey>(
        _ keys: Key.Type, start: Int, depth: Int, session: DecodingSession
    ) -> KeyedDecodingContainer<Key> {
        let slot = KeyedSlot(session: session, keys: keys)
        KeyedSlot.open(slot.state, start, depth: depth)
        let type = unsafeBitCast(keys as Any.Type, to: UnsafeRawPointer.self)
        let first = Self.firstPosition(type, depth)
        let free = (0..<Self.probes).map { (first &+ $0) & (Self.capacity &- 1) }.first { entries[$0].type == nil }
        let isTaken = (0..<Self.probes).contains {
            let entry = entries[(first &+ $0) & (Self.capacity &- 1)]
            return entry.type == type && entry.depth == depth
        }
        // Pooling relies on the container being exactly one reference.
        guard session.isPooling, !isTaken, let free,
            MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size
        else {
            return KeyedDecodingContainer(
                KeyedContainer<Key, SlotOwner>(slot: slot.state, owner: SlotOwner(slot: slot, session: session)))
        }
        let container = KeyedDecodingContainer(KeyedContainer<Key, NoOwner>(slot: slot.state, owner: NoOwner()))
        boxes[free] = .passUnretained(unsafeBitCast(container, to: AnyObject.self))
        entries[free] = Entry(
            type: type, depth: depth, slot: slot.state, holder: ContainerHolder(container), owner: slot)
        touched |= 1 &<< UInt64(free)
        return container
    }

    /// Takes back what was handed out; false if somebody kept a container.
    mutating func reclaim() -> Bool {
        var isComplete = true
        while touched != 0 {
            let position = touched.trailingZeroBitCount
            touched &= touched &- 1
            if !isFree(position) { isComplete = false }
        }
        return isComplete
    }

    /// Whether somebody holds one of the containers.
    func isAnyHeld() -> Bool {
        (0..<Self.capacity).contains { entries[$0].type != nil && !isFree($0) }
    }

    /// Drops the containers that nobody holds.
    mutating func removeUnheld() {
        for position in 0..<Self.capacity where entries[position].type != nil && isFree(position) {
            entries[position] = Entry()
        }
    }
}

/// Holds a container so that it can be had without looking up its type.
///
/// `KeyedDecodingContainer` is a resilient type: to copy one its metadata is needed, and looking that up for a type of keys
/// costs as much as decoding several members. An object knows its own.
final class ContainerHolder<Container> {
    private let container: Container

    init(_ container: Container) {
        self.container = container
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    func get() -> Container { container }
}

/// What keeps the slot of a keyed container that does not belong to the pool.
struct SlotOwner {
    let slot: KeyedSlot
    let session: DecodingSession
}

/// The owner of a pooled container: none, because the pool is.
struct NoOwner {}
