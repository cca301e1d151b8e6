extension Bitmap {
    /// The image as seen when these are its stored pixels.
    func oriented(_ orientation: ImageOrientation) -> Bitmap {
        if orientation == .up { return self }
        let seen = orientation.swapsSides ? size.transposed : size
        let channels = format.channels
        let rowBytes = bytesPerRow
        // The stored position is linear in x and y, so three probes give the walk over the source.
        let start = orientation.storedPosition(x: 0, y: 0, stored: size)
        let right = orientation.storedPosition(x: 1, y: 0, stored: size)
        let below = orientation.storedPosition(x: 0, y: 1, stored: size)
        let origin = start.y * rowBytes + start.x * channels
        let stepRight = (right.y - start.y) * rowBytes + (right.x - start.x) * channels
        let stepDown = (below.y - start.y) * rowBytes + (below.x - start.x) * channels
        let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            bytes.withUnsafeBufferPointer { source in
                var next = 0
                for y in 0..<seen.height {
                    var from = origin + y * stepDown
                    for _ in 0..<seen.width {
                        for channel in 0..<channels { target[next + channel] = source[from + channel] }
                        next += channels
                        from += stepRight
                    }
                }
            }
            count = bytes.count
        }
        return Bitmap(unchecked: seen, format: format, bytes: turned)
    }
}
