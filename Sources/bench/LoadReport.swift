#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a load came to.
struct LoadReport {
    var transport: String
    var requests: Int
    var concurrency: Int
    var seconds: Double
    var bytes: Int
    var errors: Int

    /// One line of JSON.
    var json: String {
        let rate = seconds > 0 ? Double(requests) / seconds : 0
        return """
            {"transport":"\(transport)","requests":\(requests),"concurrency":\(concurrency),\
            "seconds":\(rounded(seconds, 1000)),"requests_per_second":\(Int(rate)),"bytes":\(bytes),\
            "errors":\(errors),"peak_rss_bytes":\(peakResidentBytes())}
            """
    }

    private func rounded(_ value: Double, _ places: Double) -> Double { (value * places).rounded() / places }
}

/// The most memory the process has used so far.
func peakResidentBytes() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
    #else
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) * 1024
    #endif
}

func printError(_ message: String) {
    let bytes = Array((message + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
