#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension EntryFolder {
    /// How old a temporary must be before a scan takes it for a dead writer's.
    static let temporaryAge: Int64 = 60 * 1_000_000_000

    /// How far in the future a time may lie before it counts as set by a wrong clock.
    static let clockTolerance: Int64 = 60 * 1_000_000_000

    /// Whether other processes may have written so much that the sizes known here are worthless.
    var needsScan: Bool {
        state.withLock { $0.bytesWrittenSinceScan > configuration.sizeLimit / 8 }
    }

    /// Looks at every file: learns sizes and the order of use, and removes damaged and expired entries and the
    /// temporaries of writers that died. Entries may be read, written and removed meanwhile.
    func scan() {
        for _ in 0..<3 where scanOnce() { break }
        evictIfNeeded()
    }

    /// - Returns: Whether what was found could be used.
    private func scanOnce() -> Bool {
        let clearances = state.withLock { state -> Int? in
            guard state.changedDuringScan == nil else { return nil }
            state.changedDuringScan = []
            state.bytesWrittenSinceScan = 0
            return state.clearances
        }
        // Another scan is under way; its result is as good.
        guard let clearances else { return true }

        var found: [(name: EntryName, entry: Entry)] = []
        let isComplete = forEachFile { folder, file in
            if let name = EntryName(folder: folder, file: file) {
                if let entry = examine(name) { found.append((name, entry)) }
            } else if TemporaryName.matches(file) {
                removeIfAbandoned("\(root)/\(folder)/\(file)")
            }
        }
        return state.withLock { state in
            let changed = state.changedDuringScan.take() ?? []
            guard state.clearances == clearances else { return false }
            merge(found, except: changed, isComplete: isComplete, into: &state)
            return true
        }
    }

    /// Calls a function with every file in the folders that entries may be in.
    ///
    /// - Returns: Whether all folders could be listed.
    private func forEachFile(_ body: (_ folder: String, _ file: String) -> Void) -> Bool {
        let folders: [String]
        do throws(FileError) {
            folders = try fileSystem.list(root)
        } catch {
            return error.code == ENOENT || error.code == ENOTDIR
        }
        var isComplete = true
        for folder in folders where Self.isFolderName(folder) {
            do throws(FileError) {
                for file in try fileSystem.list("\(root)/\(folder)") { body(folder, file) }
            } catch  where error.code == ENOENT || error.code == ENOTDIR {
                continue
            } catch {
                isComplete = false
            }
        }
        return isComplete
    }

    private static func isFolderName(_ name: String) -> Bool {
        name.utf8.count == 2
            && name.utf8.allSatisfy { digit in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
            }
    }

    /// What a file says about itself, or `nil` if it is no entry or no longer one.
    private func examine(_ name: EntryName) -> Entry? {
        let path = path(of: name)
        guard var status = try? fileSystem.status(at: path), status.kind == .file else { return nil }
        let time = now()
        if hasExpired(status, at: time) {
            removeFile(of: name)
            state.withLock { $0.statistics.expirations += 1 }
            return nil
        }
        guard isPlausible(path, length: status.size, name: name) else { return nil }
        // A time from the future would make an entry immortal, now that the clock is right.
        let latest = time.addingReportingOverflow(Self.clockTolerance)
        if !latest.overflow, status.accessed > latest.partialValue || status.modified > latest.partialValue {
            status.accessed = min(status.accessed, time)
            status.modified = min(status.modified, time)
            try? fileSystem.setTimes(at: path, accessed: status.accessed, modified: status.modified)
        }
        return Entry(length: status.size, used: status.accessed, touched: status.accessed)
    }

    /// Whether a file begins like an entry of its length. Files that cannot be entries are removed if they are ours.
    private func isPlausible(_ path: String, length: Int, name: EntryName) -> Bool {
        do throws(FileError) {
            let file = try fileSystem.open(path)
            defer { fileSystem.close(file) }
            let header = try fileSystem.readAll(file, count: EntryFormat.headerLength, at: 0)
            return judge(header, length: length, name: name)
        } catch {
            // It may be readable later; it takes room in any case.
            return error.code != ENOENT
        }
    }

    private func judge(_ header: [UInt8], length: Int, name: EntryName) -> Bool {
        do throws(EntryFormat.Flaw) {
            _ = try EntryFormat(beginning: header, fileLength: length)
            return true
        } catch {
            switch error {
            case .otherVersion:
                return true
            case .foreign where header.contains(where: { $0 != 0 }):
                // Somebody else's file that happens to be named like ours.
                return false
            case .foreign, .corrupt:
                // Nothing, or zeros, is what a power cut leaves of a file whose name was on disk before its bytes.
                removeFile(of: name)
                state.withLock { $0.statistics.corrupt += 1 }
                return false
            }
        }
    }

    private func removeIfAbandoned(_ path: String) {
        guard let status = try? fileSystem.status(at: path), status.kind == .file else { return }
        let age = now().subtractingReportingOverflow(status.modified)
        guard age.overflow || age.partialValue > Self.temporaryAge || age.partialValue < -Self.clockTolerance,
            let file = try? fileSystem.open(path)
        else { return }
        defer { fileSystem.close(file) }
        // The system drops a lock when its owner dies, however it dies.
        guard (try? fileSystem.tryLock(file)) == true else { return }
        try? fileSystem.remove(path)
    }

    private func merge(
        _ found: [(name: EntryName, entry: Entry)], except changed: Set<EntryName>, isComplete: Bool,
        into state: inout State
    ) {
        // Times on disk are coarse and clocks jump: among equals the order known here decides.
        let known = state.entries.keysOldestFirst
        let ranks = Dictionary(uniqueKeysWithValues: zip(known, 0...))
        var merged: [(name: EntryName, entry: Entry, rank: Int)] = []
        merged.reserveCapacity(found.count)
        var seen = Set<EntryName>(minimumCapacity: found.count)
        for (name, var entry) in found where !changed.contains(name) {
            if let known = state.entries.peek(name) {
                // Later by more than what goes unrecorded: another process has used it.
                let (latest, overflow) = known.used.addingReportingOverflow(Self.touchInterval)
                if overflow || entry.used <= latest { entry.used = known.used }
            }
            seen.insert(name)
            merged.append((name, entry, ranks[name] ?? -1))
        }
        for (rank, name) in known.enumerated() where !seen.contains(name) {
            // Not found although nothing happened to it here: another process has removed it.
            guard !isComplete || changed.contains(name), let entry = state.entries.peek(name) else { continue }
            merged.append((name, entry, rank))
        }
        merged.sort { ($0.entry.used, $0.rank) < ($1.entry.used, $1.rank) }
        state.entries.removeAll()
        for (name, entry, _) in merged { state.entries.set(name, to: entry, cost: Self.bytesOnDisk(entry.length)) }
    }

    func removeAll() {
        state.withLock { state in
            state.pending.cancel { _ in true }
            state.clearances += 1
        }
        _ = forEachFile { folder, file in
            guard let name = EntryName(folder: folder, file: file), mayRemove(name) else { return }
            removeFile(of: name)
        }
    }

    /// Whether a file named like an entry is one, as far as its first bytes tell.
    private func mayRemove(_ name: EntryName) -> Bool {
        beginning(of: name, count: EntryFormat.signature.count) == EntryFormat.signature
    }

    func removeValues(withPrefix prefix: CacheKey) {
        state.withLock { $0.pending.cancel { $0.hasPrefix(prefix) } }
        _ = forEachFile { folder, file in
            guard let name = EntryName(folder: folder, file: file),
                let beginning = beginning(of: name, count: EntryFormat.headerLength + prefix.bytes.count),
                beginning.count >= EntryFormat.headerLength, beginning.starts(with: EntryFormat.signature),
                beginning.dropFirst(EntryFormat.headerLength).elementsEqual(prefix.bytes),
                // The bytes after a shorter key are not part of it.
                keyLength(beginning) >= prefix.bytes.count
            else { return }
            removeFile(of: name)
        }
    }

    private func keyLength(_ header: [UInt8]) -> Int {
        header[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func beginning(of name: EntryName, count: Int) -> [UInt8]? {
        guard let file = try? fileSystem.open(path(of: name)) else { return nil }
        defer { fileSystem.close(file) }
        return try? fileSystem.readAll(file, count: count, at: 0)
    }
}
