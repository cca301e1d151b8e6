/// The names of an `enum` of coding keys as they are spelled in texts, by the tag of the enum's case.
///
/// A case's key is asked for its `stringValue` once. From then on a name in a text is recognised by comparing its bytes
/// with the spelling seen last, two words at a time, and any other spelling (with escapes, in snake_case, in another
/// Unicode normalisation) is converted once and remembered.
final class KeyTable {
    /// A case's name in the spelling expected next.
    struct Name {
        /// Kind and length as in the tape entry of the name; 0 for a case not asked for yet; `noSpelling` if none has been
        /// seen.
        var head: UInt32 = 0
        var length: UInt32 = 0
        var firstWord: UInt64 = 0
        var firstMask: UInt64 = 0
        var secondWord: UInt64 = 0
        var secondMask: UInt64 = 0
        var bytes: BytePointer?

        static let noSpelling: UInt32 = 0xF000_0000
    }

    /// A name as it was spelled in a text, and the case it stands for.
    private struct Spelling {
        /// 0 for a free place.
        var head: UInt32 = 0
        var hash: UInt32 = 0
        var bytes: BytePointer?
        var tag = KeyTable.absent
    }

    /// A key type of one byte has so many cases at most.
    static let capacity = 256
    /// Texts may hold any number of names; so many are remembered per type.
    private static let spellingLimit = 1024
    private static let absent = -1
    /// Members whose order is remembered.
    private static let orderCapacity = 64

    /// By tag.
    let names: UnsafeMutablePointer<Name>
    /// Counts the cases met, because names seen before a case was met were taken for unknown.
    let version: UnsafeMutablePointer<UInt32>
    private let keys: KeyConversion
    private var registered: [(name: String, tag: Int)] = []
    /// Cases whose key has the same string value as that of an earlier one.
    private var aliases: [Int: Int] = [:]
    /// A hash table with linear probing, at most half full.
    private var spellings: UnsafeMutablePointer<Spelling>
    private var spellingCapacity = 64
    private var spellingCount = 0
    /// The tags of an object's members in the order of the last object that was out of the type's order.
    private let order: UnsafeMutablePointer<Int>
    private var ownedBytes: [UnsafeMutablePointer<UInt8>] = []

    init(keys: KeyConversion) {
        self.keys = keys
        names = .allocate(capacity: Self.capacity)
        names.initialize(repeating: Name(), count: Self.capacity)
        spellings = .allocate(capacity: spellingCapacity)
        spellings.initialize(repeating: Spelling(), count: spellingCapacity)
        order = .allocate(capacity: Self.orderCapacity)
        order.initialize(repeating: 0, count: Self.orderCapacity)
        version = .allocate(capacity: 1)
        version.initialize(to: 1)
    }

    deinit {
        for bytes in ownedBytes { bytes.deallocate() }
        names.deallocate()
        spellings.deallocate()
        order.deallocate()
        version.deallocate()
    }

    /// Makes a case known. Returns the tag under which names are found: that of the first case with the same name.
    func register(tag: Int, name: String) -> Int {
        if let alias = aliases[tag] { return alias }
        if names[tag].head != 0 { return tag }
        if let first = registered.first(where: { $0.name == name }) {
            aliases[tag] = first.tag
            return first.tag
        }
        registered.append((name, tag))
        names[tag].head = Name.noSpelling
        version.pointee &+= 1
        forgetUnknownSpellings()
        guard let guess = expectedSpelling(of: name) else { return tag }
        let utf8 = Array(guess.utf8)
        let isPlain = utf8.allSatisfy { $0 >= ASCII.space && $0 < 0x80 && $0 != ASCII.quote && $0 != ASCII.backslash }
        if isPlain && utf8.count <= TapeEntry.maximumLength {
            let entry = TapeEntry(kind: Token.asciiString, length: utf8.count, offset: 0)
            utf8.withUnsafeBufferPointer { buffer in
                setSpelling(of: tag, head: entry.head, length: utf8.count, bytes: copy(buffer))
            }
        }
        return tag
    }

    /// The spelling most likely to come, if it stands for the name.
    private func expectedSpelling(of name: String) -> String? {
        guard case .snakeCase = keys else { return name }
        let guess = SnakeCase.snakeCase(from: name)
        return SnakeCase.camelCase(from: guess) == name ? guess : nil
    }

