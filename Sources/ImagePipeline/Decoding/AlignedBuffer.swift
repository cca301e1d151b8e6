#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Zeroed memory aligned for the widest vectors. Unlike Swift's own allocation it reports a shortage.
struct AlignedBuffer: ~Copyable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) throws(ImageError) {
        var memory: UnsafeMutableRawPointer?
        guard byteCount >= 0, posix_memalign(&memory, 64, max(byteCount, 64)) == 0, let memory else {
            throw .outOfMemory
        }
        memset(memory, 0, max(byteCount, 64))
        start = memory
        self.byteCount = byteCount
    }

    deinit { free(start) }

    func bound<Element>(to type: Element.Type) -> UnsafeMutablePointer<Element> {
        start.assumingMemoryBound(to: type)
    }
}
