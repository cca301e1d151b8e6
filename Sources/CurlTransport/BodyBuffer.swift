#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Bytes of a body as they arrive: one growing allocation, handed over as `Data` without a copy.
///
/// libcurl lends its own receive buffer to a callback, so one copy is needed; this makes it the only one. `Data` itself
/// would check for uniqueness and representation at every append.
struct BodyBuffer: ~Copyable, @unchecked Sendable {
    // Safe to send: one owner, and nothing else knows the address.
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init() {}

    deinit {
        free(base)
    }

    /// Keeps room for an announced length. What a server announces is no reason to take much memory: beyond 16 MB the
    /// buffer grows with what really comes.
    mutating func reserve(_ expected: Int) {
        grow(to: min(expected, 16 << 20))
    }

    /// Copies bytes to the end. `false` when there is no memory for them.
    mutating func append(_ bytes: UnsafeRawPointer, count added: Int) -> Bool {
        guard added > 0 else { return true }
        if count + added > capacity { grow(to: max(count + added, capacity * 2)) }
        guard let base, count + added <= capacity else { return false }
        memcpy(base + count, bytes, added)
        count += added
        return true
    }

    /// The bytes so far; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard let base, count > 0 else { return Data() }
        defer { count = 0 }
        // `Data` keeps a few bytes in itself: the allocation can be used again.
        if count <= 14 { return Data(bytes: base, count: count) }
        let taken = capacity - count > max(count, 4096) ? (realloc(base, count) ?? base) : base
        self.base = nil
        capacity = 0
        return Data(bytesNoCopy: taken, count: count, deallocator: .free)
    }

    /// Forgets the bytes and keeps the memory, unless it is large.
    mutating func removeAll() {
        count = 0
        guard capacity > 64 << 10 else { return }
        free(base)
        base = nil
        capacity = 0
    }

    private mutating func grow(to wanted: Int) {
        guard wanted > capacity, let grown = realloc(base, wanted) else { return }
        base = grown
        capacity = wanted
    }
}