    /// The tag of the case that a name in a text stands for, or -1. `position` is that of the member in its object.
    func tag(of entry: TapeEntry, at position: Int, in bytes: BytePointer, text: () -> String) -> Int {
        let start = bytes + entry.offset
        guard position < Self.orderCapacity else { return lookUp(entry, start, text: text) }
        let expected = order[position]
        if names[expected].head == entry.head, let spelling = names[expected].bytes,
            equal(spelling, start, entry.length)
        {
            return expected
        }
        let found = lookUp(entry, start, text: text)
        if found >= 0 { order[position] = found }
        return found
    }

    private func lookUp(_ entry: TapeEntry, _ start: BytePointer, text: () -> String) -> Int {
        let hash = Self.hash(entry, start)
        var place = Int(hash) & (spellingCapacity &- 1)
        while spellings[place].head != 0 {
            let spelling = spellings[place]
            if spelling.hash == hash, spelling.head == entry.head, let bytes = spelling.bytes,
                equal(bytes, start, entry.length)
            {
                if spelling.tag >= 0 && names[spelling.tag].bytes != bytes {
                    setSpelling(of: spelling.tag, head: entry.head, length: entry.length, bytes: bytes)
                }
                return spelling.tag
            }
            place = (place &+ 1) & (spellingCapacity &- 1)
        }
        let name = keys.key(for: text(), path: [])
        let tag = registered.first { $0.name == name }?.tag ?? Self.absent
        if spellingCount < Self.spellingLimit && entry.length <= 256 {
            let bytes = copy(UnsafeBufferPointer(start: start, count: entry.length))
            insert(Spelling(head: entry.head, hash: hash, bytes: bytes, tag: tag))
            if tag >= 0 { setSpelling(of: tag, head: entry.head, length: entry.length, bytes: bytes) }
        }
        return tag
    }

    private func insert(_ spelling: Spelling) {
        if spellingCount * 2 >= spellingCapacity { rebuild(capacity: spellingCapacity * 2) { _ in true } }
        place(spelling)
    }

    private func place(_ spelling: Spelling) {
        var place = Int(spelling.hash) & (spellingCapacity - 1)
        while spellings[place].head != 0 { place = (place + 1) & (spellingCapacity - 1) }
        spellings[place] = spelling
        spellingCount += 1
    }

    private func rebuild(capacity: Int, keeping isKept: (Spelling) -> Bool) {
        let old = UnsafeBufferPointer(start: spellings, count: spellingCapacity).filter { $0.head != 0 && isKept($0) }
        spellings.deallocate()
        spellings = .allocate(capacity: capacity)
        spellings.initialize(repeating: Spelling(), count: capacity)
        spellingCapacity = capacity
        spellingCount = 0
        for spelling in old { place(spelling) }
    }

    private func setSpelling(of tag: Int, head: UInt32, length: Int, bytes: BytePointer) {
        func mask(_ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 8 ? ~0 : (1 &<< UInt64(count &* 8)) &- 1
        }
        names[tag] = Name(
            head: head, length: UInt32(length),
            firstWord: bytes.word() & mask(length), firstMask: mask(length),
            secondWord: (bytes + 8).word() & mask(length - 8), secondMask: mask(length - 8),
            bytes: bytes)
    }

    /// Copies live as long as the table; there are at most `spellingLimit` and one per case.
    private func copy(_ source: UnsafeBufferPointer<UInt8>) -> BytePointer {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: source.count + BytePadding.count)
        bytes.initialize(repeating: 0, count: source.count + BytePadding.count)
        if let start = source.baseAddress { bytes.update(from: start, count: source.count) }
        ownedBytes.append(bytes)
        return BytePointer(bytes)
    }

    /// Names taken for unknown may be that of a case met just now.
    private func forgetUnknownSpellings() {
        rebuild(capacity: spellingCapacity) { $0.tag != Self.absent }
    }

    private static func hash(_ entry: TapeEntry, _ start: BytePointer) -> UInt32 {
        // The words are masked to the name's length; texts are padded, so that loading them is allowed.
        let length = entry.length
        var word = start.word()
        if length < 8 { word &= (1 &<< UInt64(length &* 8)) &- 1 }
        var hash = (word ^ UInt64(entry.head)) &* 0x9E37_79B9_7F4A_7C15
        if length > 8 { hash ^= (start + length - 8).word() &* 0xC2B2_AE3D_27D4_EB4F }
        return UInt32(truncatingIfNeeded: hash &>> 32)
    }
}

/// Whether `count` bytes are equal.
@inline(__always) func equal(_ left: BytePointer, _ right: BytePointer, _ count: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
        if (left + offset).word() != (right + offset).word() { return false }
        offset &+= 8
    }
    while offset < count {
        if left[offset] != right[offset] { return false }
        offset &+= 1
    }
    return true
}
