/// The name under which a value is kept: any bytes, compared byte by byte.
///
/// Not a `String`, because strings that are canonically equivalent (`é` as one scalar or as two) compare equal in Swift
/// although a server may answer them with different things.
public struct CacheKey: Hashable, Sendable {
    /// The bytes of the key, in any encoding, of any value, at most ``maximumLength`` of them to be storable on disk.
    public let bytes: [UInt8]

    /// The longest key a ``DiskStorage`` takes, in bytes. A longer one is never stored, so looking it up is a miss.
    public static let maximumLength = 1 << 20

    /// A key of the given bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// A key of the UTF-8 bytes of a string.
    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// Hashes all bytes at once, which for an array goes one by one.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether the key begins with the bytes of another one. Every key begins with the empty key.
    public func hasPrefix(_ prefix: CacheKey) -> Bool {
        bytes.starts(with: prefix.bytes)
    }
}

extension CacheKey: ExpressibleByStringLiteral {
    /// A key of the UTF-8 bytes of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension CacheKey: CustomStringConvertible {
    /// The key as text; bytes that are not UTF-8 appear as replacement characters.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
