/// The 64-bit xxHash (the specification's `XXH64`), the checksum of entries on disk.
///
/// Why this one: a checksum here guards against accidents (torn writes, bad sectors, zeros after a power cut), not
/// against somebody who may write to the folder, who could forge any checksum without a secret in it. At 64 bits
/// accidents go undetected once in 10^19 times; and it costs under a microsecond for 4 KB, where SHA-256 in software
/// takes twenty, as long as everything else a read does.
struct XXH64: Sendable {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    private var pending: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var pendingCount = 0
    private var length: UInt64 = 0
    private let seed: UInt64

    init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = (seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1)
    }

    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hasher = XXH64(seed: seed)
        hasher.update(bytes)
        return hasher.finalize()
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var offset = 0
        if pendingCount > 0 {
            let taken = min(32 - pendingCount, bytes.count)
            appendPending(UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
            offset = taken
            guard pendingCount == 32 else { return }
            let full = pending
            withUnsafeBytes(of: full) { stripes($0, from: 0, count: 1) }
            pendingCount = 0
        }
        let count = (bytes.count - offset) / 32
        stripes(bytes, from: offset, count: count)
        appendPending(UnsafeRawBufferPointer(rebasing: bytes[(offset + count * 32)...]))
    }

    func finalize() -> UInt64 {
        var hash: UInt64
        if length >= 32 {
            hash = Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7)
            hash = hash &+ Self.rotate(lanes.2, 12) &+ Self.rotate(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
            }
        } else {
            hash = seed &+ Self.prime5
        }
        hash = hash &+ length
        withUnsafeBytes(of: pending) { bytes in
            var offset = 0
            while offset + 8 <= pendingCount {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                hash = Self.rotate(hash ^ Self.round(0, word), 27) &* Self.prime1 &+ Self.prime4
                offset += 8
            }
            if offset + 4 <= pendingCount {
                let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                hash = Self.rotate(hash ^ (UInt64(word) &* Self.prime1), 23) &* Self.prime2 &+ Self.prime3
                offset += 4
            }
            while offset < pendingCount {
                hash = Self.rotate(hash ^ (UInt64(bytes[offset]) &* Self.prime5), 11) &* Self.prime1
                offset += 1
            }
        }
        hash = (hash ^ (hash >> 33)) &* Self.prime2
        hash = (hash ^ (hash >> 29)) &* Self.prime3
        return hash ^ (hash >> 32)
    }

    private mutating func appendPending(_ bytes: UnsafeRawBufferPointer) {
        let start = pendingCount
        withUnsafeMutableBytes(of: &pending) { target in
            for index in 0..<bytes.count { target[start + index] = bytes[index] }
        }
        pendingCount += bytes.count
    }

    private mutating func stripes(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) {
        var (a, b, c, d) = lanes
        var offset = start
        for _ in 0..<count {
            a = Self.round(a, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            b = Self.round(b, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
            c = Self.round(c, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)))
            d = Self.round(d, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)))
            offset += 32
        }
        lanes = (a, b, c, d)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
        (word << count) | (word >> (64 - count))
    }
}
