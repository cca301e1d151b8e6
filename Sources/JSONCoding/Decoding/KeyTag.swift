/// The tag of a key: the number of its case.
///
/// Only for enums of at most one byte, which is what synthesised `CodingKeys` are. Their value is their case, so that the
/// tag can stand for the key. Other types, whose bytes may not tell their string value, are looked up by string.
enum KeyTag {
    static func isAvailable<Key: CodingKey>(for type: Key.Type) -> Bool {
        MemoryLayout<Key>.size <= 1 && _isPOD(Key.self) && isEnum(type)
    }

    /// The first word of a type's metadata is its kind (`MetadataKind` in the Swift ABI): 0x201 for an enum.
    private static func isEnum<Key: CodingKey>(_ type: Key.Type) -> Bool {
        unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self).load(as: Int.self) == 0x201
    }

    /// The key's byte; 0 for an enum of one case, which has none.
    @inline(__always) static func tag<Key: CodingKey>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }
}
