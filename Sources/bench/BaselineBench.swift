internal import CBenchBaseline

/// `bench baseline URL …`: the load of `bench get` by the least C program over libcurl, to compare with in one run.
func benchBaseline(arguments: [String]) async -> Int32 {
    let (parsed, problem) = LoadArguments.parse(arguments)
    guard let load = parsed else {
        printError("bench baseline: \(problem)")
        return 64
    }
    // The same number of connections as the transport opens.
    let connections = load.connections ?? (load.isHTTP2 ? 1 : 64)
    let result = cbench_run(
        load.url, Int32(clamping: load.requests), Int32(clamping: load.concurrency), Int32(clamping: connections),
        load.isHTTP2 ? 1 : 0, load.isInsecure ? 1 : 0)
    print(
        LoadReport(
            transport: "plain C", requests: load.requests, concurrency: load.concurrency, seconds: result.seconds,
            bytes: result.bytes, errors: Int(result.errors)
        ).json)
    return result.errors == 0 ? 0 : 1
}
