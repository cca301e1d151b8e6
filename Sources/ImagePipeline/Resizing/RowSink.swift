/// Where finished rows go, top to bottom.
protocol RowSink: AnyObject {
    /// Called once before the first row.
    func begin(size: PixelSize, format: Bitmap.PixelFormat) throws(ImageError)
    func write(row: UnsafePointer<UInt8>) throws(ImageError)
}

/// Collects rows.
final class BitmapSink: RowSink {
    private var bytes: [UInt8] = []
    private var size = PixelSize(width: 1, height: 1)
    private var format = Bitmap.PixelFormat.rgb

    func begin(size: PixelSize, format: Bitmap.PixelFormat) throws(ImageError) {
        self.size = size
        self.format = format
        bytes.reserveCapacity(size.pixelCount * format.channels)
    }

    func write(row: UnsafePointer<UInt8>) throws(ImageError) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: row, count: size.width * format.channels))
    }

    func bitmap() -> Bitmap { Bitmap(unchecked: size, format: format, bytes: bytes) }
}
