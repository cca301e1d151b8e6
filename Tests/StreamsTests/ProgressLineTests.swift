import APICore
import Testing

@testable import TerminalProgress

struct ProgressLineTests {
    private func line(_ label: String, _ bytes: Int, _ total: Int?, rate: Double = 0, width: Int = 80) -> String {
        let progress = TransferProgress(bytes: bytes, total: total, bytesPerSecond: rate)
        return ProgressLine.text(label: label, progress: progress, width: width)
    }

    @Test func lines() {
        #expect(
            line("a.zip", 4_500_000, 10_000_000, rate: 2_100_000, width: 100)
                == "a.zip   45% [##################                      ] 4.5/10.0 MB  2.1 MB/s  0:02")
        #expect(line("", 10, 10, width: 40) == "100% [#########################] 10/10 B")
        #expect(
            line("a", 0, 1_500_000_000, rate: 100_000, width: 100)
                == "a    0% [                                        ] 0.0/1.5 GB  100.0 kB/s  4:10:00")
        #expect(line("a.zip", 123_456, nil, rate: 999) == "a.zip  123.4 kB  999 B/s")
        #expect(line("a", 0, 0) == "a  100% [########################################] 0/0 B")
    }

    @Test func aLineIsAsWideAsTheTerminal() {
        #expect(line("a.zip", 4_500_000, 10_000_000, rate: 2_100_000, width: 60).count == 60)
    }

    @Test func narrowTerminals() {
        for width in -5...120 {
            #expect(
                line("a-long-file-name.zip", 4_500_000, 10_000_000, rate: 2_100_000, width: width).count
                    <= max(width, 0))
            #expect(line("a-long-file-name.zip", 4_500_000, nil, width: width).count <= max(width, 0))
        }
        #expect(line("a.zip", 4_500_000, 10_000_000, width: 12) == "a.zip  45%")
    }

    @Test func numbersOfAnySize() {
        for bytes in [0, 999, 1000, 999_999, .max] {
            for rate in [0, 1e-300, 1e300, .infinity, .nan] {
                #expect(!line("x", bytes, .max, rate: rate).isEmpty)
            }
        }
    }

    @Test func labelsCannotControlTheTerminal() {
        #expect(line("a\u{1B}[2J\r\nb\u{9B}", 1, nil) == "a[2Jb  1 B")
    }
}
