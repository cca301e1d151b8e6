#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value whose every byte can be checked: the metadata says from what the body was made.
struct SampleValue: Equatable, Sendable {
    var key: Int
    var version: UInt64
    var length: Int
    /// Changes when only the metadata is replaced.
    var edition: Int

    init(key: Int, version: UInt64, length: Int, edition: Int = 0) {
        self.key = key
        self.version = version
        self.length = length
        self.edition = edition
    }

    init?(metadata: Data) {
        let parts = String(decoding: metadata, as: UTF8.self).split(separator: " ")
        guard parts.count == 4, let key = Int(parts[0]), let version = UInt64(parts[1]), let length = Int(parts[2]),
            let edition = Int(parts[3])
        else { return nil }
        self.init(key: key, version: version, length: length, edition: edition)
    }

    var metadata: Data { Data("\(key) \(version) \(length) \(edition)".utf8) }

    /// Pseudo-random bytes (SplitMix64) that depend on key and version.
    var body: Data {
        var state = version &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(key)
        var bytes = Data(capacity: length + 8)
        while bytes.count < length {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        return bytes.prefix(length)
    }
}
