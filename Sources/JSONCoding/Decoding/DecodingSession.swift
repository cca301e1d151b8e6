/// Everything one decode works with: a copy of the text, its tape, and the tables and containers kept from earlier
/// decodes. Sessions are taken from a pool and given back, so that a small document allocates next to nothing.
///
/// Memory safety: decoders and containers that user code can keep hold a strong reference to the session, except the keyed
/// containers in `containers`, which belong to it and point into it. When the decode ends, a session that is still
/// referenced, or one of whose containers is, is not used again: it and its text live at least as long as those who kept
/// them, and it makes no more pooled containers. `DecodingSessionPool` keeps the sessions that only such a container needs.
///
/// `@unchecked Sendable`: a session is used by one thread at a time, the one that took it from the pool; the pool's lock
/// orders the threads.
final class DecodingSession: @unchecked Sendable {
    /// What containers read on every call, behind a pointer so that no access is checked for exclusivity.
    struct State {
        var bytes: UnsafeMutablePointer<UInt8>
        var byteCapacity: Int
        /// Bytes of the text, without those of a byte order mark.
        var byteCount = 0
        var tape = JSONTape()
        /// The values that are being decoded, from the root down, for coding paths.
        var nodes: UnsafeMutablePointer<PathNode>
        var nodeCapacity: Int
        var kinds: TypeKindCache
        var canBuildSmallStrings: Bool
        /// The owner of all this, set by its initialiser.
        var session: Unmanaged<DecodingSession>?
        var containers = KeyedContainerPool()

        @inline(__always) var entries: UnsafeMutablePointer<TapeEntry> { tape.entries }
    }

    let state: UnsafeMutablePointer<State>
    var reader: DocumentReader { DocumentReader(state: state) }
    let keys: KeyConversion
    var shared: FastJSONDecoder.Shared
    private var keyTables: [ObjectIdentifier: KeyTable] = [:]
    private var frames = TokenizerFrames()
    private var locator = JSONSourceLocator()
    /// Bytes of the byte order mark that was skipped.
    private var markLength = 0
    /// False once the session has outlived its decode.
    private(set) var isPooling = true

    var options: FastJSONDecoder.Options { shared.options }

    init(shared: FastJSONDecoder.Shared) {
        self.shared = shared
        keys = KeyConversion(shared.options.keys)
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                bytes: .allocate(capacity: 1024), byteCapacity: 1024, nodes: .allocate(capacity: 64), nodeCapacity: 64,
                kinds: TypeKindCache(), canBuildSmallStrings: SmallStringLayout.isKnown))
        state.pointee.session = .passUnretained(self)
    }

    deinit {
        state.pointee.containers.deallocate()
        frames.deallocate()
        state.pointee.tape.deallocate()
        state.pointee.kinds.deallocate()
        state.pointee.nodes.deallocate()
        state.pointee.bytes.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Copies and checks a text.
    func load(_ source: UnsafeRawBufferPointer) throws {
        var source = source
        let limit = options.maximumByteCount
        if source.count > limit {
            let location = JSONSourceLocation(offset: 0, line: 1, column: 1)
            throw syntaxError(JSONSyntaxError(reason: .tooLarge(limit: limit), location: location))
        }
        markLength = 0
        if source.count >= 3 && source[0] == 0xEF && source[1] == 0xBB && source[2] == 0xBF {
            markLength = 3
            source = UnsafeRawBufferPointer(rebasing: source[3...])
        }
        let count = source.count
        reserve(count + BytePadding.count)
        let bytes = state.pointee.bytes
        if let start = source.baseAddress { UnsafeMutableRawPointer(bytes).copyMemory(from: start, byteCount: count) }
        UnsafeMutableRawPointer(bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: BytePadding.count)
        state.pointee.byteCount = count
        locator = JSONSourceLocator()

        let tokenizer = JSONTokenizer(bytes: bytes, count: count, maximumDepth: options.maximumDepth)
        let deepest: Int
        do {
            deepest = try tokenizer.tokenize(onto: &state.pointee.tape, frames: &frames)
        } catch {
            throw syntaxError(
                JSONSyntaxError(reason: error.reason, location: location(ofByte: error.offset)))
        }
        if deepest + 2 > state.pointee.nodeCapacity {
            state.pointee.nodes.deallocate()
            state.pointee.nodeCapacity = deepest * 2
            state.pointee.nodes = .allocate(capacity: deepest * 2)
        }
    }

    private func reserve(_ capacity: Int) {
        if capacity <= state.pointee.byteCapacity { return }
        state.pointee.bytes.deallocate()
        state.pointee.byteCapacity = capacity + capacity / 2
        state.pointee.bytes = .allocate(capacity: state.pointee.byteCapacity)
    }

    private func syntaxError(_ error: JSONSyntaxError) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: [], debugDescription: "The given data was not valid JSON: \(error)", underlyingError: error)
        )
    }

    /// The place of a byte of the text that was given, byte order mark included.
    func location(ofByte offset: Int) -> JSONSourceLocation {
        var location = locator.location(
            of: min(offset, state.pointee.byteCount), in: UnsafePointer(state.pointee.bytes))
        location.offset += markLength
        return location
    }

    /// The table of names for a type of keys.
    func keyTable<Key: CodingKey>(for type: Key.Type) -> KeyTable {
        let identifier = ObjectIdentifier(type)
        if let table = keyTables[identifier] { return table }
        let table = KeyTable(keys: keys)
        keyTables[identifier] = table
        return table
    }

    /// What the buffers take in memory.
    var bufferByteCount: Int {
        state.pointee.byteCapacity + state.pointee.tape.capacity * MemoryLayout<TapeEntry>.stride
    }

    /// Makes no more pooled containers, and gives up those that nobody holds.
    func detach() {
        isPooling = false
        state.pointee.containers.removeUnheld()
    }
}

extension DecodingSession {
    /// A session for one decode.
    static func take(for shared: FastJSONDecoder.Shared) -> DecodingSession {
        guard let pool = DecodingSessionPool.pool(for: shared.options.keys), let session = pool.take() else {
            return DecodingSession(shared: shared)
        }
        session.shared = shared
        return session
    }

    /// Ends a decode; the caller's reference must be the last one for the session to be used again.
    static func giveBack(_ session: inout DecodingSession) {
        let areContainersBack = session.state.pointee.containers.reclaim()
        if areContainersBack, isKnownUniquelyReferenced(&session) {
            DecodingSessionPool.pool(for: session.shared.options.keys)?.put(session)
            return
        }
        session.detach()
        if !areContainersBack { LingeringSessions.keep(session) }
    }
}

/// A session's document, as the containers see it: one pointer, which costs nothing to copy. Whoever has it also has
/// something that keeps the session.
struct DocumentReader {
    let state: UnsafeMutablePointer<DecodingSession.State>

    var session: DecodingSession {
        // Set by the session's initialiser, before anything reads.
        state.pointee.session.unsafelyUnwrapped.takeUnretainedValue()
    }
}
