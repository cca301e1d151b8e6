import CImageCodecs

/// The last rows of the source in the form the vertical kernel reads, the oldest overwritten first.
///
/// 8-bit rows for gamma space, 16-bit linear rows for opaque images in linear light (half the cache of floats, which
/// is what the vertical pass is bound by), premultiplied floats for images with alpha.
struct RowRing: ~Copyable {
    enum Element: Int {
        case bytes = 1
        case fixed = 2
        case real = 4
    }

    let element: Element
    let capacity: Int
    private let stride: Int
    private let memory: AlignedBuffer

    /// - Parameter samples: Samples a row, without padding.
    init(element: Element, samples: Int, capacity: Int) throws(ImageError) {
        self.element = element
        self.capacity = capacity
        // An odd number of cache lines, so that the rows of a tall filter do not all fall into the same cache sets.
        var lines = ((samples + Int(CI_ROW_PADDING)) * element.rawValue + 63 + 16) / 64
        if lines & 1 == 0 { lines += 1 }
        stride = lines * 64
        memory = try AlignedBuffer(byteCount: stride * capacity)
    }

    /// The memory for a row of the source. libjpeg-turbo writes rows that are aligned to 32 bytes around the cache,
    /// where we would have to fetch them from; so byte rows start 16 bytes off.
    func row(_ index: Int) -> UnsafeMutableRawPointer {
        memory.start + (index % capacity) * stride + (element == .bytes ? 16 : 0)
    }
}
