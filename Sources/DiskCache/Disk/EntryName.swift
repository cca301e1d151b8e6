/// The name of an entry's file: the SHA-256 of its key in lower-case hexadecimal, in a folder of its first two digits.
struct EntryName: Sendable, Equatable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ key: CacheKey) {
        self.init(digest: SHA256.hash(key.bytes))
    }

    /// The name for a digest of 32 bytes; missing bytes are zero.
    init(digest: [UInt8]) {
        func word(_ index: Int) -> UInt64 {
            digest.dropFirst(index * 8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The entry whose file has this name in this folder, or `nil` when no entry's file would.
    init?(folder: String, file: String) {
        guard file.utf8.count == 64, folder.utf8.count == 2, file.hasPrefix(folder) else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, digit) in file.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// The name of the folder.
    var folder: String {
        String(unsafeUninitializedCapacity: 2) { buffer in
            buffer[0] = Self.digit(words.0 >> 60)
            buffer[1] = Self.digit(words.0 >> 56)
            return 2
        }
    }

    /// The name of the file in its folder.
    var file: String {
        String(unsafeUninitializedCapacity: 64) { buffer in
            for (index, word) in [words.0, words.1, words.2, words.3].enumerated() {
                for nibble in 0..<16 { buffer[index * 16 + nibble] = Self.digit(word >> UInt64(60 - nibble * 4)) }
            }
            return 64
        }
    }

    private static func digit(_ value: UInt64) -> UInt8 {
        let nibble = UInt8(truncatingIfNeeded: value & 15)
        return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    static func == (left: EntryName, right: EntryName) -> Bool {
        left.words == right.words
    }
}

extension EntryName: Hashable {
    func hash(into hasher: inout Hasher) {
        // Any part of a digest is as good as all of it.
        hasher.combine(words.0)
    }
}
