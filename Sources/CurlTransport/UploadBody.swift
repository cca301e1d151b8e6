internal import APICore
internal import CCurl

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A request body on its way into libcurl.
final class UploadBody: @unchecked Sendable {
    // Safe to share: prepared by the sending task, then used by the loop thread alone; what a stream's task shares
    // with the loop is in `UploadPump`, behind its lock.

    enum ReadResult {
        case bytes(Int)
        /// Nothing yet: libcurl pauses until the pump has more.
        case wait
        case failure(NetworkError)
    }

    private enum Source {
        /// Given to libcurl whole, in one piece with the header fields where it fits.
        case copied(Data)
        case bytes(Data)
        case file(descriptor: Int32, size: Int)
        case stream(BodyStream, UploadPump)
    }

    /// Up to here libcurl gets its own copy: fewer calls, and one packet for head and body.
    private static let copyLimit = 64 << 10

    private var source: Source
    private var offset = 0

    /// The body of a request; `nil` when nothing is said about one.
    ///
    /// - Throws: ``NetworkError/invalidRequest(_:)`` for a file that cannot be opened.
    static func make(_ request: HTTPRequest) throws(NetworkError) -> UploadBody? {
        switch request.body.content {
        case .none:
            // RFC 9110 section 8.6: methods that expect a body say that there is none.
            let saysSo = request.method == .post || request.method == .put || request.method == .patch
            return saysSo ? UploadBody(.copied(Data())) : nil
        case .bytes(let data):
            return UploadBody(data.count <= copyLimit ? .copied(data) : .bytes(data))
        case .file(let path):
            return UploadBody(try openFile(path))
        case .stream(let stream):
            return UploadBody(.stream(stream, UploadPump()))
        }
    }

    private init(_ source: Source) {
        self.source = source
    }

    deinit {
        if case .file(let descriptor, _) = source { close(descriptor) }
    }

    private static func openFile(_ path: String) throws(NetworkError) -> Source {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw .invalidRequest(InvalidRequest(.unreadableBody("\(path): \(reason)")))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .invalidRequest(InvalidRequest(.unreadableBody("\(path): not a regular file")))
        }
        return .file(descriptor: descriptor, size: Int(status.st_size))
    }

    /// The number of bytes, where it is known.
    var length: Int? {
        switch source {
        case .copied(let data), .bytes(let data): data.count
        case .file(_, let size): size
        case .stream(let stream, _): stream.trailerNames.isEmpty ? stream.length : nil
        }
    }

    /// Whether ``seek(to:)`` can go back to the start.
    var rewinds: Bool {
        if case .stream = source { false } else { true }
    }

    /// Whether fields follow the body.
    var hasTrailers: Bool { !trailerNames.isEmpty }

    /// The names of the fields that follow the body.
    var trailerNames: [HTTPHeaderKey] {
        if case .stream(let stream, _) = source { stream.trailerNames } else { [] }
    }

    /// The trailer fields as lines, once the body has ended.
    var trailerLines: [String] {
        if case .stream(_, let pump) = source { pump.trailerLines } else { [] }
    }

    /// Tells libcurl where the body comes from.
    func configure(_ easy: UnsafeMutableRawPointer) {
        if case .copied(let data) = source {
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(data.count))
            data.withUnsafeBytes { bytes in
                // Without an address libcurl would wait for the read callback.
                _ = withUnsafeBytes(of: UInt8(0)) { empty in
                    ccurl_set_pointer(
                        easy, CURLOPT_COPYPOSTFIELDS,
                        UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? empty.baseAddress))
                }
            }
        } else {
            ccurl_set_long(easy, CURLOPT_UPLOAD, 1)
            ccurl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1))
        }
    }

    /// Starts an attempt: a stream's task begins to read.
    func start(wake: @escaping @Sendable () -> Void) {
        offset = 0
        guard case .stream(let stream, _) = source else { return }
        let pump = UploadPump()
        source = .stream(stream, pump)
        pump.start(stream, wake: wake)
    }

    /// Ends an attempt: a stream's task is cancelled.
    func stop() {
        if case .stream(_, let pump) = source { pump.stop() }
    }

    /// Copies the next bytes; 0 for the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        switch source {
        case .copied(let data), .bytes(let data):
            let count = min(buffer.count, data.count - offset)
            guard count > 0 else { return .bytes(0) }
            data.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
            offset += count
            return .bytes(count)
        case .file(let descriptor, let size):
            let wanted = min(buffer.count, size - offset)
            guard wanted > 0 else { return .bytes(0) }
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            guard count > 0 else {
                let reason = count < 0 ? String(cString: strerror(errno)) : "the file became shorter"
                return .failure(.invalidRequest(InvalidRequest(.unreadableBody(reason))))
            }
            offset += count
            return .bytes(count)
        case .stream(let stream, let pump):
            return pump.read(into: buffer, length: stream.trailerNames.isEmpty ? stream.length : nil)
        }
    }

    /// Goes to a place in the body. Only a body that ``rewinds`` can; a stream can go to where it is at its start.
    func seek(to position: Int) -> Bool {
        if case .stream(_, let pump) = source { return position == 0 && pump.isAtStart }
        guard position >= 0 else { return false }
        offset = min(position, length ?? 0)
        return true
    }
}
