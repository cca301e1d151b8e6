import DiskCache

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes to a storage until it is killed: `DiskCacheCrashWriter <folder> <number of keys> <largest body>`.
///
/// One byte on standard output per operation tells the parent how far it is.
@main
enum DiskCacheCrashWriter {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let keys = Int(arguments[2]), let largest = Int(arguments[3]), keys > 0 else {
            exit(2)
        }
        let storage = DiskStorage(directory: arguments[1], configuration: .init(sizeLimit: 16 << 20))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while true { await operate(on: storage, keys: keys, largest: largest) }
                }
            }
        }
    }

    private static func operate(on storage: DiskStorage, keys: Int, largest: Int) async {
        let key = Int.random(in: 0..<keys)
        let name = CacheKey("key \(key)")
        let sample = SampleValue(
            key: key, version: .random(in: 0 ... .max), length: Bool.random() ? .random(in: 0...largest) : 4096)
        switch Int.random(in: 0..<10) {
        case 0:
            await storage.removeValue(for: name)
        case 1, 2:
            if let value = await storage.value(for: name), var old = SampleValue(metadata: value.metadata) {
                old.edition += 1
                await storage.replaceMetadata(for: name, from: value.metadata, to: old.metadata)
            }
        case 3, 4, 5:
            guard let writer = await storage.writer(for: name, metadata: sample.metadata) else { break }
            let body = sample.body
            var start = 0
            while start < body.count {
                let end = min(body.count, start + .random(in: 1...50_000))
                await writer.write(body[body.startIndex + start..<body.startIndex + end])
                start = end
            }
            await writer.commit()
        default:
            await storage.store(sample.body, metadata: sample.metadata, for: name)
        }
        _ = write(1, ".", 1)
    }
}
