internal import APICore
internal import CurlTransport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `bench get URL --requests N --concurrency C [--http2] [--insecure] [--stream] [--executor] [--transport curl]
/// [--decode none|users] [--decoder fast|foundation]`: many GETs, a given number at a time.
func benchGet(arguments: [String]) async -> Int32 {
    let (parsed, problem) = LoadArguments.parse(arguments)
    guard let load = parsed else {
        printError("bench get: \(problem)")
        return 64
    }
    guard let url = try? RequestURL(load.url) else {
        printError("bench get: \(load.url) is no URL")
        return 64
    }
    guard load.transport == "curl" else {
        printError("bench get: there is no transport \(load.transport)")
        return 64
    }
    var configuration = TransportConfiguration()
    configuration.proxy = .none
    configuration.protocolPreference = load.isHTTP2 ? .automatic : .http1
    configuration.tls.disablesVerification = load.isInsecure
    if let connections = load.connections { configuration.maximumConnectionsPerHost = connections }
    let transport = CurlTransport(configuration: configuration)
    let request = HTTPRequest(url: url, delivery: load.isStreamed ? .streamed : .buffered)
    let decode = decoder(load)
    // The first request pays for the connection, the first lookup and the first use of everything.
    _ = await run(1, request, transport, decode)
    let start = ContinuousClock.now
    let work = { @Sendable in
        await withTaskGroup(of: (bytes: Int, errors: Int).self) { group in
            for index in 0..<load.concurrency {
                let share = load.requests / load.concurrency + (index < load.requests % load.concurrency ? 1 : 0)
                group.addTask { await run(share, request, transport, decode) }
            }
            return await group.reduce(into: (bytes: 0, errors: 0)) {
                $0.bytes += $1.bytes
                $0.errors += $1.errors
            }
        }
    }
    let sum =
        load.usesExecutor ? await withTaskExecutorPreference(transport.executor) { await work() } : await work()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print(
        LoadReport(
            transport: load.transport, requests: load.requests, concurrency: load.concurrency, seconds: seconds,
            bytes: sum.bytes, errors: sum.errors
        ).json)
    await transport.shutdown()
    return sum.errors == 0 ? 0 : 1
}

private func decoder(_ load: LoadArguments) -> (@Sendable (Data) throws -> Void)? {
    guard load.decode == "users" else { return nil }
    let decoder: any DataDecoder = load.decoder == "foundation" ? JSONDecoder() : DefaultCoders.plainDecoder
    return { _ = try decoder.decode([User].self, from: $0) }
}

private func run(
    _ count: Int, _ request: HTTPRequest, _ transport: CurlTransport, _ decode: (@Sendable (Data) throws -> Void)?
) async -> (bytes: Int, errors: Int) {
    var bytes = 0
    var errors = 0
    for _ in 0..<count {
        do {
            let response = try await transport.send(request)
            if request.delivery == .streamed, decode == nil {
                for try await chunk in response.body { bytes += chunk.count }
            } else {
                let data = try await response.body.collect()
                bytes += data.count
                try decode?(data)
            }
        } catch {
            if errors == 0 { printError("bench get: \(error)") }
            errors += 1
        }
    }
    return (bytes, errors)
}
