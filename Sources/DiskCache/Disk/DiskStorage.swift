#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps values in a folder, safe against everything a disk does.
///
/// ```swift
/// let storage = DiskStorage(directory: "/var/cache/my-service/http", configuration: .init(sizeLimit: 1 << 30))
/// await storage.store(body, metadata: headers, for: "https://example.com/")
/// let value = await storage.value(for: "https://example.com/")
/// ```
///
/// * One file per entry holds format version, key, metadata, body and checksums over all of it. It is written under
///   another name and renamed, so a reader finds a whole entry or none, whenever a writer is killed. Whatever is
///   damaged all the same (power cut, bad sector) fails its checksum and is a miss.
/// * Usable at once: what earlier runs left is counted by a scan in the background.
/// * Several storages, in one process or in many, may use one folder. Files that are not entries are left alone.
/// * A full or read-only disk, a folder deleted underneath, a clock that jumps: reads miss, writes return `false`, and
///   everything works again when the cause is gone.
/// * File operations run on threads of its own, never on Swift's, and no call blocks the caller's thread.
/// * Nothing is flushed to the medium on purpose: after a power cut the latest entries may be lost, none is wrong.
///
/// Folders are created for their owner only (0700) and files too (0600).
public final class DiskStorage: CacheStorage {
    /// The folder, as an absolute path.
    public let directory: String

    /// How much is kept, and for how long.
    public var configuration: Configuration { folder.configuration }

    let folder: EntryFolder
    private let threads: IOThreads
    private let scanning = Locked(Scanning())

    private struct Scanning {
        var isUnderWay = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// A storage in a folder, which is created with the first value, and a scan of what is there already.
    ///
    /// - Parameters:
    ///   - directory: The path of the folder. A relative one starts from the current directory.
    ///   - configuration: How much is kept, and for how long.
    public convenience init(directory: String, configuration: Configuration = Configuration()) {
        self.init(directory: directory, configuration: configuration, fileSystem: POSIXFileSystem())
    }

    init(
        directory: String, configuration: Configuration, fileSystem: any FileSystem, threads: IOThreads = .shared,
        now: @escaping @Sendable () -> Int64 = DiskStorage.systemTime,
        name: @escaping @Sendable (CacheKey) -> EntryName = { EntryName($0) }
    ) {
        self.directory = Self.absolutePath(directory)
        self.threads = threads
        folder = EntryFolder(
            root: self.directory, configuration: configuration, fileSystem: fileSystem, now: now, name: name)
        enqueueScan()
    }

    /// The system's clock in nanoseconds since 1970.
    static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func absolutePath(_ path: String) -> String {
        var path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// The value kept under a key. A body of more than `inlineLimit` bytes is left on disk, to be read from there.
    public func value(for key: CacheKey, inlineLimit: Int) async -> CacheValue? {
        let found = await threads.run { [folder] in folder.read(key, inlineLimit: inlineLimit) }
        switch found {
        case .inline(let metadata, let body):
            return CacheValue(metadata: metadata, body: body)
        case .open(let file):
            let reader = DiskReader(file: file, name: folder.name(key), folder: folder, threads: threads)
            return CacheValue(metadata: file.metadata, body: .stream(reader))
        case nil:
            return nil
        }
    }

    /// Keeps a value, and evicts the least recently used ones if it is one too many.
    @discardableResult
    public func store(_ body: Data, metadata: Data, for key: CacheKey) async -> Bool {
        let isStored = await threads.run { [folder] in folder.write(key, metadata: metadata, body: body) }
        scanAgainIfNeeded()
        return isStored
    }

    /// A writer that puts the body on disk as it comes.
    public func writer(for key: CacheKey, metadata: Data) async -> (any CacheWriter)? {
        let writer = await threads.run { [folder] in EntryWriter(folder: folder, key: key, metadata: metadata) }
        guard let writer else { return nil }
        return DiskWriter(writer: writer, threads: threads, didCommit: { [weak self] in self?.scanAgainIfNeeded() })
    }

    /// Writes the entry anew with other metadata, if its metadata is still `old`.
    @discardableResult
    public func replaceMetadata(for key: CacheKey, from old: Data, to new: Data) async -> Bool {
        await threads.run { [folder] in folder.replaceMetadata(of: key, from: old, to: new) }
    }

    /// Removes an entry.
    public func removeValue(for key: CacheKey) async {
        await threads.run { [folder] in folder.remove(key) }
    }

    /// Removes all entries whose keys begin with a prefix; looks into every file.
    public func removeValues(withPrefix prefix: CacheKey) async {
        await threads.run { [folder] in folder.removeValues(withPrefix: prefix) }
    }

    /// Removes all entries, those of other processes in the same folder included. Other files stay.
    public func removeAll() async {
        await threads.run { [folder] in folder.removeAll() }
    }

    /// What this storage has done, and what it knows to be in the folder.
    public var statistics: CacheStatistics { folder.statistics }

    /// Waits until what was in the folder at the start has been counted. Nothing else needs to wait for that.
    public func scanned() async {
        await withCheckedContinuation { continuation in
            let isDone = scanning.withLock { scanning in
                if scanning.isUnderWay { scanning.waiting.append(continuation) }
                return !scanning.isUnderWay
            }
            if isDone { continuation.resume() }
        }
    }

    private func scanAgainIfNeeded() {
        guard folder.needsScan else { return }
        let mustStart = scanning.withLock { scanning in
            defer { scanning.isUnderWay = true }
            return !scanning.isUnderWay
        }
        if mustStart { enqueueScan() }
    }

    private func enqueueScan() {
        threads.enqueue { [weak self, folder] in
            folder.scan()
            guard let self else { return }
            let waiting = scanning.withLock { scanning in
                scanning.isUnderWay = false
                return scanning.waiting.take()
            }
            for continuation in waiting { continuation.resume() }
        }
    }
}

extension Array {
    /// Empties the array and returns what was in it.
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
