/// Where pixels come from, one row at a time, top to bottom.
protocol RowSource: AnyObject {
    /// The size of the rows delivered.
    var size: PixelSize { get }
    /// Samples a pixel: 1, 3 or 4.
    var channels: Int { get }
    /// Writes the next row into memory for `size.width * channels` bytes and ``RowPadding`` more.
    func readRow(into row: UnsafeMutablePointer<UInt8>) throws(ImageError)
    /// Called once after the last row that is needed: verifies the rest of the file.
    func finish() throws(ImageError)
    /// Whether some of what was delivered is made up.
    var isPartial: Bool { get }
}

/// A bitmap already in hand.
final class BitmapSource: RowSource {
    private let bitmap: Bitmap
    private var next = 0

    init(_ bitmap: Bitmap) { self.bitmap = bitmap }

    var size: PixelSize { bitmap.size }
    var channels: Int { bitmap.format.channels }
    var isPartial: Bool { false }

    func readRow(into row: UnsafeMutablePointer<UInt8>) throws(ImageError) {
        let count = bitmap.bytesPerRow
        bitmap.bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress, (next + 1) * count <= source.count else { return }
            row.update(from: start + next * count, count: count)
        }
        next += 1
    }

    func finish() throws(ImageError) {}
}
