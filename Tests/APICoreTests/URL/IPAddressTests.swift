import Testing

@testable import APICore

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::1]", "::1"), ("::", "::"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:0DB8::0001", "2001:db8::1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("::ffff:1.2.3.4", "::ffff:102:304"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1::", "1::"), ("0:0:1::", "0:0:1::"),
    ])
    func reads(text: String, expected: String) throws {
        #expect(try #require(IPAddress(text)).description == expected)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f.0.0.1", "1.2.3.", ":::", "1::2::3", "12345::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "g::", "::1.2.3", "1.2.3.4::", "fe80::1%eth0",
    ])
    func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        "127.0.0.1", "127.255.255.255", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "100.127.255.255", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1", "::1",
        "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
        "::127.0.0.1", "2002:7f00:1::", "2002:c0a8:101::1", "2001:db8::1", "2001::1", "::ffff:0:127.0.0.1",
        "fec0::1", "64:ff9b:1::1", "3fff::1",
    ])
    func privateOnes(text: String) throws {
        #expect(try #require(IPAddress(text)).isPubliclyRoutable == false)
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "2606:4700::1111", "2a00:1450:4001::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "223.255.255.255", "2001:200::1",
    ])
    func publicOnes(text: String) throws {
        #expect(try #require(IPAddress(text)).isPubliclyRoutable)
    }
}
