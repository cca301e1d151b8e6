extension FileSystem {
    /// Reads until a buffer is full or the file ends, however little the system returns at a time.
    ///
    /// - Returns: How many bytes were read.
    func readAll(
        _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(file, into: rest, at: offset + filled)
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Reads a number of bytes, or fewer if the file ends before.
    func readAll(_ file: FileDescriptor, count: Int, at offset: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileError) {
                let wanted = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
                filled = try readAll(file, into: wanted, at: offset)
            } catch {
                failure = error
                filled = 0
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes, however few the system takes at a time.
    func writeAll(_ file: FileDescriptor, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = try write(file, UnsafeRawBufferPointer(rebasing: bytes[written...]), at: offset + written)
            // No progress and no reason given: do not try for ever.
            guard count > 0 else { throw FileError(code: 0) }
            written += count
        }
    }
}
