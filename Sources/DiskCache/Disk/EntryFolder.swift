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

/// A folder of entries, with calls that block.
///
/// The folder is the truth. What is kept in memory about it (sizes and the order of use) only serves to decide what to
/// evict, may be wrong at any time because other processes use the same folder, and is corrected by whatever a call
/// finds. So there is no journal that a crash could leave behind half-written.
///
/// No two calls need to exclude each other: an entry appears by `rename` and disappears by `unlink`, both atomic.
final class EntryFolder: Sendable {
    struct Entry: Sendable {
        /// The length of the file.
        var length: Int
        /// When it was last used, as this process knows it.
        var used: Int64
        /// When it was last used, as the file says. Written only now and then: a hot entry should not cost an inode
        /// write for every read.
        var touched: Int64
    }

    struct State: Sendable {
        var entries = RecencyList<EntryName, Entry>()
        var pending = PendingWrites()
        /// Bytes in temporaries of writers under way.
        var unpublishedBytes = 0
        var statistics = CacheStatistics()
        var bytesWrittenSinceScan = 0
        /// What has changed since the scan under way began, which therefore knows nothing about it.
        var changedDuringScan: Set<EntryName>?
        /// Counts removals of everything, each of which makes the scan under way worthless.
        var clearances = 0
        var isEvicting = false
    }

    let root: String
    let configuration: DiskStorage.Configuration
    let fileSystem: any FileSystem
    /// The system's clock in nanoseconds since 1970, which may jump.
    let now: @Sendable () -> Int64
    let name: @Sendable (CacheKey) -> EntryName
    let state = Locked(State())

    /// How long a use may go unrecorded on disk.
    static let touchInterval: Int64 = 60 * 1_000_000_000

    init(
        root: String, configuration: DiskStorage.Configuration, fileSystem: any FileSystem,
        now: @escaping @Sendable () -> Int64, name: @escaping @Sendable (CacheKey) -> EntryName
    ) {
        self.root = root
        self.configuration = configuration
        self.fileSystem = fileSystem
        self.now = now
        self.name = name
    }

    func path(of name: EntryName) -> String {
        "\(root)/\(name.folder)/\(name.file)"
    }

    /// What a file of a length takes on disk: whole blocks of 4 KiB, as on nearly every file system.
    static func bytesOnDisk(_ length: Int) -> Int {
        length > Int.max - 4095 ? Int.max : (length + 4095) & ~4095
    }

    // What `read` found.
    enum Found: Sendable {
        case inline(metadata: Data, body: Data)
        case open(EntryFile)
    }

    /// Looks a key up.
    ///
    /// - Parameter inlineLimit: Longer bodies are left to be read from the file.
    func read(_ key: CacheKey, inlineLimit: Int) -> Found? {
        let name = name(key)
        let path = path(of: name)
        do throws(EntryFile.Failure) {
            let file = try EntryFile(path: path, key: key, fileSystem: fileSystem)
            if hasExpired(file.status, at: now()) {
                removeFile(of: name)
                state.withLock { state in
                    state.statistics.expirations += 1
                    state.statistics.misses += 1
                }
                return nil
            }
            let found: Found
            if file.format.bodyLength <= inlineLimit {
                found = .inline(metadata: file.metadata, body: try file.body())
            } else {
                found = .open(file)
            }
            recordUse(of: name, path: path, status: file.status)
            return found
        } catch {
            recordFailure(error, of: name)
            return nil
        }
    }

    func hasExpired(_ status: FileStatus, at time: Int64) -> Bool {
        guard let limit = configuration.ageLimitNanoseconds else { return false }
        let (age, overflow) = time.subtractingReportingOverflow(status.modified)
        return overflow ? status.modified < time : age > limit
    }

    /// Forgets an entry that turned out to be unreadable, while looking it up or while reading on in it.
    func recordFailure(_ failure: EntryFile.Failure, of name: EntryName, isMiss: Bool = true) {
        if failure == .corrupt { removeFile(of: name) }
        state.withLock { state in
            if isMiss { state.statistics.misses += 1 }
            switch failure {
            case .corrupt: state.statistics.corrupt += 1
            case .notOurs: break
            case .system(ENOENT), .system(ENOTDIR): forget(name, in: &state)
            case .system: state.statistics.readErrors += 1
            }
        }
    }

    private func recordUse(of name: EntryName, path: String, status: FileStatus) {
        let time = now()
        let mustTouch = state.withLock { state in
            state.statistics.hits += 1
            var entry = state.entries.use(name) ?? Entry(length: status.size, used: time, touched: status.accessed)
            // A clock set back makes the distance large as well, and then the file gets a time that makes sense again.
            let distance = time.subtractingReportingOverflow(entry.touched)
            let mustTouch = distance.overflow || distance.partialValue.magnitude > UInt64(Self.touchInterval)
            entry.length = status.size
            entry.used = time
            if mustTouch { entry.touched = time }
            state.entries.set(name, to: entry, cost: Self.bytesOnDisk(status.size))
            state.changedDuringScan?.insert(name)
            return mustTouch
        }
        // If it cannot be recorded (read-only, removed meanwhile), the order of eviction is a little off: no harm.
        if mustTouch { try? fileSystem.setTimes(at: path, accessed: time, modified: nil) }
    }

    func forget(_ name: EntryName, in state: inout State) {
        state.entries.remove(name)
        state.changedDuringScan?.insert(name)
    }

    /// Removes an entry's file, whether it is known or not.
    func removeFile(of name: EntryName) {
        try? fileSystem.remove(path(of: name))
        state.withLock { forget(name, in: &$0) }
    }

    func remove(_ key: CacheKey) {
        state.withLock { $0.pending.cancel { $0 == key } }
        removeFile(of: name(key))
    }

    var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.entries.count
            statistics.bytes = state.entries.totalCost
            return statistics
        }
    }
}
