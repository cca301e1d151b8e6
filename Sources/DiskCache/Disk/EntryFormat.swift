#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The layout of an entry's file. All numbers are little-endian.
///
/// | offset | bytes | what |
/// | --- | --- | --- |
/// | 0 | 8 | signature: `89 41 4C 45 0D 0A 1A 0A` |
/// | 8 | 4 | format version, 1 |
/// | 12 | 4 | length of the key, K |
/// | 16 | 4 | length of the metadata, M |
/// | 20 | 4 | length of a block of the body, 65,536 |
/// | 24 | 8 | length of the body, B |
/// | 32 | 8 | XXH64 of bytes 0 to 31, key, metadata, and block checksums |
/// | 40 | K | key |
/// | 40 + K | M | metadata |
/// | 40 + K + M | B | body |
/// | 40 + K + M + B | 8 per block | XXH64 of each block of the body, the last one being shorter |
///
/// So every byte is under a checksum, and a body of any length can be handed over block by block, each one checked
/// before. As in PNG the signature has a byte above 127 and both kinds of line end, which a transfer as text would spoil.
struct EntryFormat: Equatable, Sendable {
    static let headerLength = 40
    static let version: UInt32 = 1
    static let signature: [UInt8] = [0x89, 0x41, 0x4C, 0x45, 0x0D, 0x0A, 0x1A, 0x0A]
    static let blockLength = 65_536
    /// Longer metadata is not stored: it is read into memory whole.
    static let metadataLimit = 16 << 20

    var keyLength: Int
    var metadataLength: Int
    var bodyLength: Int
    var checksum: UInt64

    /// Why bytes are not an entry.
    enum Flaw: Error, Equatable {
        /// Not the signature: another program's file.
        case foreign
        /// Written in a format this code does not know.
        case otherVersion
        /// The signature, and then nonsense.
        case corrupt
    }

    var bodyOffset: Int { Self.headerLength + keyLength + metadataLength }
    var tableOffset: Int { bodyOffset + bodyLength }
    var blockCount: Int { Self.blockCount(bodyLength) }
    var fileLength: Int { tableOffset + blockCount * 8 }

    static func blockCount(_ bodyLength: Int) -> Int {
        bodyLength / blockLength + (bodyLength % blockLength == 0 ? 0 : 1)
    }

    init(keyLength: Int, metadataLength: Int, bodyLength: Int, checksum: UInt64 = 0) {
        self.keyLength = keyLength
        self.metadataLength = metadataLength
        self.bodyLength = bodyLength
        self.checksum = checksum
    }

    /// Reads the header of a file of a known length, whose parts must add up to exactly that.
    init(beginning: [UInt8], fileLength: Int) throws(Flaw) {
        guard beginning.starts(with: Self.signature) else { throw .foreign }
        guard beginning.count >= Self.headerLength else { throw .corrupt }
        func number(at offset: Int, bytes: Int) -> UInt64 {
            beginning[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(at: 8, bytes: 4) == Self.version else { throw .otherVersion }
        let (key, metadata) = (number(at: 12, bytes: 4), number(at: 16, bytes: 4))
        let (block, body) = (number(at: 20, bytes: 4), number(at: 24, bytes: 8))
        // With these bounds no sum below can overflow.
        guard fileLength <= Int.max / 2, body <= UInt64(max(0, fileLength)), block == Self.blockLength,
            key <= CacheKey.maximumLength, metadata <= Self.metadataLimit
        else { throw .corrupt }
        self.init(
            keyLength: Int(key), metadataLength: Int(metadata), bodyLength: Int(body),
            checksum: number(at: 32, bytes: 8))
        guard self.fileLength == fileLength else { throw .corrupt }
    }

    /// The checksum over everything but the body, whose blocks' checksums are in the table.
    func expectedChecksum(keyAndMetadata: UnsafeRawBufferPointer, table: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = XXH64()
        withUnsafeTemporaryAllocation(byteCount: Self.headerLength, alignment: 8) { header in
            writeHeader(to: header)
            hasher.update(UnsafeRawBufferPointer(rebasing: header[..<32]))
        }
        hasher.update(keyAndMetadata)
        hasher.update(table)
        return hasher.finalize()
    }

    /// Puts the 40 bytes of the header at the beginning of a buffer.
    func writeHeader(to buffer: UnsafeMutableRawBufferPointer) {
        buffer.copyBytes(from: Self.signature)
        func put(_ number: UInt32, at offset: Int) {
            buffer.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
        put(Self.version, at: 8)
        put(UInt32(truncatingIfNeeded: keyLength), at: 12)
        put(UInt32(truncatingIfNeeded: metadataLength), at: 16)
        put(UInt32(Self.blockLength), at: 20)
        buffer.storeBytes(of: UInt64(bodyLength).littleEndian, toByteOffset: 24, as: UInt64.self)
        buffer.storeBytes(of: checksum.littleEndian, toByteOffset: 32, as: UInt64.self)
    }

    /// Header, key and metadata of an entry with a given body, its checksum included.
    static func head(key: CacheKey, metadata: Data, bodyLength: Int, table: [UInt64]) -> [UInt8] {
        var format = EntryFormat(
            keyLength: key.bytes.count, metadataLength: metadata.count, bodyLength: bodyLength)
        var head = [UInt8](repeating: 0, count: headerLength)
        head.reserveCapacity(format.bodyOffset)
        head.append(contentsOf: key.bytes)
        head.append(contentsOf: metadata)
        let bytes = tableBytes(table)
        format.checksum = head.withUnsafeBytes { head in
            bytes.withUnsafeBytes { table in
                format.expectedChecksum(
                    keyAndMetadata: UnsafeRawBufferPointer(rebasing: head[headerLength...]), table: table)
            }
        }
        head.withUnsafeMutableBytes { format.writeHeader(to: $0) }
        return head
    }

    /// The checksums of all blocks of a body.
    static func table(of body: UnsafeRawBufferPointer) -> [UInt64] {
        stride(from: 0, to: body.count, by: blockLength).map { start in
            XXH64.hash(UnsafeRawBufferPointer(rebasing: body[start..<min(start + blockLength, body.count)]))
        }
    }

    static func tableBytes(_ table: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(table.count * 8)
        for checksum in table { withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Whether a block matches its checksum in a table as it is in the file.
    static func isIntact(block: UnsafeRawBufferPointer, index: Int, table: UnsafeRawBufferPointer) -> Bool {
        let checksum = UInt64(littleEndian: table.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        return XXH64.hash(block) == checksum
    }
}
