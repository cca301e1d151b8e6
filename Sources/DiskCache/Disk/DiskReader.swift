#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a body from an entry's file, a quarter of a megabyte at a time.
final class DiskReader: CacheReader {
    private static let pieceLength = 4 * EntryFormat.blockLength

    private let file: EntryFile
    private let name: EntryName
    private let folder: EntryFolder
    private let threads: IOThreads

    init(file: EntryFile, name: EntryName, folder: EntryFolder, threads: IOThreads) {
        self.file = file
        self.name = name
        self.folder = folder
        self.threads = threads
    }

    var bodyLength: Int { file.format.bodyLength }

    func read() async throws(CacheReadError) -> Data? {
        let result = await threads.run { [file, name, folder] () -> Result<Data?, CacheReadError> in
            do throws(EntryFile.Failure) {
                return .success(try file.nextBlocks(limit: Self.pieceLength))
            } catch {
                folder.recordFailure(error, of: name, isMiss: false)
                switch error {
                case .system(let code): return .failure(.system(code))
                case .corrupt, .notOurs: return .failure(.corrupt)
                }
            }
        }
        return try result.get()
    }
}
