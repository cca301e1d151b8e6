import Foundation
import Testing

@testable import JSONCoding

@Suite struct DateTests {
    private func seconds(_ text: String) -> Double? {
        var decoder = FastJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(Date.self, from: Data("\"\(text)\"".utf8)).timeIntervalSince1970
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00,25Z", 0.25),
        ("1970-01-01T00:00:00.123456789Z", 0.123456789), ("1970-01-01T00:00:01.000Z", 1), ("1970-01-01T00:00:00", 0),
        ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T01:00:00+0100", 0), ("1970-01-01T01:00:00+01", 0),
        ("1969-12-31T19:30:00-04:30", 0), ("1970-01-01t00:00:00z", 0), ("2000-02-29T12:00:00Z", 951_825_600),
        ("2016-12-31T23:59:60Z", 1_483_228_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("1900-03-01T00:00:00Z", -2_203_891_200),
    ])
    func read(text: String, expected: Double) {
        // A Date counts from 2001, where a double's last digit is worth a tenth of a microsecond.
        #expect(seconds(text).map { abs($0 - expected) < 1e-6 } == true)
    }

    @Test(arguments: [
        "", "1970", "1970-01-01", "1970-01-01T00:00Z", "1970-01-01 00:00:00Z", "1970-13-01T00:00:00Z",
        "1970-00-01T00:00:00Z",
        "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z", "1900-02-29T00:00:00Z", "2023-02-29T00:00:00Z",
        "1970-01-01T24:00:00Z",
        "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+",
        "1970-01-01T00:00:00+1",
        "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:60", "1970-01-01T00:00:00Zx", "1970-1-1T0:0:0Z",
        "+1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00.1.2Z", "１970-01-01T00:00:00Z",
    ])
    func refuse(text: String) {
        #expect(seconds(text) == nil)
    }

    /// From 1590 on: before, Foundation counts in the Julian calendar, which ISO 8601 does not know.
    @Test func agreesWithFoundationOnWholeSeconds() throws {
        var random = SeededGenerator(seed: 31)
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        var fast = FastJSONEncoder()
        fast.dateEncodingStrategy = .iso8601
        for _ in 0..<500 {
            let seconds =
                Double(Int64(random.next() % 265_000_000_000) - 12_000_000_000) + Double(random.next() % 1000) / 1000
            let date = Date(timeIntervalSince1970: seconds)
            let expected = try foundation.encode([date])
            #expect(try fast.encode([date]) == expected, "\(seconds)")
            var decoder = FastJSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            #expect(
                try decoder.decode([Date].self, from: expected).first?.timeIntervalSince1970 == seconds.rounded(.down))
        }
    }

    @Test func farDatesAreWrittenAsFoundationDoes() throws {
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        var fast = FastJSONEncoder()
        fast.dateEncodingStrategy = .iso8601
        for seconds in [-62_135_596_801.0, 253_402_300_800, -1e11, 1e12] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(try fast.encode([date]) == foundation.encode([date]))
        }
    }
}
