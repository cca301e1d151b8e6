import Testing

@testable import DiskCache

@Suite struct HashingTests {
    /// FIPS 180-4 examples and the usual one million letters.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func sha256(text: String, count: Int, expected: String) {
        let bytes = Array(repeating: Array(text.utf8), count: count).flatMap(\.self)
        #expect(EntryName(digest: SHA256.hash(bytes)).file == expected)
    }

    @Test func sha256InPiecesOfEveryLength() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = SHA256.hash(bytes)
        for length in 1...130 {
            var hasher = SHA256()
            for start in stride(from: 0, to: bytes.count, by: length) {
                hasher.update(Array(bytes[start..<min(start + length, bytes.count)]))
            }
            #expect(hasher.finalize() == whole, "pieces of \(length)")
        }
    }

    /// Computed with the reference implementation (xxHash 0.8) over bytes `31 i + 7`.
    @Test(
        arguments: [
            (0, 0, 0xef46db3751d8e999), (0, 0x9E3779B185EBCA8D, 0x0b303d920ec349df),
            (1, 0, 0xa96c7f0ce858bbb7), (1, 0x9E3779B185EBCA8D, 0x76349a430e97f416),
            (3, 0, 0x56e6957632a487f9), (3, 0x9E3779B185EBCA8D, 0xc42da545eb6f8983),
            (4, 0, 0xc60d15b1e3ff8f04), (4, 0x9E3779B185EBCA8D, 0x52c5131f0829d5fd),
            (7, 0, 0xafbefc3d6c6f9a8e), (7, 0x9E3779B185EBCA8D, 0xf1a46cf925e5669e),
            (8, 0, 0x3da5c7aa269683e0), (8, 0x9E3779B185EBCA8D, 0x6580dc86eca50f6c),
            (14, 0, 0x1523f762201ba56e), (14, 0x9E3779B185EBCA8D, 0xc793255530f9036b),
            (31, 0, 0x4a74f3a1a39ad4a1), (31, 0x9E3779B185EBCA8D, 0x99f222ff5e6379d1),
            (32, 0, 0x8d57d6a4671cc43d), (32, 0x9E3779B185EBCA8D, 0xa784ae39e74a5a70),
            (33, 0, 0x62c9fd21ed857664), (33, 0x9E3779B185EBCA8D, 0xd39b34c79f789080),
            (63, 0, 0x5c320a0d2707057f), (63, 0x9E3779B185EBCA8D, 0x83f6300c55e3f539),
            (64, 0, 0x7bbabbc45729d17e), (64, 0x9E3779B185EBCA8D, 0x0961219ab771dd46),
            (65, 0, 0xf3980c34bae65dc1), (65, 0x9E3779B185EBCA8D, 0x62439e445492849f),
            (100, 0, 0xefa0ad2d3e70c151), (100, 0x9E3779B185EBCA8D, 0x8da83ba6a3c5979d),
            (222, 0, 0xae41b80338869771), (222, 0x9E3779B185EBCA8D, 0xc830105111ef06b2),
            (4096, 0, 0xe21174be82dc78d9), (4096, 0x9E3779B185EBCA8D, 0xa70f94add20e5d5c),
            (65536, 0, 0xce06607392c5113f), (65536, 0x9E3779B185EBCA8D, 0xc56adb22ff6af471),
            (100001, 0, 0x4d3f821aa3bcd67a), (100001, 0x9E3779B185EBCA8D, 0x87df8ec3e8540833),
        ] as [(Int, UInt64, UInt64)])
    func xxh64(length: Int, seed: UInt64, expected: UInt64) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        #expect(bytes.withUnsafeBytes { XXH64.hash($0, seed: seed) } == expected)
        for piece in [1, 5, 31, 32, 33, 64, 100] where length < 5000 {
            var hasher = XXH64(seed: seed)
            for start in stride(from: 0, to: length, by: piece) {
                bytes[start..<min(start + piece, length)].withUnsafeBytes { hasher.update($0) }
            }
            #expect(hasher.finalize() == expected, "pieces of \(piece)")
        }
    }
}
